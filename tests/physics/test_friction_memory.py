"""Friction with memory: a cable holds, slides on the Coulomb cone, reverses and never gives energy.

Judges: closed forms of statics and of the Capstan equation, conservation of energy, the same route
written backward, and an elastic string as a continuum.
"""

import itertools

import mujoco
import numpy as np
import pytest
from oracles import solids, string

import mujocable as mjc

G = 9.81
ASIDE = [0.5**0.5, 0, 0.5**0.5, 0]  # z to x
INTEGRATORS = ["Euler", "implicit", "implicitfast", "discrete"]


def weights(
  contact,
  right,
  left=1.0,
  timestep=2e-3,
  integrator="Euler",
  friction=0.3,
  damping=40.0,
  free=None,
  brake="",
  turned=False,
):
  """Two weights on one cable over a contact.

  `free`: inertia of the wheel that it turns; `brake`: "equality", or its friction [N m].
  """
  loss = f'frictionloss="{brake}"' if brake not in ("", "equality") else ""
  wheel = f'<joint name="wheel" axis="0 1 0" armature="{free}" {loss}/>' if free else ""
  lock = '<equality><joint joint1="wheel"/></equality>' if brake == "equality" else ""
  spec = mujoco.MjSpec.from_string(f"""
    <mujoco><option timestep="{timestep}" integrator="{integrator}"/><worldbody>
      <site name="over" pos="0 0 1.3"/> <site name="eye" pos="0 0 1.1"/>
      <site name="rim" pos="0 0 1.08"/> <site name="ring" pos="0 0 1.1" euler="0 90 0"/>
      <body name="hub" pos="0 0 1">{wheel}
        <geom name="post" type="cylinder" size=".1 .05" euler="90 0 0" mass="1e-9"/>
        <geom name="ball" type="sphere" size=".1" mass="1e-9"/></body>
      <body name="a" pos="-.1 0 .2"><joint type="slide" axis="0 0 1"/>
        <geom size=".03" mass="{left}"/><site name="left"/></body>
      <body name="b" pos=".1 0 .2"><joint type="slide" axis="0 0 1"/>
        <geom size=".03" mass="{right}"/><site name="right"/></body>
    </worldbody>{lock}</mujoco>""")
  if isinstance(contact, mjc.Wrap) and contact.geom == "facets":
    points, faces = solids.torus(0.06, 0.03, 40, 24)
    spec.add_mesh(name="facets", uservert=points.ravel(), userface=faces.ravel())
    kind = mujoco.mjtGeom.mjGEOM_MESH
    spec.worldbody.add_geom(
      name="facets", type=kind, meshname="facets", pos=[0, 0, 1.1], quat=ASIDE
    )
  route = [mjc.Anchor("left"), contact, mjc.Anchor("right")]
  if turned:
    route = route[::-1]
  cable = mjc.Cable(
    "cable",
    route,
    mjc.Axial(stiffness=2e4, damping=damping, pretension=G * left),
    friction=friction,
  )
  mjc.add_cable(spec, cable)
  model = spec.compile()
  data = mujoco.MjData(model)
  return model, data, mjc.bind(model, data)["cable"]


def run(model, data, seconds):
  for _ in range(round(seconds / model.opt.timestep)):
    mujoco.mj_step(model, data)


CONTACTS = {
  "post": mjc.Wrap("post", side="over"),
  "one turn": mjc.Wrap("post", side="over", turns=1),
  "three turns": mjc.Wrap("post", side="over", turns=3),
  "sphere": mjc.Wrap("ball", side="over"),
  "eyelet": mjc.Eyelet("eye"),
  "ring": mjc.Ring("ring", radius=0.06, tube=0.03),
  "mesh": mjc.Wrap("facets", side="rim"),
}
STEPS = [5e-4, 2e-3, 1e-2]


def directions(data, view):
  """Unit vectors from each weight along its piece of cable."""
  touch = np.array([view.entry[0], view.exit[0]])
  line = touch - [data.site("left").xpos, data.site("right").xpos]
  return line / np.linalg.norm(line, axis=1)[:, None]


def cone(data, view, contact, friction):
  """Largest ratio of the tensions: of the angle between the two pieces, and of full turns."""
  up = directions(data, view)
  turn = np.pi - np.arccos(np.clip(up[0] @ up[1], -1, 1)) + 2 * np.pi * getattr(contact, "turns", 0)
  return np.exp(friction * turn)


@pytest.mark.parametrize("contact", CONTACTS)
@pytest.mark.parametrize("timestep", STEPS)
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_what_is_inside_the_cone_holds_for_ever(contact, timestep, integrator):
  """A load of nine tenths of what the cone allows."""
  friction = 0.3 if "turn" not in contact else 0.05
  turns = getattr(CONTACTS[contact], "turns", 0)
  # seen from the weights the pieces of cable lean by up to 0.1 in 0.8 m
  right = 0.9 * np.exp(friction * (np.pi * (1 + 2 * turns) - 0.25))
  model, data, view = weights(
    CONTACTS[contact], right, timestep=timestep, integrator=integrator, friction=friction
  )
  run(model, data, 3.0)
  before = data.qpos.copy()
  run(model, data, 1.0)
  assert np.abs(data.qpos - before).max() < 1e-9
  want = G * np.array([1, right]) / directions(data, view)[:, 2]
  assert np.asarray(view.tension) == pytest.approx(want, rel=1e-6)
  assert np.all(view.stuck) and np.abs(view.slip).max() < 1e-15  # rounding


@pytest.mark.parametrize("contact", CONTACTS)
@pytest.mark.parametrize("timestep", STEPS)
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_what_is_outside_slides_as_capstan_says(contact, timestep, integrator):
  """A load a twentieth beyond the cone, and one far beyond."""
  friction = 0.1 if "turn" not in contact else 0.04
  element = CONTACTS[contact]
  for over in (1.05, 1.6):
    model, data, view = weights(
      element, 1.0, timestep=timestep, integrator=integrator, friction=friction
    )
    mujoco.mj_forward(model, data)
    right = over * cone(data, view, element, friction)
    model, data, view = weights(
      element, right, timestep=timestep, integrator=integrator, friction=friction
    )
    run(model, data, 0.3)
    speed = data.qvel[1]
    run(model, data, 0.05)
    ratio = cone(data, view, element, friction)
    assert view.tension[1] / view.tension[0] == pytest.approx(ratio, rel=1e-6)
    up = directions(data, view)[:, 2]
    # both pieces at these leans: T up_0 - g = a_0, T ratio up_1 / m - g = a_1, up_0 a_0 = -up_1 a_1
    tension = G * (up[0] + up[1]) / (up[0] ** 2 + ratio * up[1] ** 2 / right)
    expected = tension * ratio * up[1] / right - G
    # the cable is stretched by 1e-3 of its length, and by no more
    assert (data.qvel[1] - speed) / 0.05 == pytest.approx(expected, rel=5e-3, abs=2e-3 * G)
    assert view.stuck[0] == 0 and view.cone[0] == pytest.approx(1.0)


@pytest.mark.parametrize("timestep", STEPS)
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_brake_holds_and_lets_go(timestep, integrator):
  """A sheave that an equality holds is a post; set free it is an ideal sheave."""
  model, data, view = weights(
    CONTACTS["post"], 1.5, timestep=timestep, integrator=integrator, free=1e-3, brake="equality"
  )
  run(model, data, 3.0)
  before = data.qpos.copy()
  run(model, data, 1.0)
  assert np.abs(data.qpos - before).max() < 1e-9
  assert view.tension[1] / view.tension[0] == pytest.approx(1.5, rel=1e-6)
  assert np.all(view.stuck)
  data.eq_active[0] = 0
  run(model, data, 0.1)
  speed = data.qvel.copy()
  run(model, data, 0.2)
  expected = -0.5 * G / (2.5 + 1e-3 / 0.01)
  assert (data.qvel[2] - speed[2]) / 0.2 == pytest.approx(expected, rel=2e-3)
  assert np.all(view.stuck)


@pytest.mark.parametrize("timestep", STEPS)
def test_a_brake_that_rubs_creeps_by_itself_alone(timestep):
  """MuJoCo's dry friction gives way a little; the cable on the wheel adds nothing to it."""
  model, data, view = weights(CONTACTS["post"], 1.5, timestep=timestep, free=1e-3, brake="2")
  run(model, data, 3.0)
  # the same wheel under the torque of the weights alone
  twin = mujoco.MjModel.from_xml_string(f"""
    <mujoco><option timestep="{timestep}"/><worldbody><body>
      <joint axis="0 1 0" armature="1e-3" frictionloss="2"/>
      <geom type="cylinder" size=".1 .05" mass="1e-9"/></body></worldbody></mujoco>""")
  alone = mujoco.MjData(twin)
  alone.qfrc_applied[0] = 0.5 * G * 0.1
  run(twin, alone, 3.0)
  assert data.qvel[0] == pytest.approx(alone.qvel[0], rel=1e-6, abs=1e-9)
  assert data.qvel[2] == pytest.approx(-0.1 * data.qvel[0], rel=1e-3)  # the stretch, carried
  # like a belt on a pulley it creeps by the difference of the strains
  creep = abs(data.qvel[2]) * 0.5 * G / (2e4 * view.length)
  assert 0 < abs(view.slip_rate[0]) < creep


@pytest.mark.parametrize("inertia", [1e-3, 1e-5, 1e-8])
@pytest.mark.parametrize("timestep", [5e-4, 2e-3, 1e-2])
def test_a_free_sheave_turns_with_the_cable(inertia, timestep):
  """Closed form of the ideal sheave; the rim and the cable go together."""
  model, data, view = weights(CONTACTS["post"], 1.5, timestep=timestep, free=inertia)
  run(model, data, 0.2)
  speed = data.qvel.copy()
  run(model, data, 0.2)
  gained = (data.qvel - speed) / 0.2
  mass = 2.5 + inertia / 0.01
  assert gained[2] == pytest.approx(-0.5 * G / mass, rel=2e-3)
  assert abs(data.qvel[0] * 0.1) == pytest.approx(abs(data.qvel[2]), rel=5e-3)
  assert np.all(view.stuck)
  assert np.abs(view.slip_total[0]) < 1e-3


@pytest.mark.parametrize("friction", [0.0, 0.15])
def test_a_row_of_ten_guides(friction):
  """Pulled through and let out again: the product of all factors, both ways."""
  angle = 0.3
  points = [np.zeros(3)]
  for i in range(11):
    points.append(points[-1] + 0.08 * np.array([np.cos(i * angle), 0, np.sin(i * angle)]))
  sites = "".join(f'<site name="g{i}" pos="{p[0]} {p[1]} {p[2]}"/>' for i, p in enumerate(points))
  spec = mujoco.MjSpec.from_string(f"<mujoco><worldbody>{sites}</worldbody></mujoco>")
  route = [mjc.Anchor("g0"), *(mjc.Eyelet(f"g{i}") for i in range(1, 11)), mjc.Anchor("g11")]
  take_up = mjc.LengthCommand(range=(-1.0, 1.0))
  cable = mjc.Cable(
    "cable", route, mjc.Axial(EA=2e4, pretension=5.0), friction=friction, take_up=take_up
  )
  mjc.add_cable(spec, cable)
  model = spec.compile()
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)["cable"]
  product = np.exp(friction * 10 * angle)
  for target, expected in ((8e-3, product), (4e-3, 1 / product), (9e-3, product)):
    start = data.ctrl[0]
    for k in range(200):
      data.ctrl[0] = start + (target - start) * (k + 1) / 200
      mujoco.mj_step(model, data)
      assert np.asarray(view.dissipation).min() >= 0
    assert view.tension[0] / view.tension[-1] == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("contact", ["post", "eyelet"])
def test_the_route_backward_is_the_same_cable(contact):
  results = []
  for turned in (False, True):
    model, data, view = weights(CONTACTS[contact], 1.9, friction=0.2, turned=turned)
    path = []
    for _ in range(250):
      mujoco.mj_step(model, data)
      path.append(np.r_[data.qpos, np.asarray(view.tension)[:: -1 if turned else 1]])
    results.append(np.array(path))
  assert np.abs(results[0] - results[1]).max() < 1e-9 * np.abs(results[0]).max()


def bend(timestep, speed, friction=0.2):
  """A cable around a fixed post, held by a spring at its far end and drawn by its length."""
  spring = -2.0 / 2e4  # in balance with the pretension where the body stands
  spec = mujoco.MjSpec.from_string(f"""
    <mujoco><option timestep="{timestep}" gravity="0 0 0" integrator="implicitfast"/><worldbody>
      <site name="motor" pos="-.03 0 -.1"/> <site name="over" pos="0 0 .2"/>
      <geom name="post" type="cylinder" size=".03 .05" euler="90 0 0"/>
      <body pos=".03 0 -.1"><joint type="slide" axis="0 0 1" stiffness="2e4" damping="50"
          springref="{spring}"/>
        <geom size=".01" mass="1"/><site name="end"/></body>
    </worldbody></mujoco>""")
  route = [mjc.Anchor("motor"), mjc.Wrap("post", side="over"), mjc.Anchor("end")]
  cable = mjc.Cable(
    "cable",
    route,
    mjc.Axial(EA=2000.0, damping=0.5, pretension=2.0),
    friction=friction,
    take_up=mjc.LengthCommand(range=(-1.0, 1.0)),
  )
  mjc.add_cable(spec, cable)
  model = spec.compile()
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)["cable"]
  mujoco.mj_forward(model, data)
  # in and out again, then a partial reversal inside that loop, and on
  rows, at = [], 0.0
  for target in (0.005, 0.003, 0.004, 0.003, 0.001, 0.005):
    while abs(target - at) > 1e-12:
      at += np.clip(target - at, -speed * timestep, speed * timestep)
      data.ctrl[0] = at
      mujoco.mj_step(model, data)
      rows.append((at, view.tension[0], view.tension[1]))
  return np.array(rows), view


def test_loops_are_those_of_a_string():
  """Three speeds, three steps: one loop, that of the string; partial reversals return into it."""
  judge = string.Bend(rigidity=2000.0, spans=(0.1, 0.1), radius=0.03, friction=0.2, spring=2e4)
  judge.start(2.0)
  targets = (0.005, 0.003, 0.004, 0.003, 0.001, 0.005)
  expected = judge.drive(targets, 2.5e-5)
  reach = expected[:, 1].max()
  for timestep, speed in ((5e-4, 0.005), (2e-3, 0.005), (2e-3, 0.002), (5e-3, 0.003)):
    rows, _ = bend(timestep, speed)
    # compare along the way, by the length of the way
    way = np.cumsum(np.abs(np.diff(rows[:, 0], prepend=0.0)))
    want = np.cumsum(np.abs(np.diff(expected[:, 0], prepend=0.0)))
    for column in (1, 2):
      difference = np.interp(want, way, rows[:, column]) - expected[:, column]
      assert np.abs(difference).max() < 0.01 * reach, (timestep, speed, column)


def test_paying_out_never_pulls():
  """While cable is paid out the far tension stays and then falls; it never rises above the turn."""
  rows, _ = bend(2e-3, 0.01)
  turn = None
  for (before, *_), (at, _, far) in itertools.pairwise(rows):
    turn = None if at >= before else far if turn is None else turn
    # the end swings by the acceleration of the turn: 0.01 m/s on 1 kg and 27 kN/m, 1.6 N
    assert turn is None or far < turn + 1.6


def energy_of_loop(timestep):
  """(work put in by the motor over a loop, losses reported) [J]."""
  spec = mujoco.MjSpec.from_string(f"""
    <mujoco><option timestep="{timestep}" gravity="0 0 0"/><worldbody>
      <site name="s" pos="-.3 0 0"/> <site name="e0" pos="0 0 0"/> <site name="end" pos="0 0 .3"/>
    </worldbody></mujoco>""")
  route = [mjc.Anchor("s"), mjc.Eyelet("e0"), mjc.Anchor("end")]
  cable = mjc.Cable(
    "c",
    route,
    mjc.Axial(EA=1000.0, pretension=5.0),
    friction=0.3,
    take_up=mjc.LengthCommand(range=(-1.0, 1.0)),
  )
  mjc.add_cable(spec, cable)
  model = spec.compile()
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)["c"]
  work = lost = 0.0
  steps = round(0.5 / timestep)
  before = None
  for k in range(3 * steps):
    data.ctrl[0] = 3e-3 * np.sin(2 * np.pi * k / steps)
    mujoco.mj_step(model, data)
    now = (view.tension[0], view.take_up)
    if k >= steps:  # the first loop leads into the steady one
      pull = 0.5 * (now[0] + before[0])
      # what it takes in is strained
      work += -1000.0 * np.log1p(-pull / 1000.0) * (now[1] - before[1])
      lost += float(np.sum(view.dissipation)) * timestep
    before = now
  return work, lost


def test_the_work_of_a_loop_is_its_loss():
  """Work of the motor over closed loops against what the contact reports."""
  for timestep in (4e-3, 2e-3, 1e-3):
    work, lost = energy_of_loop(timestep)
    assert work > 0
    assert lost == pytest.approx(work, rel=0.5 * timestep)  # the loss of a step is of its end


@pytest.mark.parametrize("drive", ["tension", "length"])
def test_what_happens_beyond_a_contact_that_holds_is_not_felt(drive):
  """A weight swings behind an eyelet that holds, while the other piece goes from 0.4 to 1 m.

  Were its rigidity to follow the length of the whole cable, the swing would be pumped, at twice its
  frequency to ten times its size, by nobody's work.
  """
  spec = mujoco.MjSpec.from_string("""
    <mujoco><option timestep="0.001" integrator="implicitfast"/><worldbody>
      <site name="eye" pos="0 0 1"/>
      <body mocap="true" pos="-.05 0 .3"><site name="left"/></body>
      <body pos=".05 0 .3"><joint type="slide" axis="0 0 1"/>
        <geom size=".02" mass="1"/><site name="right"/></body></worldbody></mujoco>""")
  pulls = drive == "tension"
  take_up = mjc.TensionCommand(range=None) if pulls else mjc.LengthCommand(range=None)
  route = [mjc.Anchor("left"), mjc.Eyelet("eye", friction=2.0), mjc.Anchor("right")]
  pretension = 0.0 if pulls else G
  cable = mjc.Cable("c", route, mjc.Axial(stiffness=2000.0, pretension=pretension), take_up=take_up)
  mjc.add_cable(spec, cable)
  model = spec.compile()
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)["c"]
  data.qpos[0] = -2e-3
  data.ctrl[0] = 6.0 if pulls else 0.0
  mujoco.mj_forward(model, data)
  twice = 2 * np.sqrt(2000.0 * view.length / 0.7)
  swing = []
  for _ in range(3000):
    out = 0.3 * np.sin(twice * data.time)
    data.mocap_pos[0, 2] = 0.3 - out
    data.ctrl[0] = 6.0 if pulls else -out
    mujoco.mj_step(model, data)
    swing.append(data.qpos[0])
  assert view.slip_total[0] == 0
  assert np.ptp(swing[-500:]) == pytest.approx(np.ptp(swing[:500]), rel=1e-3)


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast"])
@pytest.mark.parametrize("ratio", [0.01, 0.1, 0.5, 1.0])
def test_an_undamped_payload_keeps_its_swing(integrator, ratio):
  timestep, mass = 1e-3, 1.0
  stiffness = ratio * mass / timestep**2
  spec = mujoco.MjSpec.from_string(f"""
    <mujoco><option timestep="{timestep}" integrator="{integrator}"/><worldbody>
      <site name="top"/><body pos="0 0 -1"><joint type="slide" axis="0 0 1"/>
      <geom size=".05" mass="{mass}"/><site name="hook"/></body></worldbody></mujoco>""")
  route = [mjc.Anchor("top"), mjc.Anchor("hook")]
  mjc.add_cable(spec, mjc.Cable("c", route, mjc.Axial(stiffness=stiffness, pretension=mass * G)))
  model = spec.compile()
  data = mujoco.MjData(model)
  amplitude = 0.3 * mass * G / stiffness
  data.qpos[0] = amplitude
  swing = []
  for _ in range(1000):
    mujoco.mj_step(model, data)
    swing.append(data.qpos[0])
  late = np.array(swing[-200:])
  assert (late.max() - late.min()) / 2 == pytest.approx(amplitude, rel=0.1)


def test_a_stiff_payload_settles():
  """What is far beyond the step comes to rest instead of ringing."""
  spec = mujoco.MjSpec.from_string("""
    <mujoco><option timestep="0.01"/><worldbody>
      <site name="top"/><body pos="0 0 -1"><joint type="slide" axis="0 0 1"/>
      <geom size=".05" mass="1"/><site name="hook"/></body></worldbody></mujoco>""")
  mjc.add_cable(
    spec, mjc.Cable("c", [mjc.Anchor("top"), mjc.Anchor("hook")], mjc.Axial(stiffness=1e7))
  )
  model = spec.compile()
  data = mujoco.MjData(model)
  run(model, data, 1.0)
  assert abs(data.qvel[0]) < 1e-9
  assert data.qpos[0] == pytest.approx(-G / 1e7, rel=1e-6)


def on_a_post_moved_by_hand(right, damping):
  """Two weights over a post that has no velocity, since it is moved as mocap."""
  spec = mujoco.MjSpec.from_string(f"""
    <mujoco><option timestep="0.001"/><worldbody>
      <site name="over" pos="0 0 1.3"/>
      <body name="m" mocap="true" pos="0 0 1">
        <geom name="post" type="cylinder" size=".1 .05" euler="90 0 0"/></body>
      <body pos="-.1 0 .2"><joint type="slide" axis="0 0 1" damping="{damping}"/>
        <geom size=".03" mass="1"/><site name="left"/></body>
      <body pos=".1 0 .2"><joint type="slide" axis="0 0 1" damping="{damping}"/>
        <geom size=".03" mass="{right}"/><site name="right"/></body>
    </worldbody></mujoco>""")
  route = [mjc.Anchor("left"), mjc.Wrap("post", side="over"), mjc.Anchor("right")]
  cable = mjc.Cable("c", route, mjc.Axial(stiffness=2e4, damping=40.0, pretension=G), friction=0.3)
  mjc.add_cable(spec, cable)
  model = spec.compile()
  data = mujoco.MjData(model)
  return model, data, mjc.bind(model, data)["c"]


def test_vibration_moves_no_material():
  """A post that shakes under a stuck cable lets nothing through, and all stands where it stood."""
  model, data, view = on_a_post_moved_by_hand(1.5, 5)
  run(model, data, 3.0)
  start, moved = data.qpos.copy(), float(view.slip_total[0])
  for k in range(5000):
    half = 5e-6 * np.sin(0.9 * k)
    data.mocap_quat[0] = [np.cos(half), 0, np.sin(half), 0]
    mujoco.mj_step(model, data)
  data.mocap_quat[0] = [1, 0, 0, 0]
  run(model, data, 3.0)
  assert abs(view.slip_total[0] - moved) < 1e-12
  assert np.abs(data.qpos - start).max() < 1e-10


def test_a_post_that_is_moved_without_velocity_takes_the_cable_along():
  """A mocap post turned by hand carries the stuck cable like a wheel, and then drags."""
  model, data, _ = on_a_post_moved_by_hand(1.0, 20)
  run(model, data, 0.5)
  for k in range(2000):
    half = 0.25 * (k + 1) / 2000  # about +y: the right side goes down
    data.mocap_quat[0] = [np.cos(half), 0, np.sin(half), 0]
    mujoco.mj_step(model, data)
  run(model, data, 1.0)
  # half a radian of a rim of 0.1 m
  assert data.qpos[0] == pytest.approx(0.05, abs=2e-3)
  assert data.qpos[1] == pytest.approx(-0.05, abs=2e-3)
