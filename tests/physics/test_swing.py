"""Segments that swing: light bodies between short, taut segments (24).

Judges: the closed forms of a bead on a taut string and of a bead that a string pulls in, the energy
of the bead, a second implementation of the step on random trees, MuJoCo's own tendons where the
step is short enough for them, the angular momentum of an arm that floats.
"""

import functools
import itertools

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.models import spirob

LENGTH, TENSION, STEP = 0.05, 4.0, 1e-3  # of each half of the string [m], [N], [s]
WALL = np.array([-0.01, 0, 0])  # as the free bead sees it at first [m]


def bead(mass: float, y: float, speed: float = 0.0, axis=(0, 1, 0)):
  """A bead that slides across a string between two walls, which a motor holds taut."""
  spec = mujoco.MjSpec()
  spec.option.timestep, spec.option.gravity = STEP, [0, 0, 0]
  for name, x in (("left", -LENGTH), ("right", LENGTH)):
    spec.worldbody.add_site(name=name, pos=[x, 0, 0])
  body = spec.worldbody.add_body(name="bead")
  body.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=axis)
  body.add_geom(size=[0.001, 0, 0], mass=mass, contype=0, conaffinity=0)
  body.add_site(name="hole")
  route = [mjc.Anchor("left"), mjc.Eyelet("hole"), mjc.Anchor("right")]
  mjc.add_cable(spec, mjc.Cable("string", route, take_up=mjc.TensionCommand(range=(0, 10))))
  model = spec.compile()
  data = mujoco.MjData(model)
  data.ctrl[0], data.qpos[0], data.qvel[0] = TENSION, y, speed
  return model, data


def swung(mass: float) -> float:
  """How much of its turn a step of one half of the string undoes."""
  return STEP**2 * TENSION / LENGTH / mass


@pytest.mark.parametrize("size", [0.01, 0.9, 1.1, 10.0, 1e3])
def test_one_step_of_a_bead(size):
  """v+ (1 + a F) = v - F y / h, F of both halves; a: the part that is taken at the end."""
  mass, y, v = STEP**2 * TENSION / LENGTH / size, 1e-6, 3e-4
  assert swung(mass) == pytest.approx(size)
  model, data = bead(mass, y, v)
  mujoco.mj_step(model, data)
  ahead = max(0.0, 1 - 1 / size)
  want = (v - 2 * size * y / STEP) / (1 + 2 * size * ahead)
  # a string of 0.05 m that is 1e-6 m off is straight to 4e-10
  assert data.qvel[0] == pytest.approx(want, rel=1e-8, abs=1e-15)


def test_what_the_step_resolves_keeps_its_amplitude():
  model, data = bead(STEP**2 * TENSION / LENGTH / 0.01, 1e-6)
  turns = []
  for _ in range(3000):
    mujoco.mj_step(model, data)
    turns.append(data.qpos[0])
  late, early = np.abs(turns[-400:]).max(), np.abs(turns[:400]).max()
  assert late == pytest.approx(early, rel=1e-3)


@pytest.mark.parametrize("size", [3.0, 30.0, 1e4])
def test_what_it_does_not_resolve_comes_to_rest_without_gaining_energy(size):
  model, data = bead(STEP**2 * TENSION / LENGTH / size, 0.02, speed=-1.0)
  mass = model.body("bead").mass[0]

  def energy():
    string = 2 * TENSION * np.hypot(LENGTH, data.qpos[0])
    return string + 0.5 * mass * data.qvel[0] ** 2

  before = first = energy()
  for _ in range(200):
    mujoco.mj_step(model, data)
    assert energy() <= before + 1e-12 * first
    before = energy()
  assert abs(data.qpos[0]) < 1e-9 and abs(data.qvel[0]) < 1e-6


def test_along_the_string_nothing_swings():
  """A bead that slides along it feels nothing of it, however light it is."""
  model, data = bead(1e-6, 0.0, speed=0.3, axis=(1, 0, 0))
  mujoco.mj_step(model, data, nstep=50)
  assert data.qvel[0] == pytest.approx(0.3, abs=1e-10)  # rounding of 4 N over a milligram


def pulled_in(mass: float, speed):
  """A free bead, 10 mm from a wall, and a motor that pulls it there; it is at qpos - WALL."""
  spec = mujoco.MjSpec()
  spec.option.timestep, spec.option.gravity = STEP, [0, 0, 0]
  spec.worldbody.add_site(name="wall")
  body = spec.worldbody.add_body(name="bead", pos=-WALL)
  for axis in np.eye(3):
    body.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=axis)
  body.add_geom(size=[0.001, 0, 0], mass=mass, contype=0, conaffinity=0)
  body.add_site(name="hook")
  route = [mjc.Anchor("wall"), mjc.Anchor("hook")]
  mjc.add_cable(spec, mjc.Cable("string", route, take_up=mjc.TensionCommand(range=(0, 10))))
  model = spec.compile()
  data = mujoco.MjData(model)
  data.ctrl[0], data.qvel[:] = TENSION, speed
  return model, data


@pytest.mark.parametrize("size", [3.0, 30.0, 1e3, 1e5])
@pytest.mark.parametrize("speed", [(0, 0, 0), (20, 0, 0), (0, 30, 0), (-60, 20, 10), (-900, 5, 0)])
def test_what_a_string_pulls_in_meets_its_end(size, speed):
  """The end of the step is where m |x - free|^2 / 2 h^2 + a T |x| is least: the bead comes closer
  by h^2 a T / m along a line to the wall, and no further than there."""
  mass = STEP**2 * TENSION * np.sqrt(3) / 0.01 / size  # three axes give way
  model, data = pulled_in(mass, speed)
  reach = np.hypot(0.01, STEP * np.hypot(*speed[1:]))  # beyond it nothing turns further
  ahead = max(0.0, 1 - reach / 0.01 / size)
  shift = STEP**2 * TENSION / mass
  free = STEP * np.array(speed) - WALL - [(1 - ahead) * shift, 0, 0]
  mujoco.mj_step(model, data)
  # nearer than this the tension pulls like a spring
  meeting = max(0.01, size * 0.01 / reach / 1e5) * reach
  left = np.linalg.norm(free) - ahead * shift
  want = free * left / np.linalg.norm(free)
  if left < meeting:
    want = free * meeting / (meeting + ahead * shift)
  # rounding of the pull, which alone would take it by `shift`
  assert data.qpos - WALL == pytest.approx(want, rel=1e-9, abs=1e-11 * (1 + shift))
  if left > meeting:
    return
  # what met stays within the way that it came in that step
  for _ in range(20):
    mujoco.mj_step(model, data)
    assert np.linalg.norm(data.qpos - WALL) < reach


def random_tree(rng: np.random.Generator, timestep: float):
  """Light links in a row, each on a joint of any kind, and the sites that a cable runs through."""
  spec = mujoco.MjSpec()
  spec.option.timestep, spec.option.gravity = timestep, [0, 0, 0]
  spec.option.integrator = mujoco.mjtIntegrator(rng.choice([0, 3]))  # Euler, implicitfast
  size, body, sites = 10 ** rng.uniform(-2, -0.5), spec.worldbody, ["wall"]
  spec.worldbody.add_site(name="wall", pos=rng.uniform(-0.1, 0.1, 3))
  for k in range(rng.integers(1, 5)):
    body = body.add_body(pos=rng.uniform(-1, 1, 3) * size)
    kind = ("BALL", "HINGE", "SLIDE")[rng.integers(3)]
    damping = [rng.choice([0, 1e-5]), 0, 0]
    joint = getattr(mujoco.mjtJoint, "mjJNT_" + kind)
    body.add_joint(type=joint, axis=rng.normal(size=3), damping=damping)
    box, at = np.array([0.3, 0.2, 0.1]) * size, rng.uniform(-1, 1, 3) * size
    mass = 10 ** rng.uniform(-5, -1)
    geom = body.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=box, pos=at, mass=mass)
    geom.contype = geom.conaffinity = 0
    sites.append(f"hole_{k}")
    body.add_site(name=sites[-1], pos=rng.uniform(-1, 1, 3) * size)
  route = [mjc.Anchor(sites[0]), *map(mjc.Eyelet, sites[1:-1]), mjc.Anchor(sites[-1])]
  motor = mjc.TensionCommand(range=(0, 1000))
  mjc.add_cable(spec, mjc.Cable("string", route, take_up=motor))
  return spec.compile(), sites


def swings_of(model, data, sites, tension):
  """Segments that swing: pull, vector, Jacobian, turns, where ends meet; and all of their load."""
  h, swings, load = model.opt.timestep, [], np.zeros(model.nv)
  gives = 1 / (1 / model.dof_invweight0 + h * model.dof_damping)
  for one, other in itertools.pairwise(sites):
    place, turning = np.zeros((2, 3, model.nv))
    mujoco.mj_jacSite(model, data, place, turning, data.site(other).id)
    # the joint of the body of the second site alone is between both
    between = model.dof_bodyid == model.site_bodyid[data.site(other).id]
    place, turning = place * between, turning * between
    apart = data.site(other).xpos - data.site(one).xpos
    along = apart / np.linalg.norm(apart)
    turn = np.maximum(0, along @ np.cross(turning.T, place.T).T) / np.hypot(1, h * data.qvel)
    aside = np.linalg.norm(np.cross(h * place @ data.qvel, along))
    reach = np.hypot(np.linalg.norm(apart), aside)
    swung = np.linalg.norm(place * gives @ place.T) / reach + turn @ gives
    swung *= h**2 * tension
    if swung > 1:
      meeting = max(0.01, swung / 1e5) * reach
      swings.append((tension * (1 - 1 / swung), apart, place, np.diag(turn), meeting))
    load += tension * along @ place
  return swings, load


def end_velocity(model, data, sites, tension):
  """The velocities at the end of the step, by Newton's method on the balance of forces, and how
  many segments swing: (24) written once more, with Jacobians of MuJoCo."""
  swings, load = swings_of(model, data, sites, tension)
  h, v, damping = model.opt.timestep, data.qvel.copy(), np.diag(model.dof_damping)
  inertia = np.zeros((model.nv, model.nv))
  mujoco.mj_fullM(model, data, inertia)
  inertia = inertia / h + damping
  force = -data.qfrc_bias - damping @ v - load

  def balance(x):
    rest, slope = inertia @ (x - v) - force, inertia
    for pull, apart, place, turn, meeting in swings:
      end = apart + h * place @ x
      far, before = max(np.linalg.norm(end), meeting), max(np.linalg.norm(apart), meeting)
      rest = rest + pull * (place.T @ (end / far - apart / before) + h * turn @ x)
      line = end / far * (np.linalg.norm(end) > meeting)
      across = (np.eye(3) - np.outer(line, line)) / far
      slope = slope + pull * h * (place.T @ across @ place + turn)
    return rest, slope

  x = v
  for _ in range(100):
    rest, slope = balance(x)
    step = np.linalg.solve(slope, -rest)
    low, high = 0.0, 1.0  # where the balance is along the step, if that goes too far
    for _ in range(60 if balance(x + step)[0] @ step > 0 else 0):
      middle = 0.5 * (low + high)
      beyond = balance(x + middle * step)[0] @ step > 0
      low, high = (low, middle) if beyond else (middle, high)
    x = x + high * step
  return x, len(swings)


@pytest.mark.parametrize("timestep", [2e-3, 5e-3])
def test_a_step_of_random_trees_is_that_of_a_second_implementation(timestep):
  swinging = 0
  for seed in range(60):
    rng = np.random.default_rng([seed, 24])
    model, sites = random_tree(rng, timestep)
    data = mujoco.MjData(model)
    data.qvel[:], tension = rng.normal(size=model.nv), 10 ** rng.uniform(-1, 1.5)
    mujoco.mj_forward(model, data)
    want, swings = end_velocity(model, data, sites, tension)
    data.ctrl[0] = tension
    mujoco.mj_step(model, data)
    # ends that met leave few digits
    assert data.qvel == pytest.approx(want, rel=1e-6, abs=1e-6 * np.abs(want).max()), seed
    swinging += swings > 0
  assert swinging > 15


@functools.cache
def tentacle(drive: str, timestep: float, cables: int, pull: float, damping: float = 1.0):
  spec = spirob.build(spirob.Spirob(drive=drive, cables=cables))
  spec.option.timestep = timestep
  model = spec.compile()
  model.dof_damping *= damping
  data = mujoco.MjData(model)
  for part in np.linspace(0.04, 1, 25):
    data.ctrl[0] = part * pull
    mujoco.mj_step(model, data, nstep=round(0.016 / timestep))
  mujoco.mj_step(model, data, nstep=round(2.0 / timestep))
  mujoco.mj_energyVel(model, data)
  return data.qpos.copy(), data.energy[1]


@pytest.mark.parametrize(
  ("timestep", "damping"), [(5e-4, 1.0), (2e-3, 1.0), (5e-3, 1.0), (1e-2, 1.0), (5e-3, 0.1)]
)
def test_a_tentacle_rests_where_short_steps_put_it(timestep, damping):
  """The tip of a tentacle weighs nothing: at 8 N its own step of 0.5 ms is ten times too long, and
  in one of 5 ms the tension could take its holes far past each other."""
  want, still = tentacle("native", 1e-4, 2, 8.0)
  assert still < 1e-15
  _, flutter = tentacle("native", 5e-4, 2, 8.0)
  assert flutter > 1e-5  # what an explicit direction does
  pose, energy = tentacle("tension", timestep, 2, 8.0, damping)
  assert energy < 1e-15
  assert pose == pytest.approx(want, abs=1e-6)


def floating(tension: float):
  """Two links that float and spin, the joint between them far too light for the step."""
  spec = mujoco.MjSpec()
  spec.option.timestep, spec.option.gravity = STEP, [0, 0, 0]
  spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
  base = spec.worldbody.add_body(name="base")
  base.add_freejoint()
  base.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.1, 0.02, 0.02], mass=0.5, contype=0)
  base.add_site(name="low", pos=[0.12, 0, 0])
  tip = base.add_body(pos=[0.1, 0, 0])
  tip.add_joint(axis=[0, 0, 1])
  tip.add_geom(size=[0.002, 0, 0], pos=[0.005, 0, 0], mass=1e-5, contype=0, conaffinity=0)
  tip.add_site(name="high", pos=[0.005, 0, 0])
  route = [mjc.Anchor("low"), mjc.Anchor("high")]
  mjc.add_cable(spec, mjc.Cable("cable", route, take_up=mjc.TensionCommand(range=(0, 10))))
  model = spec.compile()
  data = mujoco.MjData(model)
  data.ctrl[0] = tension
  data.qvel[3:6] = [0, 0, 3.0]
  return model, data


def test_a_body_that_carries_both_ends_feels_no_drag():
  """What a segment does to the bodies between its ends is internal: an arm spins on."""
  spins = {}
  for tension in (0.0, 5.0):
    model, data = floating(tension)
    for _ in range(1000):
      mujoco.mj_step(model, data)
    mujoco.mj_subtreeVel(model, data)
    spins[tension] = data.subtree_angmom[1].copy()
    if tension:
      assert mjc.bind(model, data)["cable"].solves > 0  # it was solved with the motion
      assert abs(data.qvel[6]) < 1e-9
  model, data = floating(0.0)
  mujoco.mj_forward(model, data)
  mujoco.mj_subtreeVel(model, data)
  first = data.subtree_angmom[1][2]
  # the integrator errs by as much without a cable
  assert spins[5.0][2] == pytest.approx(first, rel=1e-6)
  assert spins[0.0][2] == pytest.approx(first, rel=1e-6)


def stone(stiffness: float, timestep: float, slack: float):
  """100 g on a rope of 1 m from the origin, which move out and across it at 5 m/s."""
  spec = mujoco.MjSpec.from_string(f"""<mujoco>
    <option timestep="{timestep}" gravity="0 0 0" integrator="implicitfast"/>
    <worldbody><site name="hand"/><body pos="1 0 0"><joint type="slide" axis="1 0 0"/>
      <joint type="slide" axis="0 1 0"/><geom size=".01" mass=".1"/><site name="stone"/></body>
    </worldbody></mujoco>""")
  route = [mjc.Anchor("hand"), mjc.Anchor("stone")]
  axial = mjc.Axial(stiffness=stiffness, home_length=1 + slack)
  mjc.add_cable(spec, mjc.Cable("rope", route, axial))
  model = spec.compile()
  data = mujoco.MjData(model)
  data.qvel[:] = [5.0 if slack > 0 else 0.0, 5.0]
  return model, data


@pytest.mark.parametrize("slack", [0.0, 0.005, 0.02])
@pytest.mark.parametrize("timestep", [5e-4, 2e-3, 5e-3])
@pytest.mark.parametrize("stiffness", [1e5, 1e6, 1e7, 1e8])
def test_a_stone_on_a_rope_keeps_its_swing(stiffness, timestep, slack):
  """The pull goes through the hand, however stiff the rope is and hard it comes taut."""
  model, data = stone(stiffness, timestep, slack)
  for _ in range(round(0.2 / timestep)):
    mujoco.mj_step(model, data)
    swing = (1 + data.qpos[0]) * data.qvel[1] - data.qpos[1] * data.qvel[0]
    # no segment swings faster than the step: h^2 T / (L m) is at most 0.02
    assert swing == pytest.approx(5.0, rel=1e-9)
  # where the step does not resolve the rope, the stone does not come back from it
  assert np.linalg.norm(data.qvel) < (5.2 if timestep == 5e-3 or slack == 0 else 7.2)


def test_inverse_dynamics_finds_no_other_force():
  """The acceleration of a step, asked backward, needs nothing but what the cable does."""
  spec = mujoco.MjSpec()
  spec.option.timestep, spec.option.gravity = STEP, [0, 0, 0]
  for name, x in (("left", -LENGTH), ("right", LENGTH)):
    spec.worldbody.add_site(name=name, pos=[x, 0, 0])
  body = spec.worldbody.add_body(name="bead")
  body.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0, 1, 0])
  body.add_geom(size=[0.001, 0, 0], mass=1e-6, contype=0, conaffinity=0)
  body.add_site(name="hole")
  route = [mjc.Anchor("left"), mjc.Eyelet("hole"), mjc.Anchor("right")]
  mjc.add_cable(spec, mjc.Cable("string", route, mjc.Axial(stiffness=100.0, pretension=TENSION)))
  model = spec.compile()
  data = mujoco.MjData(model)
  data.qpos[0], data.qvel[0] = 0.01, 0.1
  mujoco.mj_forward(model, data)
  assert mjc.bind(model, data)["string"].solves > 0
  mujoco.mj_inverse(model, data)
  assert np.abs(data.qfrc_inverse).max() < 1e-9 * TENSION


def test_a_cable_that_ends_slack_holds_nothing_across_its_segments():
  """Two of a bead: the tighter one moves it so that the other is slack at the end of the step.

  Judge: the law of (19), (20) with the velocity that MuJoCo arrives at. One slide is oblique and
  the other heavy, so that what acts across the cables moves the bead along them.
  """
  spec = mujoco.MjSpec.from_string("""<mujoco><option timestep="5e-3" tolerance="1e-14"/>
    <worldbody><site name="top" pos="0 0 .05"/><body>
      <joint type="slide" axis="0 0 1" armature=".02"/><joint type="slide" axis="1 0 1"/>
      <geom size=".001" mass=".01"/><site name="bead"/></body></worldbody></mujoco>""")
  route, stiffness = [mjc.Anchor("top"), mjc.Anchor("bead")], 1e5
  for name, pretension in (("tight", 100.0), ("loose", 90.0)):
    axial = mjc.Axial(stiffness=stiffness, pretension=pretension)
    mjc.add_cable(spec, mjc.Cable(name, route, axial))
  model = spec.compile()
  data = mujoco.MjData(model)
  before = data.qvel[:] = [-0.5, np.sqrt(0.5)]  # across the cables
  tight, loose = mjc.bind(model, data).values()
  mujoco.mj_step(model, data)
  assert tight.solves > 0 and loose.tension[0] == 0
  step, along = model.opt.timestep, tight.jacobian
  ahead = 1 - 4 / (step**2 * stiffness * along**2 @ model.dof_invweight0)
  change = along @ (data.qvel - before)
  longer = step * (ahead * along @ data.qvel + (1 - ahead) / 4 * change)
  assert tight.tension[0] == pytest.approx(stiffness * (tight.stretch + longer), rel=1e-8)
