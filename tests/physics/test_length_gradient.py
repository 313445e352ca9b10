"""(5): c.jacobian is dL/dq in the tangent space. Judge: central differences of c.length.

Tolerance 1e-7 relative (theory section 9). With step 1e-5 the truncation error of a central
difference is about 1e-10 L''' and round-off 1e-11, both well below.
"""

import mujoco
import numpy as np
import pytest
from oracles import articulated, build

STEP = 1e-5


def numeric_gradient(s):
  pose = s.data.qpos.copy()
  gradient = np.zeros(s.model.nv)
  for k in range(s.model.nv):
    lengths = []
    for sign in (1, -1):
      s.data.qpos[:] = pose
      nudge = np.zeros(s.model.nv)
      nudge[k] = sign
      mujoco.mj_integratePos(s.model, s.data.qpos, nudge, STEP)
      mujoco.mj_forward(s.model, s.data)
      assert build.is_valid(s.view)
      lengths.append(s.view.length)
    gradient[k] = (lengths[0] - lengths[1]) / (2 * STEP)
  s.data.qpos[:] = pose
  mujoco.mj_forward(s.model, s.data)
  return gradient


@pytest.mark.parametrize("spans", [(0,), (1,), (1, 1), (2,), (3, 1), (0, 2, 0)], ids=str)
@pytest.mark.parametrize("seed", range(5))
def test_jacobian_is_the_derivative_of_length(seed, spans):
  s = articulated.scene([seed, len(spans), sum(spans)], spans=spans)
  rng = np.random.default_rng(seed)
  for _ in range(2):
    articulated.shake(s, rng)
    assert build.is_valid(s.view)
    gradient = numeric_gradient(s)
    scale = np.abs(gradient).max()
    assert scale > 0
    assert np.abs(s.view.jacobian - gradient).max() < 1e-7 * max(1.0, scale)


def test_most_wraps_of_the_scenes_are_touched():
  """Guards the tests above: scenes whose wraps are all lifted would prove little."""
  touched = []
  for spans in ((1,), (1, 1), (2,), (3, 1)):
    for seed in range(5):
      s = articulated.scene([seed, len(spans), sum(spans)], spans=spans)
      touched.append(np.asarray(s.view.touching, bool))
  assert np.mean(np.concatenate(touched)) > 0.8
