"""A cable acts on nothing but the bodies it touches: its forces and moments sum to zero.

Judge: Newton's third law on models whose bodies all float. For a free joint the load's first three
numbers are the world force, the last three the torque about the body's origin in body axes.
Tolerance 1e-12 relative to the tension (theory section 9).
"""

import mujoco
import numpy as np
import pytest
from oracles import articulated, build


def resultants(s):
  force, moment = np.zeros(3), np.zeros(3)
  for j in range(s.model.njnt):
    a = s.model.jnt_dofadr[j]
    b = s.model.jnt_bodyid[j]
    f = s.view.load[a : a + 3]
    t = s.data.xmat[b].reshape(3, 3) @ s.view.load[a + 3 : a + 6]
    force += f
    moment += np.cross(s.data.xpos[b], f) + t
  return force, moment


@pytest.mark.parametrize("mode", ["velocity", "forward", "reverse"])
@pytest.mark.parametrize("friction", [0.0, 0.4])
@pytest.mark.parametrize("spans", [(0,), (1, 1), (3,), (2, 1)], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_forces_and_moments_sum_to_zero(seed, spans, friction, mode):
  s = articulated.scene(
    [seed, 11, *spans],
    free_only=True,
    spans=spans,
    friction=friction,
    friction_law="sliding",
    friction_mode=mode,
    damping=0.5,
    pretension=60.0,
  )
  rng = np.random.default_rng(seed)
  for _ in range(3):
    articulated.shake(s, rng, size=0.004)
    assert build.is_valid(s.view)
    largest = np.max(s.view.tension)
    assert largest > 1.0
    force, moment = resultants(s)
    assert np.abs(force).max() < 1e-12 * largest
    # lever arms up to about 2 m
    assert np.abs(moment).max() < 1e-12 * largest * 3


@pytest.mark.parametrize("integrator", ["euler", "rk4"])
def test_momentum_of_a_floating_system_is_kept(integrator):
  """Linear momentum of the whole floating system over 400 steps with friction, to round-off.

  Centers of mass at the origins: elsewhere MuJoCo's own free joint keeps it to step order only.
  """
  s = articulated.scene([3, 12], free_only=True, spans=(1, 1), friction=0.3, centered=True)
  s.model.opt.gravity[:] = 0
  s.model.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
  rng = np.random.default_rng(0)
  articulated.shake(s, rng, size=0.01)

  def momentum():
    mujoco.mj_forward(s.model, s.data)
    mujoco.mj_subtreeVel(s.model, s.data)
    return s.data.subtree_linvel[0] * s.model.body_subtreemass[0]

  begin = momentum().copy()
  impulse = 0.0
  for _ in range(400):
    mujoco.mj_step(s.model, s.data)
    impulse += s.model.opt.timestep * np.max(s.view.tension)
  assert impulse > 0.1
  assert np.abs(momentum() - begin).max() < 1e-11 * max(impulse, 1.0)
