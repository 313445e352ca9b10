"""Portable: a task that runs where the engine plugin is not, and travels there as a file."""

import copy
from dataclasses import dataclass

import mujoco
import numpy as np

from mujocable.errors import BadValue
from mujocable.gym.task import Task
from mujocable.spec.cable import Cable
from mujocable.warp.describe import cables_of, strip

GOALS = 4096  # drawn in advance; chosen: about as many as there are worlds


@dataclass(frozen=True)
class Portable:
  """A task on a model without the plugin, its cables, and goals to draw from; can be pickled.

  `task` observes, rewards and commands as ever; it has no engine to simulate with.
  """

  task: Task  # on the model without the plugin
  cables: dict[str, Cable]  # by name
  goals: np.ndarray  # (GOALS, goal_size)

  @property
  def model(self) -> mujoco.MjModel:
    """Without the plugin."""
    return self.task.model


def portable(task: Task, seed: int = 0) -> Portable:
  """Takes the cables out of the task's model; `seed` is of its goals.

  The task must have been given an MjSpec (those of this package are).
  """
  if not isinstance(task, Task):
    raise BadValue(f"portable(task): task must be a Task of mujocable.gym, got {task!r}")
  if task.spec is None:
    raise BadValue(
      f"portable(task): {type(task).__name__} was given an MjModel; give Task.__init__ an MjSpec,"
      " from which the cables can be taken"
    )
  random = np.random.default_rng(seed)
  goals = np.stack([task.draw_goal(random) for _ in range(GOALS)])
  bare = copy.copy(task)
  bare.model, bare.spec = strip(task.spec).compile(), None
  return Portable(bare, cables_of(task.spec), goals)
