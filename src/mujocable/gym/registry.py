"""Registry: what the names that gymnasium.make and make_vec know stand for."""

from mujocable.gym.batch import BatchEnv
from mujocable.gym.env import CableEnv
from mujocable.gym.finger_flex import FingerFlex
from mujocable.gym.spiral_reach import SpiralReach
from mujocable.gym.task import Task

TASKS: dict[str, type[Task]] = {
  "mujocable/SpiralReach-v0": SpiralReach,
  "mujocable/FingerFlex-v0": FingerFlex,
}


def make(task: str, render_mode: str | None = None, **changes) -> CableEnv:
  """One robot; `changes` are the arguments of its task."""
  return CableEnv(TASKS[task](**changes), render_mode)


def make_batch(
  task: str, num_envs: int = 1, nthread: int = 0, render_mode: str | None = None, **changes
) -> BatchEnv:
  """`num_envs` robots on `nthread` threads; `changes` are the arguments of their task."""
  return BatchEnv(TASKS[task](**changes), num_envs, nthread, render_mode)
