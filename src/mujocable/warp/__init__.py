"""The same cables in MuJoCo Warp: thousands of worlds on a GPU.

  import mujocable.warp as mjcw

  m = mjcw.put_model(model)
  d = mjcw.put_data(model, data, nworld=4096)
  mujoco_warp.step(m, d)  # cables included

Needs the extra `warp`: pip install "mujocable[warp]".
"""

from mujocable.warp.connect import (
  attach,
  cables,
  get_data_into,
  put_data,
  put_model,
  reset,
)
from mujocable.warp.describe import cables_of, strip
from mujocable.warp.state import PARAMETERS, RESULTS
from mujocable.warp.worlds import CableWorlds

__all__ = [
  "PARAMETERS",
  "RESULTS",
  "CableWorlds",
  "attach",
  "cables",
  "cables_of",
  "get_data_into",
  "put_data",
  "put_model",
  "reset",
  "strip",
]
