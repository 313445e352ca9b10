"""Segments that swing (24) in worlds: light bodies on short, taut segments, at steps that do not
resolve them.

Judges: the closed form of a bead on a string, energy, angular momentum, short steps of native
tendons, and the engine step by step.
"""

import mujoco
import mujoco_warp as mjw
import numpy as np
import pytest
from warp_rigs import rigs

import mujocable as mjc
import mujocable.warp as mjcw
from mujocable.models import hand, spirob

STEP, LENGTH, TENSION = 1e-3, 0.05, 4.0  # [s]; of each half of a string [m], [N]
SIZES = np.array([0.01, 0.9, 1.1, 10.0, 1e3, 1e4])  # F of (24)


def bead(axis=(0, 1, 0), **joint):
  """A bead across a string between two walls, which a motor holds taut."""
  spec = mujoco.MjSpec()
  spec.option.timestep, spec.option.gravity = STEP, [0, 0, 0]
  for name, x in (("left", -LENGTH), ("right", LENGTH)):
    spec.worldbody.add_site(name=name, pos=[x, 0, 0])
  body = spec.worldbody.add_body(name="bead")
  body.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=axis, **joint)
  body.add_geom(size=[0.001, 0, 0], mass=1e-6, **rigs.OFF)
  body.add_site(name="hole")
  return strung(spec, "left", "hole", "right")


def strung(spec, *sites, friction=0.0):
  """With a cable through these sites, pulled by a motor."""
  route = [mjc.Anchor(sites[0]), *map(mjc.Eyelet, sites[1:-1]), mjc.Anchor(sites[-1])]
  motor = mjc.TensionCommand(range=(0, 1000))
  mjc.add_cable(spec, mjc.Cable("string", route, friction=friction, take_up=motor))
  return spec


def taut(spec, tensions, **state):
  """Worlds with these tensions."""
  model, m, d, cables = rigs.worlds_of(spec, nworld=len(tensions))
  rigs.write(d.ctrl, np.array(tensions)[:, None])
  for name, values in state.items():
    rigs.write(getattr(d, name), values)
  return model, m, d, cables


def test_one_step_of_a_bead():
  """v+ (1 + a F) = v - F y / h, F of both halves; a: the part that is taken at the end."""
  y, v = 1e-6, 3e-4
  tensions = SIZES * 1e-6 * LENGTH / STEP**2
  _, m, d, _ = taut(bead(), tensions, qpos=y, qvel=v)
  mjw.step(m, d)
  ahead = np.maximum(0.0, 1 - 1 / SIZES)
  want = (v - 2 * SIZES * y / STEP) / (1 + 2 * SIZES * ahead)
  assert d.qvel.numpy()[:, 0] == pytest.approx(want, rel=1e-5, abs=1e-9)


@pytest.mark.parametrize("axis", [(0, 1, 0), (0, 0.6, 0.8)])
def test_what_the_step_does_not_resolve_comes_to_rest_without_gaining_energy(axis):
  tensions = np.array([6.0, 30.0, 1e4]) * 1e-6 * LENGTH / STEP**2
  _, m, d, _ = taut(bead(axis), tensions, qpos=0.02, qvel=-1.0)

  def energy():
    y, v = d.qpos.numpy()[:, 0], d.qvel.numpy()[:, 0]
    return 2 * tensions * np.hypot(LENGTH, y) + 0.5e-6 * v**2

  before = first = energy()
  for _ in range(200):
    mjw.step(m, d)
    assert (energy() <= before + 1e-6 * first).all()  # single precision
    before = energy()
  assert np.abs(d.qpos.numpy()).max() < 1e-6 and np.abs(d.qvel.numpy()).max() < 1e-4


def test_along_the_string_nothing_swings():
  _, m, d, _ = taut(bead(axis=(1, 0, 0)), [TENSION], qvel=0.3)
  for _ in range(50):
    mjw.step(m, d)
  assert d.qvel.numpy()[0, 0] == pytest.approx(0.3, abs=1e-3)  # rounding of 4 N over a milligram


def pendulum(mass, lever, timestep=STEP):
  """A light body on a hinge, whose end a segment pulls away from the hinge."""
  spec = mujoco.MjSpec()
  spec.option.timestep, spec.option.gravity = timestep, [0, 0, 0]
  body = spec.worldbody.add_body()
  body.add_joint(axis=[0, 1, 0])
  body.add_geom(size=[1e-4, 0, 0], pos=[lever, 0, 0], mass=mass, **rigs.OFF)
  body.add_site(name="tip", pos=[lever, 0, 0])
  spec.worldbody.add_site(name="wall", pos=[lever + LENGTH, 0, 0])
  return strung(spec, "wall", "tip")


def test_a_pendulum_swings_at_its_frequency_or_comes_to_rest():
  """w^2 = T (1 / l + 1 / r) / m; F = (h w)^2."""
  mass, lever = 1e-4, 0.02
  stiffness = (1 / LENGTH + 1 / lever) / mass  # per newton
  sizes = np.array([0.01, 0.1, 4.5, 300.0])
  _, m, d, _ = taut(pendulum(mass, lever), sizes / STEP**2 / stiffness, qpos=1e-4)
  angles = []
  for _ in range(600):
    mjw.step(m, d)
    angles.append(d.qpos.numpy()[:, 0].copy())
  angles = np.array(angles)
  for k in (0, 1):  # of the leapfrog: 2 sin(w h / 2) = h w
    turns = np.flatnonzero(np.diff(np.sign(angles[:, k])))
    period = 2 * (turns[-1] - turns[0]) / (len(turns) - 1)
    assert period == pytest.approx(np.pi / np.arcsin(0.5 * np.sqrt(sizes[k])), rel=0.01)
    assert np.abs(angles[-100:, k]).max() == pytest.approx(1e-4, rel=0.03)
  assert np.abs(angles[-100:, 2:]).max() < 1e-8


def floating():
  """Two links that float and spin, the joint between them far too light for the step."""
  spec = mujoco.MjSpec()
  spec.option.timestep, spec.option.gravity = STEP, [0, 0, 0]
  spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
  base = spec.worldbody.add_body(name="base")
  base.add_freejoint()
  base.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.1, 0.02, 0.02], mass=0.5, **rigs.OFF)
  base.add_site(name="low", pos=[0.12, 0, 0])
  tip = base.add_body(pos=[0.1, 0, 0])
  tip.add_joint(axis=[0, 0, 1])
  tip.add_geom(size=[0.002, 0, 0], pos=[0.005, 0, 0], mass=1e-5, **rigs.OFF)
  tip.add_site(name="high", pos=[0.005, 0, 0])
  return strung(spec, "low", "high")


def test_a_body_that_carries_both_ends_feels_no_drag():
  model, m, d, _ = taut(floating(), [0.0, 5.0], qvel=[0, 0, 0, 0, 0, 3.0, 0])
  for _ in range(500):
    mjw.step(m, d)
  data, spins = mujoco.MjData(model), []
  for w in range(2):
    data.qpos[:], data.qvel[:] = d.qpos.numpy()[w], d.qvel.numpy()[w]
    mujoco.mj_forward(model, data)
    mujoco.mj_subtreeVel(model, data)
    spins.append(data.subtree_angmom[1][2])
  assert spins[1] == pytest.approx(spins[0], rel=1e-4)
  # sites are rounded by 1e-8 m: in one step, at the tip's 5 mm, that is 1e-3 rad/s
  assert abs(d.qvel.numpy()[1, 6]) < 1e-3


def random_tree(seed: int, timestep: float):
  """Light links in a row, on joints of any kind, a cable through them."""
  rng, spec = np.random.default_rng(seed), mujoco.MjSpec()
  euler, fast = mujoco.mjtIntegrator.mjINT_EULER, mujoco.mjtIntegrator.mjINT_IMPLICITFAST
  spec.option.timestep, spec.option.integrator = timestep, fast if seed % 2 else euler
  size, body, sites = 10 ** rng.uniform(-2, -0.5), spec.worldbody, ["wall"]
  spec.worldbody.add_site(name="wall", pos=rng.uniform(-0.1, 0.1, 3))
  for k in range(rng.integers(1, 5)):
    body = body.add_body(pos=rng.uniform(-1, 1, 3) * size)
    # neither side foresees how implicitfast turns a free body (limitations, forces not foreseen)
    free = k == 0 and spec.option.integrator == euler
    kind = ("ball", "free" if free else "hinge", "slide", "hinge")[rng.integers(4)]
    axis = rng.normal(size=3)
    joint = getattr(mujoco.mjtJoint, "mjJNT_" + kind.upper())
    body.add_joint(type=joint, axis=axis, damping=[rng.choice([0, 1e-5]), 0, 0])
    box, at = np.array([0.3, 0.2, 0.1]) * size, rng.uniform(-1, 1, 3) * size
    mass = 10 ** rng.uniform(-5, -1)
    body.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=box, pos=at, mass=mass, **rigs.OFF)
    sites.append(f"hole_{k}")
    body.add_site(name=sites[-1], pos=rng.uniform(-1, 1, 3) * size)
  return strung(spec, *sites), rng


@pytest.mark.parametrize("timestep", [2e-3, 5e-3])
def test_a_step_of_random_trees_is_that_of_the_engine(timestep):
  solved = 0
  for seed in range(24):
    spec, rng = random_tree(seed, timestep)
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qvel[:], data.ctrl[0] = 0.1 * rng.normal(size=model.nv), 10 ** rng.uniform(-1, 1.5)
    m, d = mjcw.put_model(model), mjcw.put_data(model, data)
    mujoco.mj_step(model, data)
    mjw.step(m, d)
    solved += mjc.bind(model, data)["string"].solves > 0
    # masses differ by up to 1e4, and by as much what single precision leaves of a motion
    assert np.abs(d.qvel.numpy()[0] - data.qvel).max() < 2e-3 * np.abs(data.qvel).max(), seed
  assert solved > 6


def test_a_tentacle_rests_where_short_steps_put_it():
  """The tip of a tentacle weighs nothing: at 8 N a step of 0.5 ms is ten times too long for it."""

  def command(time):
    return [8.0 * min(time / 0.4, 1.0), 0.0]

  ends = []
  for drive, timestep in (("native", 1e-4), ("tension", 5e-3)):
    spec = spirob.build(spirob.Spirob(drive=drive, cables=2))
    spec.option.timestep = timestep
    model, m, d, _ = rigs.worlds_of(spec) if drive == "tension" else (spec.compile(), 0, 0, 0)
    data = mujoco.MjData(model)
    for k in range(round(2.0 / timestep)):
      if m:
        rigs.write(d.ctrl, command(k * timestep))
        mjw.step(m, d)
      else:
        data.ctrl[:] = command(k * timestep)
        mujoco.mj_step(model, data)
    ends.append(d.qpos.numpy()[0] if m else data.qpos.copy())
    assert np.abs(d.qvel.numpy() if m else data.qvel).max() < 1e-2
  assert ends[1] == pytest.approx(ends[0], abs=1e-4)


@pytest.mark.parametrize("timestep", [2e-3, 5e-3])
@pytest.mark.parametrize(
  ("drive", "friction"), [("tension", 0.3), ("length", 0.3), ("length", 0.0)]
)
def test_a_tentacle_moves_as_on_the_engine(drive, friction, timestep):
  spec = spirob.build(spirob.Spirob(drive=drive, friction=friction))
  spec.option.timestep = timestep
  model, m, d, _ = rigs.worlds_of(spec)
  data = mujoco.MjData(model)
  most = [6.0, 0.0] if drive == "tension" else [0.05, -0.12]
  for k in range(round(0.6 / timestep)):
    command = np.array(most) * min(k * timestep / 0.5, 1.0)
    rigs.write(d.ctrl, command)
    data.ctrl[:] = command
    mjw.step(m, d)
    mujoco.mj_step(model, data)
    apart = np.abs(d.qpos.numpy()[0] - data.qpos).max()
    # without (24) they are up to 0.14 rad apart
    assert apart < 2e-3
  assert np.abs(data.qpos).max() > 0.4


def test_a_cable_that_ends_slack_holds_nothing_across_its_segments():
  """Two of a bead: the tighter one moves it so that the other is slack at the end of the step."""
  spec = mujoco.MjSpec.from_string("""<mujoco><option timestep="5e-3" tolerance="1e-14"/>
    <worldbody><site name="top" pos="0 0 .05"/><geom size=".001" pos="1 0 0"/><body>
      <joint type="slide" axis="0 0 1" armature=".02"/><joint type="slide" axis="1 0 1"/>
      <geom size=".001" mass=".01"/><site name="bead"/></body></worldbody></mujoco>""")
  for name, pretension in (("tight", 100.0), ("loose", 90.0)):
    law = mjc.Axial(stiffness=1e5, pretension=pretension)
    mjc.add_cable(spec, mjc.Cable(name, [mjc.Anchor("top"), mjc.Anchor("bead")], law))
  model, m, d, cables = rigs.worlds_of(spec)
  data = mujoco.MjData(model)
  data.qvel[:] = [-0.5, np.sqrt(0.5)]
  rigs.write(d.qvel, data.qvel)
  mjw.step(m, d)
  mujoco.mj_step(model, data)
  assert cables.array("tension", "loose").numpy()[0, 0] == 0
  assert d.qvel.numpy()[0] == pytest.approx(data.qvel, rel=1e-4)


@pytest.mark.parametrize(
  ("build", "timestep", "launches"),
  [
    (hand.build, 5e-4, 0),  # no tension that it allows makes a segment swing
    (lambda: spirob.build(spirob.Spirob(friction=0.3)), 2e-3, 1),
  ],
)
def test_what_cannot_swing_costs_no_kernel(build, timestep, launches, monkeypatch):
  spec = build()
  spec.option.timestep = timestep
  _, m, d, cables = rigs.worlds_of(spec)
  launched, run = [], cables.run
  monkeypatch.setattr(cables, "run", lambda k, *given: launched.append(k.key) or run(k, *given))
  mjw.step(m, d)
  assert sum("load_kernel" in key for key in launched) == 1
  assert sum("swing_kernel" in key for key in launched) == launches
