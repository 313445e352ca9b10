"""WorldsEnv: a task in many worlds of MuJoCo Warp, with everything on the device.

What is observed, rewarded and commanded is the task's, the same as in `mujocable.gym`; only the
engine differs. A world whose episode has ended starts anew in the same step.
"""

import gc
from collections.abc import Mapping
from contextlib import contextmanager
from typing import Any

import mujoco_warp
import warp as wp
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

import mujocable.warp as mjcw
from mujocable.errors import BadValue, listing
from mujocable.gym.env import BOUND, spaces
from mujocable.gym.task import LATE, Seen, Task
from mujocable.learn.arrays import Arrays
from mujocable.learn.portable import Portable, portable
from mujocable.warp.room import rows_of

FAILED = BOUND  # distance of a world that is no longer finite: further than any other
Scale = Mapping[str, tuple[float, float]]


class WorldsEnv(VectorEnv):
  """`num_envs` robots; observations, rewards and ends are arrays on the device.

  Every episode draws its friction from the task's range and multiplies other parameters of the
  cables by a factor from `scale`, say `{"stiffness": (0.8, 1.25)}`: one factor for a world.
  `arrays`: "torch", or "numpy" on the CPU. `device`: of Warp; None: the first GPU, else the CPU.
  Options go to mujoco_warp.put_data (njmax, nconmax, ...).
  """

  def __init__(
    self,
    task: Task | Portable,
    num_envs: int = 1,
    device: Any = None,
    arrays: str = "torch",
    scale: Scale | None = None,
    **options,
  ):
    if num_envs < 1:
      raise BadValue(f"num_envs must be 1 or more, got {num_envs!r}")
    source = task if isinstance(task, Portable) else portable(task)
    self.source, self.task, self.num_envs = source, source.task, int(num_envs)
    self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_fps": round(self.task.fps)}
    self.single_action_space, self.single_observation_space = spaces(self.task)
    self.action_space = batch_space(self.single_action_space, num_envs)
    self.observation_space = batch_space(self.single_observation_space, num_envs)
    self.device, self._arrays = wp.get_device(device), Arrays(arrays, device)
    self._scale = _checked(scale)
    with wp.ScopedDevice(self.device):
      self.m = mjcw.put_model(source.model, source.cables)
      self.d = mjcw.put_data(
        source.model, nworld=num_envs, cables=source.cables, **(rows_of(source.model) | options)
      )
      self.cables = mjcw.cables(self.d)
      self._allocate()
      self._capture()

  def _allocate(self) -> None:
    make, task, n = self._arrays, self.task, self.num_envs
    fields = {name: make.view(getattr(self.d, name)) for name in Seen.FIELDS}
    self._seen = Seen(**fields, cable=self._read)
    self._views: dict[tuple[str, str], Any] = {}
    self._ctrl = make.view(self.d.ctrl)
    self._parameters = {name: make.view(self.cables.array(name)) for name in mjcw.PARAMETERS}
    # 1 for each contact that rubs by the friction of its cable, 0 for drums
    self._rubs = make.real([not held for held in self.cables.layout.contact_held] or [0.0])
    self._nominal = {name: 1.0 * self._parameters[name] for name in self._scale}
    self._goal_table = make.real(self.source.goals)
    self.goals, self.frictions = make.zeros(n, task.goal_size), make.zeros(n)
    self.actions = make.zeros(n, task.action_size)
    self.steps = make.zeros(n, dtype="int64")
    self._mask_warp = wp.zeros(n, dtype=wp.bool)
    self._mask = make.view(self._mask_warp)
    # of the late part of episodes
    self._late_from = int(LATE * task.horizon)
    self._late_sum, self._late_count = make.zeros(n), make.zeros(n)
    self._started = False

  def _read(self, cable: str, what: str) -> Any:
    # a result of a cable, as its sensor would show it
    if (cable, what) not in self._views:
      self._views[cable, what] = self._arrays.view(self.cables.array(what, cable))
    return self._views[cable, what]

  # ------------------------------------ the simulation

  def _capture(self) -> None:
    # one graph for all steps of an action, one to reset worlds, one to see where they are
    self._graphs = {}
    if not self.device.is_cuda:
      return
    for name in ("_advance", "_forget", "_look"):
      getattr(self, name)()  # compiles
      with _no_collection(), wp.ScopedCapture() as capture:
        getattr(self, name)()
      self._graphs[name] = capture.graph

  def _run(self, name: str) -> None:
    with wp.ScopedDevice(self.device):
      if name in self._graphs:
        wp.capture_launch(self._graphs[name])
      else:
        getattr(self, name)()

  def _advance(self) -> None:
    for _ in range(self.task.substeps):
      mujoco_warp.step(self.m, self.d)
    self._look()

  def _look(self) -> None:
    mujoco_warp.forward(self.m, self.d)  # results of the state that is observed

  def _forget(self) -> None:
    mjcw.reset(self.m, self.d, self._mask_warp)

  # ------------------------------------ the environment

  def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[Any, dict]:
    """Restarts all worlds; `seed` is of frictions, factors and goals.

    `options`: "friction" (a number, or one for each) and "goal" fix either for this episode.
    """
    if seed is not None:
      self._arrays.seed(seed)
    self._mask[:] = True
    self._restart(self._fixed(options))
    self._started = True
    return self._observe(), self._infos(self._distance())

  def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict]:
    """One action each, held for `substeps` steps.

    A world whose episode has ended (`truncated`; `terminated` if it is no longer finite) has
    started its next one: its observation is the first of that, its last one is in
    infos["final_obs"]. infos["late_error"] is the mean distance late in the episode, which is to be
    below `task.near`.
    """
    if not self._started:
      raise BadValue("call reset before step")
    of, task = self._arrays.module, self.task
    self.actions[:] = of.clip(self._arrays.real(actions).reshape(self.actions.shape), -1.0, 1.0)
    self._ctrl[:] = task.ctrl(self.actions)
    self._run("_advance")
    self.steps += 1
    # what came of it
    distance = self._distance()
    finite = of.isfinite(self._seen.qpos).all(1) & of.isfinite(self._seen.qvel).all(1)
    finite &= of.isfinite(distance)
    distance = of.where(finite, distance, self._arrays.real(FAILED))
    late = self.steps > self._late_from
    self._late_sum += of.where(late, distance, self._arrays.real(0.0))
    self._late_count += late
    truncated = (self.steps >= task.horizon) & finite
    infos = self._infos(distance)
    infos["late_error"] = self._late_sum / of.clip(self._late_count, 1.0, None)
    infos["final_obs"] = of.nan_to_num(self._observe())
    # the next episode
    self._mask[:] = truncated | ~finite
    if self.device.is_cuda or self._mask.any():  # asking a GPU would be waiting for it
      self._restart({})
    return self._observe(), -distance, ~finite, truncated, infos

  def _restart(self, fixed: dict[str, Any]) -> None:
    # new worlds where the mask is set
    make, of, n, mask = self._arrays, self._arrays.module, self.num_envs, self._mask
    self._run("_forget")
    low, high = self.task.friction
    friction = fixed.get("friction", low + (high - low) * make.uniform(n))
    goals = fixed.get("goal", self._goal_table[make.chosen(len(self._goal_table), n)])
    self._put(self.frictions, friction)
    self._put(self.goals, goals)
    self._put(self._parameters["friction"], self.frictions[:, None] * self._rubs)
    for name, (low, high) in self._scale.items():
      factor = low * (high / low) ** make.uniform(n)
      self._put(self._parameters[name], self._nominal[name] * factor[:, None])
    for array in (self.actions, self.steps, self._late_sum, self._late_count):
      array[:] = of.where(mask.reshape(-1, *[1] * (array.ndim - 1)), 0 * array, array)
    self._run("_look")

  def _put(self, array: Any, values: Any) -> None:
    mask = self._mask.reshape(-1, *[1] * (array.ndim - 1))
    array[:] = self._arrays.module.where(mask, values, array)

  def _fixed(self, options: dict | None) -> dict[str, Any]:
    options = options or {}
    if unknown := set(options) - {"friction", "goal"}:
      raise BadValue(f"reset takes the options 'friction' and 'goal', got {sorted(unknown)}")
    fixed = {}
    for name, like in (("friction", self.frictions), ("goal", self.goals)):
      if name not in options:
        continue
      given = self._arrays.real(options[name])
      try:
        fixed[name] = self._arrays.module.broadcast_to(given, tuple(like.shape))
      except (RuntimeError, ValueError):
        raise BadValue(
          f"option {name!r} must have the shape {tuple(like.shape)}, or one that can be broadcast"
          f" to it, got {tuple(given.shape)}"
        ) from None
      if not self._arrays.module.isfinite(given).all():
        raise BadValue(f"option {name!r} must be finite, got {options[name]!r}")
    if "friction" in fixed and (fixed["friction"] < 0).any():
      raise BadValue(f"option 'friction' must be >= 0, got {options['friction']!r}")
    return fixed

  def _distance(self) -> Any:
    return self.task.distance(self._seen, self.goals)

  def _observe(self) -> Any:
    seen = self.task.observe(self._seen, self.goals, self.actions)
    return self._arrays.module.clip(seen, -BOUND, BOUND)

  def _infos(self, distance: Any) -> dict[str, Any]:
    return {"distance": distance, "friction": 1.0 * self.frictions}


@contextmanager
def _no_collection():
  # arrays and graphs that are freed meanwhile would become part of the graph
  enabled = gc.isenabled()
  gc.disable()
  try:
    yield
  finally:
    if enabled:
      gc.enable()


def _checked(scale: Scale | None) -> dict[str, tuple[float, float]]:
  scale, known = dict(scale or {}), [name for name in mjcw.PARAMETERS if name != "friction"]
  for name, limits in scale.items():
    if name not in known:
      raise BadValue(f"scale: {name!r} is not one of the {listing('parameters', known)}")
    try:
      low, high = map(float, limits)
    except (TypeError, ValueError):
      low, high = 0.0, 0.0
    if not 0 < low <= high:
      raise BadValue(f"scale[{name!r}] must be (low, high), 0 < low <= high, got {limits!r}")
    scale[name] = low, high
  return scale
