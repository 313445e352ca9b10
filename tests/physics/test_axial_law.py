"""(11): the pull-only axial law, against numpy.

A straight cable between the world and a cart on a slide: L = 1 + x exactly. Tolerance 1e-12 of the
largest term (the law is a handful of sums and products of numbers near one).
"""

import mujoco
import numpy as np
import pytest
from oracles.straight import cart, law

import mujocable as mjc

KAPPA, DAMP = 2000.0, 15.0
SWEEP = [-0.02, -1e-6, 0.0, 1e-6, 5e-5, 1e-4, 1.5e-4, 3e-3, 0.02]
RATES = [0.0, 0.3, -0.3, -4.0]


@pytest.mark.parametrize("a", [1e-4, 1e-3])
@pytest.mark.parametrize("reserve", [0.0, 2e-3])
@pytest.mark.parametrize("offset", [0.0, 5e-3])
@pytest.mark.parametrize("limit", [np.inf, 12.0])
def test_tension_follows_the_law(a, reserve, offset, limit):
  options = dict(transition=a, reserve=reserve, pretension_offset=offset)
  if np.isfinite(limit):
    options["max_tension"] = limit
  model, data, view = cart(stiffness=KAPPA, damping=DAMP, **options)
  for x in SWEEP:
    for rate in RATES:
      data.qpos[0], data.qvel[0] = x, rate
      mujoco.mj_forward(model, data)
      e = (1 + x) - (1 - offset) - reserve
      want = law(e, rate, KAPPA, DAMP, a, limit)
      assert view.length == pytest.approx(1 + x, rel=1e-14)
      assert view.rest_length == pytest.approx(1 - offset, rel=1e-14)
      assert view.stretch == pytest.approx(e, abs=1e-14)
      assert view.slack == pytest.approx(max(0.0, -e), abs=1e-14)
      assert view.source_tension == pytest.approx(want, rel=1e-12, abs=KAPPA * 4e-15)
      assert view.load[0] == pytest.approx(-want, rel=1e-12, abs=KAPPA * 4e-15)


def test_without_transition_the_law_is_a_plain_one_sided_spring():
  model, data, view = cart(stiffness=KAPPA, transition=0.0)
  for x in SWEEP:
    data.qpos[0] = x
    mujoco.mj_forward(model, data)
    assert view.source_tension == pytest.approx(KAPPA * max(0.0, x), rel=1e-12, abs=KAPPA * 4e-15)


@pytest.mark.parametrize("force", [0.5, 30.0])
@pytest.mark.parametrize("a", [0.0, 1e-3])
@pytest.mark.parametrize("reserve", [0.0, 1e-3])
def test_pretension_is_the_force_at_home(force, a, reserve):
  model, data, view = cart(stiffness=KAPPA, pretension=force, transition=a, reserve=reserve)
  assert view.source_tension == pytest.approx(force, rel=1e-11)
  # and from there the stiffness is kappa, once past the transition
  data.qpos[0] = 0.01
  mujoco.mj_forward(model, data)
  e0 = force / KAPPA + a / 2 if force / KAPPA >= a / 2 else np.sqrt(2 * a * force / KAPPA)
  assert view.source_tension == pytest.approx(law(e0 + 0.01, 0, KAPPA, 0, a), rel=1e-11)


def test_rigidity_is_divided_by_the_length():
  model, data, view = cart(EA=5000.0, transition=0.0)
  data.qpos[0] = 0.004
  mujoco.mj_forward(model, data)
  assert view.source_tension == pytest.approx(5000.0 * 0.004 / 1.004, rel=1e-12)


def test_a_given_home_length_replaces_the_routed_one():
  _, _, view = cart(stiffness=KAPPA, home_length=0.99, transition=0.0)
  assert view.rest_length == pytest.approx(0.99, rel=1e-15)
  assert view.source_tension == pytest.approx(KAPPA * 0.01, rel=1e-12)


def test_damping_acts_on_the_stretch_rate_of_a_moving_motor():
  """A winch that takes in exactly what the cart gives feels no drag: edot = Ldot + cdot = 0."""
  take_up = mjc.SpoolJoint(joint="spool", radius=0.05)
  results = {}
  for word in ("stretch", "length"):
    model, data, view = cart(
      stiffness=KAPPA,
      damping=DAMP,
      damping_rate=word,
      transition=1e-4,
      pretension_offset=4e-3,
      take_up=take_up,
      integration="explicit",  # the law at this very state, not at the end of the step
    )
    spool, x = model.joint("spool").dofadr[0], model.joint("x").dofadr[0]
    data.qvel[spool], data.qvel[x] = 4.0, -0.2
    mujoco.mj_forward(model, data)
    results[word] = view.source_tension
    # the spool feels -T r
    assert view.load[spool] == pytest.approx(-view.source_tension * 0.05, rel=1e-12)
    assert view.take_up == pytest.approx(0.0, abs=1e-15)
  assert results["stretch"] == pytest.approx(law(4e-3, 0.0, KAPPA, DAMP, 1e-4), rel=1e-12)
  assert results["length"] == pytest.approx(law(4e-3, -0.2, KAPPA, DAMP, 1e-4), rel=1e-12)


def test_an_integrated_spool_rate_counts_in_the_stretch_rate():
  model, data, view = cart(
    stiffness=KAPPA,
    damping=DAMP,
    transition=1e-4,
    pretension_offset=4e-3,
    take_up=mjc.SpoolRate(radius=0.05, range=(-10.0, 10.0)),
  )
  data.ctrl[0] = 3.0
  mujoco.mj_forward(model, data)
  assert view.source_tension == pytest.approx(law(4e-3, 0.15, KAPPA, DAMP, 1e-4), rel=1e-12)
