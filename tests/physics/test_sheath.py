"""Bowden sheaths: constant length inside, load at both ends, friction over all that they bend.

Judges: the Capstan equation, finite differences of the length, statics, curves drawn at random, an
elastic string as a continuum, the same route written backward.
"""

import math

import mujoco
import numpy as np
import pytest
from oracles import string

import mujocable as mjc
from mujocable import errors

G = 9.81
INTEGRATORS = ["Euler", "implicit", "implicitfast", "discrete"]


def housed(sheath, exit_pose='pos=".2 .2 0" euler="-90 0 0"', turned=False, friction=0.0, mass=0.1):
  """A cable from the left through a sheath to a slider above; the exit rides on a free body."""
  spec = mujoco.MjSpec.from_string(f"""
    <mujoco><option timestep="1e-3" gravity="0 0 0" integrator="implicitfast"/><worldbody>
      <site name="source" pos="-.1 0 0"/>
      <body name="near"><joint type="free"/><geom size=".02" mass=".5"/>
        <site name="in" euler="0 90 0"/></body>
      <body name="far"><joint type="free"/><geom size=".02" mass=".5"/>
        <site name="out" {exit_pose}/></body>
      <body pos=".2 .5 0"><joint name="slide" type="slide" axis="0 1 0" damping="5"/>
        <geom size=".02" mass="{mass}"/><site name="end"/></body>
    </worldbody></mujoco>""")
  route = [mjc.Anchor("source"), sheath, mjc.Anchor("end")]
  if turned:
    route = route[::-1]
  axial = mjc.Axial(stiffness=1e4, damping=5.0)
  mjc.add_cable(
    spec,
    mjc.Cable("c", route, axial, friction=friction, take_up=mjc.TensionCommand((0.0, 100.0))),
  )
  model = spec.compile()
  data = mujoco.MjData(model)
  return model, data, mjc.bind(model, data)["c"]


def quarter(**more):
  return mjc.Sheath("in", "out", length=0.1 * math.pi, **more)


@pytest.mark.parametrize(("mu", "bend"), [(0.1, None), (0.3, None), (0.2, 0.0), (0.2, 4.0)])
def test_a_sliding_cable_loses_what_capstan_says(mu, bend):
  """A quarter of a circle bends by pi / 2; a number stands for whatever the housing does."""
  model, data, view = housed(quarter(friction=mu, bend=bend))
  data.ctrl[:] = 10.0
  mujoco.mj_step(model, data)
  turn = math.pi / 2 if bend is None else bend
  assert view.wrap_angle[0] == pytest.approx(turn, abs=1e-12)
  assert view.wrap_angle[1] == pytest.approx(0.0, abs=1e-9)
  slide = model.joint("slide").dofadr[0]
  for _ in range(40):
    for body in ("near", "far"):  # the housing's ends are held
      first = model.joint(model.body(body).jntadr[0]).dofadr[0]
      data.qvel[first : first + 6] = 0
      at = model.joint(model.body(body).jntadr[0]).qposadr[0]
      data.qpos[at : at + 7] = [0, 0, 0, 1, 0, 0, 0]
    mujoco.mj_step(model, data)
  assert data.qvel[slide] < -1e-3
  assert view.tension[2] == pytest.approx(10.0 * math.exp(-mu * turn), rel=1e-10)


def test_length_and_load_are_those_of_the_cable_outside():
  """The load is the gradient of the length; the housing adds a constant."""
  rng = np.random.default_rng(1)
  model, data, view = housed(quarter())
  for _ in range(20):
    mujoco.mj_resetData(model, data)
    data.qpos[:] += rng.normal(0, 0.01, model.nq)
    mujoco.mj_normalizeQuat(model, data.qpos)
    data.ctrl[:] = 1.0
    mujoco.mj_forward(model, data)
    sites = {name: data.site(name).xpos.copy() for name in ("source", "in", "out", "end")}
    outside = np.linalg.norm(sites["in"] - sites["source"]) + np.linalg.norm(
      sites["end"] - sites["out"]
    )
    assert view.length == pytest.approx(outside + 0.1 * math.pi, abs=1e-12)
    load, here = data.qfrc_actuator.copy(), data.qpos.copy()
    for dof in range(model.nv):
      change = []
      for sign in (1, -1):
        step = np.zeros(model.nv)
        step[dof] = sign * 1e-6
        data.qpos[:] = here
        mujoco.mj_integratePos(model, data.qpos, step, 1.0)
        mujoco.mj_forward(model, data)
        change.append(view.length)
      data.qpos[:] = here
      assert load[dof] == pytest.approx(-(change[0] - change[1]) / 2e-6, abs=1e-7)


def random_housing(rng):
  """A planar curve that bows to one side, as its angles against the chord, and its lengths."""
  n = int(rng.integers(2, 30))
  angle = np.sort(rng.uniform(-1.4, 1.4, n) * rng.uniform(0.05, 1))[::-1]
  length = rng.exponential(1.0, n)
  x, y = length @ np.cos(angle), length @ np.sin(angle)
  return angle - math.atan2(y, x), length, math.hypot(x, y)


def bend_of(exit_pose, length):
  model, data, view = housed(mjc.Sheath("in", "out", length=length), exit_pose=exit_pose)
  mujoco.mj_forward(model, data)
  return view.wrap_angle[0]


def test_no_curve_turns_less_than_the_bend_that_is_found():
  """Over curves of all shapes with the same ends and length; arcs and triangles reach it."""
  rng = np.random.default_rng(2)
  closest = math.inf
  for _ in range(60):
    angle, length, chord = random_housing(rng)
    turning = angle[0] - angle[-1]
    # the entry points along x: turn the chord back by the first angle
    scale = 0.2 / chord
    along = -angle[0]
    place = 0.2 * np.array([math.cos(along), math.sin(along)])
    leaves = angle[-1] - angle[0]
    axis = f"{math.cos(leaves)} {math.sin(leaves)} 0"
    found = bend_of(f'pos="{place[0]} {place[1]} 0" zaxis="{axis}"', scale * length.sum())
    assert found <= turning + 1e-9
    closest = min(closest, turning - found)
  assert closest < 1e-6  # curves whose ends are the steepest reach it


@pytest.mark.parametrize("excess", [1.0, 1.01, 1.2])
def test_a_housing_too_long_for_its_ends_bows_out(excess):
  """Both axes along the chord: out, over and back by acos(chord / length)."""
  found = bend_of('pos=".3 0 0" euler="0 90 0"', 0.3 * excess)
  assert found == pytest.approx(4 * math.acos(1 / excess), abs=1e-7)


def weights(right, timestep, integrator, mu=0.3, bend=math.pi, turned=False):
  """Two weights on one cable through a sheath."""
  spec = mujoco.MjSpec.from_string(f"""
    <mujoco><option timestep="{timestep}" integrator="{integrator}"/><worldbody>
      <site name="in" pos="-.1 0 1"/> <site name="out" pos=".1 0 1"/>
      <body pos="-.1 0 .2"><joint type="slide" axis="0 0 1"/>
        <geom size=".03" mass="1"/><site name="left"/></body>
      <body pos=".1 0 .2"><joint type="slide" axis="0 0 1"/>
        <geom size=".03" mass="{right}"/><site name="right"/></body>
    </worldbody></mujoco>""")
  ends = ("out", "in") if turned else ("in", "out")
  route = [mjc.Anchor("left"), mjc.Sheath(*ends, length=0.5, bend=bend), mjc.Anchor("right")]
  axial = mjc.Axial(stiffness=2e4, damping=40.0, pretension=G)
  mjc.add_cable(spec, mjc.Cable("c", route[::-1] if turned else route, axial, friction=mu))
  model = spec.compile()
  data = mujoco.MjData(model)
  return model, data, mjc.bind(model, data)["c"]


@pytest.mark.parametrize("timestep", [5e-4, 2e-3, 1e-2])
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_it_holds_what_is_inside_the_cone_and_lets_the_rest_fall(timestep, integrator):
  inside, outside = 1.5, 1.5 * math.exp(0.3 * math.pi)
  model, data, view = weights(inside, timestep, integrator)
  mujoco.mj_step(model, data, nstep=round(3 / timestep))
  before = data.qpos.copy()
  mujoco.mj_step(model, data, nstep=round(1 / timestep))
  assert np.abs(data.qpos - before).max() < 1e-9 and view.stuck[0]
  model, data, view = weights(outside, timestep, integrator)
  mujoco.mj_step(model, data, nstep=round(0.3 / timestep))
  start = data.qvel[1]
  mujoco.mj_step(model, data, nstep=round(0.3 / timestep))
  ratio = math.exp(0.3 * math.pi)
  exact = -G * (outside - ratio) / (outside + ratio)
  assert (data.qvel[1] - start) / 0.3 == pytest.approx(exact, rel=2e-3)


def test_the_route_may_be_written_backward():
  states = []
  for turned in (False, True):
    model, data, _ = weights(4.0, 1e-3, "implicitfast", turned=turned)
    mujoco.mj_step(model, data, nstep=150)
    states.append(data.qpos.copy())
  np.testing.assert_allclose(states[0], states[1], atol=1e-9)


def test_loops_are_those_of_a_string():
  """A spring behind the sheath, drawn in and out in part: the loops of a continuum."""
  spec = mujoco.MjSpec.from_string(f"""
    <mujoco><option timestep="2e-3" gravity="0 0 0" integrator="implicitfast"/><worldbody>
      <site name="motor"/> <site name="in" pos=".1 0 0"/> <site name="out" pos=".2 0 0"/>
      <body pos=".3 0 0"><joint type="slide" axis="-1 0 0" stiffness="2e4" damping="50"
          springref="{-2.0 / 2e4}"/>
        <geom size=".01" mass="1"/><site name="end"/></body>
    </worldbody></mujoco>""")
  sheath = mjc.Sheath("in", "out", length=0.12, bend=3.0)
  cable = mjc.Cable(
    "c",
    [mjc.Anchor("motor"), sheath, mjc.Anchor("end")],
    mjc.Axial(EA=2000.0, damping=0.5, pretension=2.0),
    friction=0.2,
    take_up=mjc.LengthCommand(range=(-1.0, 1.0)),
  )
  mjc.add_cable(spec, cable)
  model = spec.compile()
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)["c"]
  judge = string.Bend(2000.0, (0.1, 0.1), radius=0.04, friction=0.2, spring=2e4, angle=3.0)
  judge.start(2.0)
  expected = judge.drive((0.005, 0.003, 0.004, 0.001, 0.005), 1e-5)
  for taken, source, distal in expected:
    data.ctrl[:] = taken
    mujoco.mj_step(model, data)
    assert abs(view.tension[0] - source) < 0.01 * expected[:, 1].max()
    assert abs(view.tension[2] - distal) < 0.01 * expected[:, 1].max()


def test_ends_apart_further_than_its_length_pull_straight():
  """The length is continuous there, the load its gradient, and no step gains energy."""
  spec = mujoco.MjSpec.from_string("""
    <mujoco><option timestep="5e-4" gravity="0 0 0"/><worldbody>
      <site name="source" pos="-.1 0 0"/><site name="in"/>
      <body name="b" pos=".2 0 0"><joint type="slide" axis="1 0 0"/>
        <geom size=".02" mass="1"/><site name="out"/><site name="end" pos=".1 0 0"/></body>
    </worldbody></mujoco>""")
  sheath = mjc.Sheath("in", "out", length=0.25, bend=1.0)
  route = [mjc.Anchor("source"), sheath, mjc.Anchor("end")]
  mjc.add_cable(spec, mjc.Cable("c", route, mjc.Axial(stiffness=1e3)))
  model = spec.compile()
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)["c"]
  data.qvel[:] = 0.5
  start = 0.5 * 0.5**2
  for _ in range(2000):
    mujoco.mj_step(model, data)
    energy = 0.5 * float(data.qvel[0]) ** 2 + view.energy
    assert energy <= start * 1.01
    apart = 0.2 + float(data.qpos[0])
    assert view.overrun[0] == pytest.approx(max(0.0, apart - 0.25), abs=1e-3)
  assert data.qvel[0] < 0  # it was pulled back


@pytest.mark.parametrize(
  ("bad", "message"),
  [
    (lambda: mjc.Sheath("in", "in", length=1), "Sheath 'in': exit_site must be another site"),
    (lambda: mjc.Sheath("in", "out", length=0), "Sheath 'in': length must be"),
    (lambda: mjc.Sheath("in", "out", length=1, bend=-1), "Sheath 'in': bend must be"),
    (lambda: mjc.Sheath("in", "out", length=1, friction=-1), "Sheath 'in': friction must be"),
  ],
)
def test_bad_sheaths_are_refused(bad, message):
  with pytest.raises(errors.CableError, match=message):
    bad()


def test_a_sheath_shorter_than_the_way_is_refused():
  with pytest.raises(ValueError, match=r"cable 'c': sheath 1 'in': its ends are 0\.28\d* m apart"):
    housed(mjc.Sheath("in", "out", length=0.2))
  with pytest.raises(errors.UnknownName, match=r"sheath 1 'in' exit 'oout' is not a site"):
    housed(mjc.Sheath("in", "oout", length=1))


def test_text_tuple_and_attached_copies_are_the_same_cable():
  spec = mujoco.MjSpec.from_string("""
    <mujoco><worldbody><site name="a"/><site name="b" pos="1 0 0"/><site name="in" pos=".1 0 0"/>
      <body name="arm"><joint/><geom size=".1"/><site name="out" pos=".3 .1 0"/></body>
    </worldbody></mujoco>""")
  sheath = mjc.Sheath("in", "out", length=0.4, friction=0.2, bend=1.5)
  axial = mjc.Axial(stiffness=1e3)
  mjc.add_cable(spec, mjc.Cable("c", [mjc.Anchor("a"), sheath, mjc.Anchor("b")], axial))
  assert mjc.read_cables(spec)["c"].route[1] == sheath
  whole = mujoco.MjSpec()
  whole.worldbody.add_frame().attach_body(spec.worldbody, "x/", "")
  model = whole.compile()
  data = mujoco.MjData(model)
  mujoco.mj_forward(model, data)
  assert mjc.bind(model, data)["x/c"].touching.tolist() == [True, True]

  text = mujoco.MjSpec.from_string("""
    <mujoco><extension><plugin plugin="mujocable.cable"><instance name="c">
      <config key="route"
        value="anchor a; sheath in exit=out length=0.4 friction=0.2 bend=1.5; anchor b"/>
      <config key="stiffness" value="1000"/></instance></plugin></extension>
      <worldbody><site name="a"/><site name="b" pos="1 0 0"/><site name="in" pos=".1 0 0"/>
      <body name="arm"><joint/><geom size=".1"/><site name="out" pos=".3 .1 0"/></body>
      </worldbody>
      <sensor><plugin name="c" plugin="mujocable.cable" instance="c"/></sensor></mujoco>""")
  assert mjc.read_cables(text)["c"].route[1] == sheath
  model = text.compile()
  data = mujoco.MjData(model)
  mujoco.mj_forward(model, data)
  assert mjc.bind(model, data)["c"].wrap_angle[0] == 1.5
