"""Gymnasium environments of robots with cables. Importing this room registers them.

`gymnasium.make("mujocable.gym:mujocable/FingerFlex-v0")` imports it by itself; `gymnasium.make_vec`
steps many at once through `mujoco.batch`.
"""

try:
  import gymnasium
except ImportError as error:
  message = f'{error}; the environments need one more package: pip install "mujocable[gym]"'
  raise ImportError(message) from None

from mujocable.gym.batch import BatchEnv
from mujocable.gym.env import CableEnv
from mujocable.gym.finger_flex import FingerFlex
from mujocable.gym.spiral_reach import SpiralReach
from mujocable.gym.task import Seen, Task

__all__ = ["BatchEnv", "CableEnv", "FingerFlex", "Seen", "SpiralReach", "TASKS", "Task"]

TASKS = {"mujocable/SpiralReach-v0": SpiralReach, "mujocable/FingerFlex-v0": FingerFlex}


def _register(name: str, task: type[Task]) -> None:
  def single(render_mode: str | None = None, **changes) -> CableEnv:
    return CableEnv(task(**changes), render_mode)

  def batch(num_envs: int = 1, nthread: int = 0, render_mode: str | None = None, **changes):
    return BatchEnv(task(**changes), num_envs, nthread, render_mode)

  if name not in gymnasium.registry:
    gymnasium.register(id=name, entry_point=single, vector_entry_point=batch)


for _name, _task in TASKS.items():
  _register(_name, _task)
