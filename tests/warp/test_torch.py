"""Arrays of many worlds as tensors of torch."""

import mujoco_warp as mjw
import numpy as np
import pytest
import torch
from warp_rigs import rigs

import mujocable.warp as mjcw


def test_tensors_share_the_memory():
  model = rigs.arm().compile()
  m, d = mjcw.put_model(model), mjcw.put_data(model, nworld=2)
  cables = mjcw.cables(d)
  friction = cables.torch("friction", "tendon")
  friction[1] = torch.linspace(0.1, 0.6, 6)
  assert cables.array("friction").numpy()[1] == pytest.approx(np.linspace(0.1, 0.6, 6))
  tension = cables.torch("tension")
  rigs.write(d.ctrl, 0.01)
  for _ in range(3):
    mjw.step(m, d)
  assert tension.max() > 0 and np.array_equal(tension.cpu(), cables.array("tension").numpy())
