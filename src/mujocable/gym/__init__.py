"""Gymnasium environments of robots with cables. Importing this room registers them.

`gymnasium.make("mujocable.gym:mujocable/FingerFlex-v0")` imports it by itself; `gymnasium.make_vec`
steps many at once through `mujoco.batch`.
"""

from mujocable.errors import pip_install

try:
  import gymnasium  # noqa: F401
except ImportError as error:
  message = f"{error}; the environments need one more package: {pip_install('gym')}"
  raise ImportError(message) from None

from mujocable.gym.batch import BatchEnv
from mujocable.gym.env import CableEnv
from mujocable.gym.finger_flex import FingerFlex
from mujocable.gym.registry import TASKS, register
from mujocable.gym.spiral_reach import SpiralReach
from mujocable.gym.task import Seen, Task

__all__ = ["BatchEnv", "CableEnv", "FingerFlex", "Seen", "SpiralReach", "TASKS", "Task"]

register()
