"""Saved as MJCF and loaded again, a model with cables moves with the same bits.

MuJoCo prints six digits or so, hence the comparison of two loaded models: what was printed once is
printed and read the same again.
"""

import mujoco
import numpy as np
from oracles import workshop


def test_saved_and_loaded_models_move_alike():
  spec = workshop.spec_of()
  spec.compile()
  loaded = mujoco.MjSpec.from_string(spec.to_xml())
  first = loaded.compile()
  second = mujoco.MjModel.from_xml_string(loaded.to_xml())
  ends = []
  for model in (first, second):
    data = mujoco.MjData(model)
    workshop.run(model, data, 0, 100)
    ends.append(data.qpos.copy())
  assert np.array_equal(*ends)
  assert first.nplugin == second.nplugin == 5
