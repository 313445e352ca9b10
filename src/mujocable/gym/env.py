"""Env: one simulation of a task as a gymnasium.Env."""

from typing import Any

import gymnasium
import mujoco
import numpy as np

from mujocable.errors import BadValue
from mujocable.gym.task import Seen, Task, numbers

BOUND = 10.0  # of an observation, whose numbers are of the order of one


def spaces(task: Task) -> tuple[gymnasium.spaces.Box, gymnasium.spaces.Box]:
  """Of actions and of observations."""
  action = gymnasium.spaces.Box(-1.0, 1.0, (task.action_size,), np.float32)
  seen = gymnasium.spaces.Box(-BOUND, BOUND, (task.observation_size,), np.float32)
  return action, seen


def observation(task: Task, seen: Seen, goals: np.ndarray, actions: np.ndarray) -> np.ndarray:
  """What the task observes, within its bounds."""
  return np.clip(task.observe(seen, goals, actions), -BOUND, BOUND).astype(np.float32)


class CableEnv(gymnasium.Env):
  """One robot. `info` has the distance to the goal and the friction of the episode."""

  metadata = {"render_modes": ["rgb_array"], "render_fps": 25}  # noqa: RUF012

  def __init__(self, task: Task, render_mode: str | None = None):
    if render_mode not in (None, "rgb_array"):
      raise BadValue(f"render_mode must be None or 'rgb_array', got {render_mode!r}")
    self.task, self.render_mode = task, render_mode
    self.metadata = {**self.metadata, "render_fps": round(task.fps)}
    self.action_space, self.observation_space = spaces(task)
    self.model, self.data = task.model, mujoco.MjData(task.model)
    self._seen = task.seen(*(getattr(self.data, name)[None] for name in Seen.FIELDS))
    self._friction, self._goal = 0.0, np.zeros(task.goal_size)
    self._action = np.zeros((1, task.action_size))
    self._steps = -1  # no episode yet
    self._renderer: Any = None

  def reset(
    self, *, seed: int | None = None, options: dict | None = None
  ) -> tuple[np.ndarray, dict]:
    """A robot at rest with a new friction and a new goal, or those given in `options`."""
    super().reset(seed=seed)
    self._friction, self._goal = self.task.draw(self.np_random, options)
    mujoco.mj_resetData(self.model, self.data)
    self.task.set_friction(self.data.plugin_state[None], np.array([self._friction]))
    self._action[:] = 0.0
    self._steps = 0
    mujoco.mj_forward(self.model, self.data)
    return self._observe(), self._info()

  def step(self, action: np.ndarray) -> tuple[np.ndarray, float, bool, bool, dict]:
    """One action, held for `substeps` steps of the simulation; ends after `horizon` actions."""
    task = self.task
    if self._steps < 0:
      raise BadValue("call reset before step")
    found = numbers(action, task.action_size)
    if found is None:
      raise BadValue(f"step: action must be {task.action_size} finite numbers, got {action!r}")
    self._action[:] = np.clip(found, -1.0, 1.0)
    self.data.ctrl[:] = task.ctrl(self._action)[0]
    mujoco.mj_step(self.model, self.data, nstep=task.substeps)
    mujoco.mj_forward(self.model, self.data)  # results of the state that is observed
    self._steps += 1
    info = self._info()
    ended = self._steps >= task.horizon
    return self._observe(), -info["distance"], False, ended, info

  def render(self) -> np.ndarray | None:
    """The robot and its cables, uint8, shape (480, 640, 3); raises NoDisplay where none can be."""
    if self.render_mode is None:
      return None
    if self._renderer is None:
      from mujocable.viewer import offscreen  # late: few environments are drawn

      self._renderer = offscreen.renderer(self.model, 480, 640)
    self._renderer.update_scene(self.data, self.task.camera)
    return self._renderer.render().copy()

  def close(self) -> None:
    """Lets the renderer go."""
    if self._renderer is not None:
      self._renderer.close()
      self._renderer = None

  def _observe(self) -> np.ndarray:
    return observation(self.task, self._seen, self._goal[None], self._action)[0]

  def _info(self) -> dict:
    distance = float(self.task.distance(self._seen, self._goal[None])[0])
    return {"distance": distance, "friction": self._friction}
