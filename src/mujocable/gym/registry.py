"""Registry: the names that gymnasium.make and make_vec know, and what they make."""

import gymnasium

from mujocable.gym.batch import BatchEnv
from mujocable.gym.env import CableEnv
from mujocable.gym.finger_flex import FingerFlex
from mujocable.gym.spiral_reach import SpiralReach
from mujocable.gym.task import Task

TASKS: dict[str, type[Task]] = {
  "mujocable/SpiralReach-v0": SpiralReach,
  "mujocable/FingerFlex-v0": FingerFlex,
}


def register() -> None:
  """Makes the environments known to Gymnasium; more than once does no harm."""
  for name in TASKS:
    if name not in gymnasium.registry:
      # named, not given: a specification can then be written to a file and read back
      gymnasium.register(
        id=name,
        entry_point=f"{__name__}:make",
        vector_entry_point=f"{__name__}:make_batch",
        kwargs={"task": name},
      )


def make(task: str, render_mode: str | None = None, **changes) -> CableEnv:
  """One robot; `changes` are the arguments of its task."""
  return CableEnv(TASKS[task](**changes), render_mode)


def make_batch(
  task: str, num_envs: int = 1, nthread: int = 0, render_mode: str | None = None, **changes
) -> BatchEnv:
  """`num_envs` robots on `nthread` threads; `changes` are the arguments of their task."""
  return BatchEnv(TASKS[task](**changes), num_envs, nthread, render_mode)
