"""Gymnasium environments of robots with cables.

`import gymnasium, mujocable`, in any order, then `gymnasium.make("mujocable/FingerFlex-v0")`;
`gymnasium.make_vec` steps many at once through `mujoco.batch`.
"""

from mujocable.errors import pip_install

try:
  import gymnasium  # noqa: F401
except ImportError as error:
  message = f"{error}; the environments need one more package: {pip_install('gym')}"
  raise ImportError(message) from None

from mujocable.gym.baseline import Policy, late_error, train
from mujocable.gym.batch import BatchEnv
from mujocable.gym.env import CableEnv
from mujocable.gym.finger_flex import FingerFlex
from mujocable.gym.registry import TASKS
from mujocable.gym.spiral_reach import SpiralReach
from mujocable.gym.task import Seen, Task, arrays_of
from mujocable.runtime.environments import register

__all__ = [
  "BatchEnv",
  "CableEnv",
  "FingerFlex",
  "Policy",
  "Seen",
  "SpiralReach",
  "TASKS",
  "Task",
  "arrays_of",
  "late_error",
  "train",
]

register()
