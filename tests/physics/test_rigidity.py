"""EA is the rigidity of the cable at every length, with friction or without; what a spool takes in
costs what it costs."""

import itertools

import mujoco
import numpy as np
import pytest

import mujocable as mjc

EA = 4e4
RAIL = """<mujoco><option timestep="{step}" gravity="0 0 {gravity}" integrator="implicitfast"/>
  <worldbody>
    <body pos="-.1 0 .3"><joint name="spool" axis="0 1 0" armature=".05"/>
      <geom type="cylinder" size=".02 .01" mass=".01"/></body>
    <site name="motor" pos="0 0 0"/><site name="eyelet" pos="0 0 -.1"/>
    <body pos="0 0 -2"><joint name="x" type="slide" axis="0 0 -1"/><geom size=".02" mass="10"/>
      <site name="end"/></body>
  </worldbody>{more}</mujoco>"""
SERVOS = """<actuator><position joint="spool" kp="2e3" kv="20"/>
  <position joint="x" kp="1e6" kv="4e3"/></actuator>"""


def rail(axial, friction=0.0, take_up=None, gravity=-9.81, step=1e-3, more="", cables=1, **options):
  """A weight that hangs by a cable, straight through an eyelet."""
  spec = mujoco.MjSpec.from_string(RAIL.format(gravity=gravity, step=step, more=more))
  route = [mjc.Anchor("motor"), mjc.Eyelet("eyelet"), mjc.Anchor("end")]
  take_up = take_up or mjc.LengthCommand(range=(0, 1.9))
  for k in range(cables):
    mjc.add_cable(
      spec, mjc.Cable(f"c{k}", route, axial, friction=friction, take_up=take_up, **options)
    )
  model = spec.compile()
  data = mujoco.MjData(model)
  return model, data, mjc.bind(model, data)


# five cables are a bundle
@pytest.mark.parametrize("cables", [1, 5])
@pytest.mark.parametrize("friction", [0.0, 0.2])
@pytest.mark.parametrize("length", [2.0, 1.0, 0.2])
def test_a_weight_stretches_the_cable_by_its_length_over_ea(length, friction, cables):
  model, data, views = rail(mjc.Axial(EA=EA, damping=300.0), friction, cables=cables, step=5e-4)
  data.ctrl[:] = 2.0 - length
  data.qpos[1] = length - 2.0
  for _ in range(4000):
    mujoco.mj_step(model, data)
  view, weight = views["c0"], 98.1 / cables
  assert abs(data.qvel[1]) < 1e-8
  assert view.source_tension == pytest.approx(weight, rel=1e-6)
  # of a strain x the length is 1 / (1 - x) of the material
  stretch = data.qpos[1] + 2.0 - length
  assert stretch == pytest.approx(length * weight / EA / (1 - weight / EA), rel=1e-5)


@pytest.mark.parametrize("friction", [0.0, 0.2])
@pytest.mark.parametrize("length", [1.6, 0.4])
def test_it_swings_as_fast_as_its_length_says(length, friction):
  model, data, _ = rail(mjc.Axial(EA=EA), friction, step=1e-4)
  data.ctrl[0] = 2.0 - length
  sag = 98.1 * length / EA
  data.qpos[1] = length - 2.0 + 1.5 * sag
  places = []
  for _ in range(10000):
    mujoco.mj_step(model, data)
    places.append(data.qpos[1])
  middle = np.array(places) - np.mean(places)
  before = np.flatnonzero((middle[:-1] < 0) & (middle[1:] >= 0))
  rising = before - middle[before] / (middle[before + 1] - middle[before])
  period = (rising[-1] - rising[0]) / (len(rising) - 1) * 1e-4
  strain = 98.1 / EA  # the slope of the tension is EA (1 - strain)^2 over the material
  assert period == pytest.approx(2 * np.pi * np.sqrt(10 * length / EA) / (1 - strain), rel=1e-4)


@pytest.mark.parametrize("law", [{"EA": 1e3}, {"stiffness": 500.0}])
@pytest.mark.parametrize("friction", [0.0, 0.2])
def test_the_load_is_the_slope_of_the_energy(law, friction):
  """Of the spool too: what it takes in is strained, and so costs more than tension times way."""
  model, data, views = rail(
    mjc.Axial(pretension_offset=0.05, **law),
    friction,
    mjc.SpoolJoint("spool", 0.02),
    integration="explicit",
  )
  view = views["c0"]
  for angle, x in [(0.0, 0.0), (2.0, 0.1), (20.0, -0.3), (40.0, -0.7)]:
    # a new start: nothing slips
    def energy(at, angle=angle, x=x):
      mujoco.mj_resetData(model, data)
      data.qpos[:] = angle + at[0], x + at[1]
      mujoco.mj_forward(model, data)
      return view.energy

    turn, way = 1e-4, 1e-5
    slopes = np.array(
      [
        (energy((turn, 0)) - energy((-turn, 0))) / (2 * turn),
        (energy((0, way)) - energy((0, -way))) / (2 * way),
      ]
    )
    energy((0, 0))
    assert view.source_tension > 10
    # the energy is a series in the strain x, without x^7 / 42 of EA and what follows
    strain = view.stretch / view.length
    assert view.load == pytest.approx(-slopes, rel=1e-6 + 0.3 * strain**5)


@pytest.mark.parametrize("friction", [0.0, 0.2])
@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize("integration", ["auto", "explicit"])
@pytest.mark.parametrize("transition", [0.0, 0.05])
def test_a_cycle_of_spool_and_weight_gives_nothing(friction, forward, integration, transition):
  """Strained by a tenth, without any slip: no work is won, whichever way round."""
  radius, amplitude = 0.02, 0.1
  axial = mjc.Axial(EA=1e3, pretension_offset=0.05, transition=transition)
  spool = mjc.SpoolJoint("spool", radius)
  model, data, _ = rail(axial, friction, spool, gravity=0, more=SERVOS, integration=integration)
  turn = amplitude / radius
  corners = np.array([(0, 0), (turn, 0), (turn, amplitude), (0, amplitude), (0, 0)])
  if not forward:
    corners = corners[::-1]
  legs = []
  for begin, end in itertools.pairwise(corners):
    work = 0.0
    for step in range(6000):
      share = min(1.0, step / 5000)
      data.ctrl[:] = begin + share * (end - begin)
      before = data.qpos.copy()
      mujoco.mj_step(model, data)
      work += data.actuator_force @ (data.qpos - before)
    legs.append(work)
  assert max(legs) > 1
  # what is left is the damping of the servos
  assert 0 <= sum(legs) < 1e-3 * max(legs)


@pytest.mark.parametrize("friction", [0.2, mjc.Sliding(0.2)])
@pytest.mark.parametrize("stiffness", [2e4, 4e7])
def test_energy_of_a_weight_at_rest(friction, stiffness):
  """Solved with the motion or not, by either law of friction."""
  model, data, views = rail(mjc.Axial(stiffness=stiffness, damping=500.0), friction)
  for _ in range(4000):
    mujoco.mj_step(model, data)
  view = views["c0"]
  assert (view.solves > 0) == (stiffness > 1e6)
  assert view.source_tension == pytest.approx(98.1, rel=1e-6)
  assert view.energy == pytest.approx(0.5 * 98.1**2 / stiffness, rel=0.01)
