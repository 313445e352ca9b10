"""mj_inverse: a passive cable is a passive force, a commanded one an actuator force.

Judge: what inverse dynamics asks for is what the actuators did, so mj_inverse at the acceleration
of mj_forward returns qfrc_actuator, commanded cables in it and passive ones not.
"""

import mujoco
import numpy as np
import pytest
from oracles import subjects, workshop

import mujocable as mjc

EPS = 1e-6
DISCRETE = int(mujoco.mjtEnableBit.mjENBL_INVDISCRETE)


def moving(subject, integrator, explicit=False):
  model = subject.compile_explicit(integrator) if explicit else subject.compile(integrator)
  # contacts and limits solved as far as they go, so that forward and inverse agree to round-off
  model.opt.tolerance, model.opt.iterations = 0.0, 200
  data = mujoco.MjData(model)
  subject.run(model, data, 0, 120)
  mujoco.mj_forward(model, data)
  return model, data


def step_of(model, data):
  after = mujoco.MjData(model)
  mujoco.mj_copyData(after, model, data)
  mujoco.mj_step(model, after)
  return after


def close(a, b, scale):
  # sums of nv terms of this size, and a mass matrix solved once and multiplied once
  return np.abs(a - b).max() <= 1e-10 * scale


@pytest.mark.parametrize("integrator", ["euler", "implicitfast", "implicit", "rk4", "discrete"])
@pytest.mark.parametrize("subject", subjects.ALL, ids=lambda s: s.name)
def test_inverse_returns_the_commanded_cables_only(subject, integrator):
  model, data = moving(subject, integrator)
  loads = {True: np.zeros(model.nv), False: np.zeros(model.nv)}
  for view in mjc.bind(model, data).values():
    loads[view.actuator is not None] += view.load
  actuator, passive = data.qfrc_actuator.copy(), data.qfrc_passive.copy()
  scale = np.abs(actuator).max() + np.abs(data.qfrc_bias).max() + np.abs(passive).max()
  assert np.abs(loads[True]).max() > 0.1 * np.abs(actuator).max() > 0
  springs = data.qfrc_spring + data.qfrc_damper + data.qfrc_gravcomp + data.qfrc_fluid
  beyond = actuator - loads[True], passive - springs - loads[False]
  if subject.name == "tensegrity" and integrator not in ("rk4", "discrete"):
    # struts roll faster than the step resolves (24): that takes energy from where it ends
    after = step_of(model, data)
    assert 0 < np.abs(sum(beyond)).max() < 1e-2 * scale
    assert sum(beyond) @ after.qvel < 0
  else:
    assert close(beyond[0], 0, scale) and close(beyond[1], 0, scale)
  mujoco.mj_inverse(model, data)
  assert close(data.qfrc_inverse, actuator, scale)
  # of an implicit cable the tension follows from the acceleration, found once and given once
  assert close(data.qfrc_passive, passive, scale)


@pytest.mark.parametrize("integrator", ["euler", "implicitfast", "implicit", "discrete"])
@pytest.mark.parametrize("subject", subjects.ALL, ids=lambda s: s.name)
def test_discrete_inverse_takes_the_acceleration_of_a_step(subject, integrator):
  """With the flag invdiscrete the acceleration is (v' - v) / h of the step that was taken.

  Implicit cables foresee that step without the derivatives of Coriolis and gyroscopic forces, which
  implicit and implicitfast have.
  """
  model, data = moving(subject, integrator, explicit=integrator.startswith("implicit"))
  model.opt.enableflags |= DISCRETE
  state = workshop.state_of(model, data)
  mujoco.mj_step(model, data)
  after = data.qvel.copy()
  mujoco.mj_setState(model, data, state, workshop.FULL)
  mujoco.mj_forward(model, data)
  actuator = data.qfrc_actuator.copy()
  scale = np.abs(actuator).max() + np.abs(data.qfrc_bias).max() + np.abs(data.qfrc_passive).max()
  data.qacc[:] = (after - data.qvel) / model.opt.timestep
  mujoco.mj_inverse(model, data)
  assert close(data.qfrc_inverse, actuator, scale)


@pytest.mark.parametrize("subject", subjects.ALL, ids=lambda s: s.name)
@pytest.mark.parametrize("actuation", [False, True])
def test_inverse_derivatives_match_brute_force(subject, actuation):
  """mjd_inverseFD against differences of mj_inverse, the actuators' forces left in or taken out.

  Both are one-sided with the same nudge: what is left is round-off of the forces over the nudge.
  """
  # with the actuators taken out MuJoCo runs the actuation stage before it sums up, and there an
  # implicit passive cable follows the forces, not the acceleration that was given
  model, data = moving(subject, "implicitfast", explicit=actuation)
  state, qacc = workshop.state_of(model, data), data.qacc.copy()
  nv = model.nv
  by_q, by_v = np.zeros((nv, nv)), np.zeros((nv, nv))
  mujoco.mjd_inverseFD(model, data, EPS, actuation, by_q, by_v, None, None, None, None, None)

  def inverse(dq=0.0, dv=0.0):
    mujoco.mj_setState(model, data, state, workshop.FULL)
    mujoco.mj_integratePos(model, data.qpos, np.zeros(nv) + dq, 1.0)
    data.qvel[:] += dv
    data.qacc[:] = qacc
    mujoco.mj_inverse(model, data)
    if not actuation:
      return data.qfrc_inverse.copy()
    mujoco.mj_fwdActuation(model, data)
    return data.qfrc_inverse - data.qfrc_actuator

  base = inverse()
  scale = 1e-13 / EPS * (np.abs(data.qfrc_actuator).max() + np.abs(data.qfrc_bias).max())
  for k, nudge in enumerate(EPS * np.eye(nv)):
    # rows are the nudged coordinate
    assert np.abs(by_q[k] - (inverse(dq=nudge) - base) / EPS).max() <= scale
    assert np.abs(by_v[k] - (inverse(dv=nudge) - base) / EPS).max() <= scale
  assert np.abs(by_q).max() > 0


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
@pytest.mark.parametrize("joint", ["free", "slides"])
def test_inverse_knows_the_dampers_of_tendons(joint, integrator):
  """Of an implicit passive cable beside a motor, where the integrator takes them as implicit."""
  joints = "<freejoint/>"
  if joint == "slides":
    joints = '<joint type="slide" axis="0 0 1"/><joint type="slide" axis="1 0 0" damping="1"/>'
  spec = mujoco.MjSpec.from_string(f"""<mujoco><option timestep="5e-3" integrator="{integrator}"/>
    <worldbody><site name="top" pos="0 0 1"/><site name="wall" pos=".3 0 -.4"/>
      <body>{joints}<geom size=".02" mass=".1"/><site name="hook"/></body></worldbody>
    <tendon><spatial name="t" damping="20"><site site="hook"/><site site="wall"/></spatial></tendon>
    <actuator><motor tendon="t"/></actuator></mujoco>""")
  route, axial = [mjc.Anchor("top"), mjc.Anchor("hook")], mjc.Axial(stiffness=1e5, pretension=5.0)
  mjc.add_cable(spec, mjc.Cable("c", route, axial))
  model = spec.compile()
  data = mujoco.MjData(model)
  data.ctrl[0] = -3
  data.qvel[2 if joint == "free" else 0] = -0.1
  view = mjc.bind(model, data)["c"]
  mujoco.mj_forward(model, data)
  passive, actuator = data.qfrc_passive.copy(), data.qfrc_actuator.copy()
  assert view.solves > 0 and view.tension[0] > 1
  mujoco.mj_inverse(model, data)
  assert close(data.qfrc_inverse, actuator, 100)
  assert close(data.qfrc_passive, passive, 100)
