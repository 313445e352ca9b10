"""Learning in thousands of worlds: the tasks of `mujocable.gym` on MuJoCo Warp.

  from mujocable.gym import SpiralReach
  from mujocable.learn import WorldsEnv

  env = WorldsEnv(SpiralReach(), num_envs=4096)  # on the GPU, if there is one
  observations, infos = env.reset(seed=1)  # torch tensors on that device
  observations, rewards, terminated, truncated, infos = env.step(actions)

Needs the extra `learn`: pip install "mujocable[learn]". `mujocable.learn.rsl` connects rsl-rl,
`mujocable.learn.mjlab` registers the tasks with mjlab (extra `mjlab`).
"""

from mujocable.errors import pip_install

try:
  import gymnasium  # noqa: F401
  import mujoco_warp  # noqa: F401
except ImportError as error:
  message = f"{error}; learning needs more packages: {pip_install('learn')}"
  raise ImportError(message) from None

from mujocable.learn.portable import Portable, portable
from mujocable.learn.worlds_env import WorldsEnv

__all__ = ["Portable", "WorldsEnv", "portable"]
