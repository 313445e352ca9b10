"""Batch: many simulations of a task, stepped through mujoco.batch, as a gymnasium VectorEnv.

Every number is bit for bit what a SyncVectorEnv of CableEnv would return.
"""

from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from mujocable.errors import BadValue
from mujocable.gym.env import observation, spaces
from mujocable.gym.task import Seen, Task

_RESULTS = mujoco.mjtStage.mjSTAGE_ACC.value  # everything mj_forward computes
_NOTHING = mujoco.mjtStage.mjSTAGE_NONE.value


class BatchEnv(VectorEnv):
  """`num_envs` robots on `nthread` threads (0: all cores); one that ended starts anew next step."""

  def __init__(
    self, task: Task, num_envs: int = 1, nthread: int = 0, render_mode: str | None = None
  ):
    if num_envs < 1:
      raise BadValue(f"num_envs must be 1 or more, got {num_envs!r}")
    if render_mode is not None:
      raise BadValue("a batch draws nothing: make one environment with render_mode='rgb_array'")
    try:
      from mujoco.batch import Batch
    except ImportError:
      running = mujoco.mj_versionString()
      raise BadValue(f"a batch needs MuJoCo 3.17 or newer, this is {running}") from None
    self.task, self.num_envs, self.render_mode = task, int(num_envs), None
    self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_fps": round(task.fps)}
    self.single_action_space, self.single_observation_space = spaces(task)
    self.action_space = batch_space(self.single_action_space, num_envs)
    self.observation_space = batch_space(self.single_observation_space, num_envs)
    self._batch = Batch(task.model, num_envs, nthread)
    self._seen = task.seen(*(self._batch.bind(name) for name in Seen.FIELDS))
    self._ctrl = self._batch.bind("ctrl")
    self._plugin_state = self._batch.bind("plugin_state")
    self._randoms: list[Any] = [None] * num_envs  # of each robot, from the first reset on
    self._frictions = np.zeros(num_envs)
    self._goals = np.zeros((num_envs, task.goal_size))
    self._actions = np.zeros((num_envs, task.action_size))
    self._steps = np.zeros(num_envs, int)
    self._ended = np.zeros(num_envs, bool)

  def reset(
    self, *, seed: int | Sequence[int | None] | None = None, options: dict | None = None
  ) -> tuple[np.ndarray, dict]:
    """Restarts all; one seed s gives the robots s, s + 1, ... as in every vector environment."""
    count = self.num_envs
    if isinstance(seed, Sequence):
      seeds = list(seed)
    else:
      seeds = [None if seed is None else seed + i for i in range(count)]
    if len(seeds) != count:
      raise BadValue(f"reset takes one seed or {count}, got {len(seeds)}")
    for i, one in enumerate(seeds):
      if one is not None or self._randoms[i] is None:
        self._randoms[i], _ = seeding.np_random(one)
    self._restart(np.arange(count), options)
    return self._observe(), self._infos()

  def step(
    self, actions: np.ndarray
  ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict]:
    """One action each; a robot whose episode had ended starts a new one instead, with reward 0."""
    task, moving = self.task, ~self._ended
    if self._randoms[0] is None:
      raise BadValue("call reset before step")
    rows = self._rows(actions)
    if rows is None or not np.isfinite(rows[moving]).all():
      shape = self._actions.shape
      raise BadValue(f"step: actions must be finite numbers of shape {shape}, got {actions!r}")
    self._actions[moving] = np.clip(rows[moving], -1.0, 1.0)
    self._ctrl[moving] = task.ctrl(self._actions[moving])
    if moving.any():
      self._batch.step(np.flatnonzero(moving), task.substeps, _RESULTS)
    self._restart(np.flatnonzero(~moving), None)
    self._steps[moving] += 1
    infos = self._infos()
    rewards = np.where(moving, -infos["distance"], 0.0)
    self._ended = moving & (self._steps >= task.horizon)
    return self._observe(), rewards, np.zeros(self.num_envs, bool), self._ended.copy(), infos

  def _rows(self, actions: Any) -> np.ndarray | None:
    # those of robots that start anew are not looked at, and may be anything
    try:
      rows = np.asarray(actions, float)
    except (TypeError, ValueError):
      return None
    fits = rows.shape[:1] == (self.num_envs,) and rows.size == self._actions.size
    return rows.reshape(self._actions.shape) if fits else None

  def _restart(self, ids: np.ndarray, options: dict | None) -> None:
    if not ids.size:
      return
    for i in ids:
      self._frictions[i], self._goals[i] = self.task.draw(self._randoms[i], options)
    self._batch.reset(ids, stage=_NOTHING)
    rows = self._plugin_state[ids]
    self.task.set_friction(rows, self._frictions[ids])
    self._plugin_state[ids] = rows
    self._actions[ids] = 0.0
    self._steps[ids] = 0
    self._ended[ids] = False
    self._batch.forward(ids, _RESULTS)

  def _observe(self) -> np.ndarray:
    return observation(self.task, self._seen, self._goals, self._actions)

  def _infos(self) -> dict[str, Any]:
    every = np.ones(self.num_envs, bool)
    return {
      "distance": self.task.distance(self._seen, self._goals),
      "_distance": every,
      "friction": self._frictions.copy(),
      "_friction": every.copy(),
    }
