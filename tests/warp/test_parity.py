"""The same numbers as the engine plugin, which computes in double precision on the CPU."""

import mujoco
import mujoco_warp as mjw
import numpy as np
import pytest
from warp_rigs import rigs

import mujocable as mjc
import mujocable.warp as mjcw
from mujocable.models import atwood, bowden_elbow, finger, hand, spirob, tensegrity, winch
from mujocable.warp.home import find_home
from mujocable.warp.layout.place import lay_out

MODELS = {
  "arm": lambda: spirob.build(spirob.Spirob(friction=0.3, transition=0.0)),
  "arm that sets in gradually": lambda: spirob.build(spirob.Spirob(friction=0.1)),
  "arm of tensions": lambda: spirob.build(spirob.Spirob(friction=0.3, drive="tension")),
  "arm of three cables": lambda: spirob.build(spirob.Spirob(cables=3)),
  "finger": lambda: finger.build(finger.Finger(friction=0.2)),
  "hand": lambda: hand.build(hand.Hand(friction=0.15)),
  "winch": lambda: winch.build(winch.Winch(friction=0.25, slack=0.0)),
  "atwood": atwood.build,
  "tensegrity": tensegrity.build,
  "sheath": bowden_elbow.build,
  "pivots": rigs.pivots,
  "keepers": rigs.keepers,
  "keepers in a row": rigs.kept_row,
  "grooves": rigs.grooves,
  "spooled": rigs.spooled,
  "post": lambda: rigs.post(friction=0.2, free=True, stiffness=5e3),
}
PULL = {"arm of tensions": 2.0, "winch": 0.3}  # command; else a length
EPSILON = 2.0**-23
GRAZING = 6e-3  # [rad]: places within 0.3 m, surfaces of 4 mm


def random_states(model, worlds, rng):
  """Near qpos0, within the joints' limits; velocities too."""
  qpos = np.tile(model.qpos0, (worlds, 1))
  for j in range(model.njnt):
    if model.jnt_type[j] not in (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE):
      continue
    hinge = model.jnt_type[j] == mujoco.mjtJoint.mjJNT_HINGE
    size = 0.3 if hinge else 0.01
    low, high = model.jnt_range[j] if model.jnt_limited[j] else (-size, size)
    at = model.jnt_qposadr[j]
    qpos[:, at] += rng.uniform(max(low, -size), min(high, size), worlds)
  return qpos, 0.1 * rng.standard_normal((worlds, model.nv))


@pytest.mark.parametrize("name", MODELS)
def test_one_step_of_memory_on_random_states(name):
  spec, worlds = rigs.explicit(MODELS[name]()), 6
  model, bare, known = spec.compile(), mjcw.strip(spec).compile(), mjcw.cables_of(spec)
  rng = np.random.default_rng(7)
  (one, slow), (two, fast) = (random_states(model, worlds, rng) for _ in range(2))
  two = one + 0.1 * (two - one)
  pull = PULL.get(name, 0.004)
  m, d = mjcw.put_model(bare, known), mjcw.put_data(bare, nworld=worlds, cables=known)
  cables = mjcw.cables(d)

  def evaluate(qpos, qvel, time):
    for array, value in ((d.qpos, qpos), (d.qvel, qvel), (d.time, time)):
      rigs.write(array, value)
    if model.nu:
      rigs.write(d.ctrl, pull)
    if model.na:
      rigs.write(d.act, pull)
    d.qfrc_passive.zero_()
    mjw.kinematics(m, d)
    mjw.com_pos(m, d)
    cables.locate(m, d)
    cables.tense(m, d)
    cables.load(m, d)

  evaluate(one, slow, 0.0)
  evaluate(two, fast, model.opt.timestep)
  data = mujoco.MjData(model)
  views = mjc.bind(model, data)
  taut = 0
  for w in range(worlds):
    mujoco.mj_resetData(model, data)
    data.ctrl[:], data.act[:] = pull, pull
    data.qpos[:], data.qvel[:] = one[w], slow[w]
    mujoco.mj_step(model, data)
    data.qpos[:], data.qvel[:], data.act[:] = two[w], fast[w], pull
    mujoco.mj_forward(model, data)
    for cable in views:
      view = views[cable]
      length = cables.array("length", cable).numpy()[w, 0]
      assert length == pytest.approx(view.length, rel=1e-6)
      # a path that grazes a surface of radius r by x turns there by sqrt(2 x / r)
      angle = cables.array("wrap_angle", cable).numpy()[w]
      assert angle == pytest.approx(view.wrap_angle, abs=GRAZING)
      # what single precision leaves of the places of sites, as a tension of the shortest cell
      reach = np.abs(data.site_xpos).max()
      cells = cables.home.segments[cables.home.segments > 0].min()
      noise = 16 * EPSILON * reach * view.stiffness * view.length / cells
      grazed = np.abs(angle - view.wrap_angle).sum() * max(view.friction, default=0.0)
      tension = cables.array("tension", cable).numpy()[w]
      assert tension == pytest.approx(view.tension, rel=1e-4 + grazed, abs=1e-5 + noise)
      taut += view.source_tension > 0
    load = sum(views[cable].load for cable in views)
    most = sum(views[cable].tension.max() for cable in views)
    arm = np.abs(cables._state.path.gradient.numpy()[:, w]).max()
    assert d.qfrc_passive.numpy()[w] == pytest.approx(
      load, rel=1e-4, abs=2e-4 * most * arm + noise * arm
    )
  assert taut > 0


@pytest.mark.parametrize("actuated", [True, False])
def test_cables_that_a_tendon_drives(actuated):
  spec, worlds = rigs.explicit(rigs.driven()), 8
  if not actuated:
    spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_ACTUATION
  model = spec.compile()
  rng = np.random.default_rng(3)
  (one, slow), (two, fast) = (random_states(model, worlds, rng) for _ in range(2))
  two, commands = one + 0.1 * (two - one), rng.uniform(-2.0, 2.0, (worlds, 2))
  m, d = mjcw.put_model(model), mjcw.put_data(model, nworld=worlds)
  cables = mjcw.cables(d)
  rigs.write(d.ctrl, commands)
  for qpos, qvel, go in ((one, slow, mjw.step), (two, fast, mjw.forward)):
    rigs.write(d.qpos, qpos)
    rigs.write(d.qvel, qvel)
    go(m, d)
  data = mujoco.MjData(model)
  views, slack = mjc.bind(model, data), 0
  for w in range(worlds):
    mujoco.mj_resetData(model, data)
    data.ctrl[:] = commands[w]
    data.qpos[:], data.qvel[:] = one[w], slow[w]
    mujoco.mj_step(model, data)
    data.qpos[:], data.qvel[:] = two[w], fast[w]
    mujoco.mj_forward(model, data)
    for name in views:
      tension = cables.array("tension", name).numpy()[w]
      assert tension == pytest.approx(views[name].tension, rel=2e-4, abs=2e-4)
      slack += tension[0] == 0
    # where the pull acts is a matter of account: passive here, the actuators' in the engine
    load = d.qfrc_passive.numpy()[w] + d.qfrc_actuator.numpy()[w]
    assert load == pytest.approx(data.qfrc_passive + data.qfrc_actuator, rel=1e-4, abs=2e-5)
  assert 0 < slack < 2 * worlds or not actuated


@pytest.mark.parametrize("far", [1.0, 4.0])
def test_a_row_runs_past_its_hints_however_far_they_are(far):
  """Hints four radii away had the string run another way than the engine's in a quarter of rows."""
  rng, flat = np.random.default_rng(0), [0.5**0.5, 0.5**0.5, 0.0, 0.0]
  for _ in range(20):
    spec, route = mujoco.MjSpec(), [mjc.Anchor("start")]
    spec.worldbody.add_site(name="start", pos=[0, 0, rng.uniform(-0.1, 0.1)])
    count = rng.integers(2, 6)
    for i in range(1, count + 1):
      size, turn = rng.uniform(0.02, 0.06), rng.uniform(-0.5, 0.5)
      spec.worldbody.add_geom(
        name=f"wheel_{i}", type=mujoco.mjtGeom.mjGEOM_CYLINDER, size=[size, 0.1, 0], quat=flat,
        pos=[0.15 * i, 0, rng.uniform(-0.1, 0.1)],
      )  # fmt: skip
      side = far * size * rng.choice([-1, 1]) * np.array([np.sin(turn), np.cos(turn), 0])
      route.append(mjc.Wrap(f"wheel_{i}", side=side))
    end = spec.worldbody.add_body(pos=[0.15 * (count + 1), 0, rng.uniform(-0.2, 0.2)])
    end.add_joint()
    end.add_geom(size=[0.01, 0, 0])
    end.add_site(name="end")
    mjc.add_cable(spec, mjc.Cable("rope", [*route, mjc.Anchor("end")], mjc.Axial(stiffness=1e3)))
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    found = find_home(model, lay_out(model, mjcw.cables_of(model)))
    assert found.length[0] == pytest.approx(mjc.bind(model, data)["rope"].length, rel=1e-9)


@pytest.mark.parametrize(("moving", "tolerance"), [("post", 2e-4), ("end", 1e-2)])
def test_friction_counts_what_slides_along_a_cylinder(moving, tolerance):
  """A helix, and a post or an end that moves along the axis: only the way around it counted, so a
  post that slid by 0.1 m under the cable left its tension even, where it is 8% apart."""
  spec = mujoco.MjSpec()
  spec.option.gravity = [0, 0, 0]
  places = {"start": [-0.5, 0, 0], "post": [0, 0, 0], "end": [0.5, 0.2, 0]}
  for name, place in places.items():
    body = spec.worldbody.add_body(name=name, pos=place, mass=1.0, inertia=[1e-3] * 3)
    body.explicitinertial = True
    body.add_joint(name=name, type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0, 1, 0])
    body.add_site(name=name)
  flat = [0.5**0.5, 0.5**0.5, 0.0, 0.0]
  round_ = dict(type=mujoco.mjtGeom.mjGEOM_CYLINDER, size=[0.1, 1, 0], quat=flat)
  spec.body("post").add_geom(name="post", contype=0, conaffinity=0, **round_)
  route = [mjc.Anchor("start"), mjc.Wrap("post", side=(0, 0.3, 0)), mjc.Anchor("end")]
  axial = mjc.Axial(stiffness=100.0, pretension=5.0)
  cable = mjc.Cable("rope", route, axial, friction=0.2, integration="explicit")
  mjc.add_cable(spec, cable)
  model, bare, known = spec.compile(), mjcw.strip(spec).compile(), mjcw.cables_of(spec)
  m, d = mjcw.put_model(bare, known), mjcw.put_data(bare, nworld=1, cables=known)
  cables, data = mjcw.cables(d), mujoco.MjData(model)
  view, apart = mjc.bind(model, data)["rope"], 0.0
  for k in range(150):
    data.qpos[:], data.qvel[:] = 0, 0
    data.joint(moving).qpos = 0.1 * np.sin(k / 30)
    rigs.write(d.qpos, data.qpos[None])
    rigs.write(d.time, data.time)
    mjw.kinematics(m, d)
    mjw.com_pos(m, d)
    cables.locate(m, d)
    cables.tense(m, d)
    mujoco.mj_forward(model, data)
    tension = cables.array("tension", "rope").numpy()[0]
    assert tension == pytest.approx(view.tension, rel=tolerance)
    apart = max(apart, abs(np.log(tension[1] / tension[0])))
    mujoco.mj_step(model, data)
  assert apart > 0.05
