"""(6): the length rate is G.v and the time derivative of the length along the motion.

The public code took it at the wrong reference point and was 7 to 106 % off when a center of mass
lies off the body's origin; every body here has it so. Tolerances: 1e-12 relative for the identity
(theory section 9, both sides are sums of the same size), 1e-7 for central differences.
"""

import mujoco
import numpy as np
import pytest
from oracles import articulated, build


@pytest.mark.parametrize("spans", [(0,), (1, 1), (3,), (2, 0, 1)], ids=str)
@pytest.mark.parametrize("seed", range(6))
def test_rate_is_gradient_times_velocity(seed, spans):
  s = articulated.scene([seed, 7, *spans], spans=spans)
  rng = np.random.default_rng(seed)
  for _ in range(3):
    articulated.shake(s, rng)
    assert build.is_valid(s.view)
    terms = np.abs(s.view.jacobian * s.data.qvel).sum()
    assert abs(s.view.length_rate - s.view.jacobian @ s.data.qvel) < 1e-12 * max(1.0, terms)


@pytest.mark.parametrize("seed", range(6))
def test_rate_is_the_time_derivative_of_length(seed):
  s = articulated.scene([seed, 8], spans=(1, 2))
  articulated.shake(s, np.random.default_rng(seed))
  pose, rate = s.data.qpos.copy(), s.view.length_rate
  lengths = []
  for h in (1e-5, -1e-5):
    s.data.qpos[:] = pose
    mujoco.mj_integratePos(s.model, s.data.qpos, s.data.qvel, h)
    mujoco.mj_forward(s.model, s.data)
    lengths.append(s.view.length)
  assert rate == pytest.approx((lengths[0] - lengths[1]) / 2e-5, rel=1e-7, abs=1e-7)
