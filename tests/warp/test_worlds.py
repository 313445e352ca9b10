"""Many worlds: put, strip, read, randomize, reset; what is refused, by name."""

import dataclasses
import pickle

import mujoco
import mujoco_warp as mjw
import numpy as np
import pytest
import warp as wp
from warp_rigs import rigs

import mujocable as mjc
import mujocable.warp as mjcw
from mujocable.errors import BadValue, UnknownCable, UnknownName
from mujocable.models import spirob
from mujocable.spec import members


def run(m, d, steps):
  for _ in range(steps):
    mjw.step(m, d)
  return d.qpos.numpy().copy(), mjcw.cables(d).array("tension").numpy().copy()


def commands(worlds):
  return np.linspace(0.002, 0.02, worlds)[:, None]


@pytest.fixture(scope="module")
def model():
  return rigs.arm().compile()


def test_any_number_of_evaluations_between_steps_changes_nothing(model):
  results = []
  for extra in (0, 3):
    m, d = mjcw.put_model(model), mjcw.put_data(model, nworld=3)
    rigs.write(d.ctrl, commands(3))
    for _ in range(20):
      for _ in range(extra):
        mjw.forward(m, d)
      mjw.step(m, d)
    results.append(run(m, d, 1))
  for one, two in zip(*results, strict=True):
    assert np.array_equal(one, two)


def test_cables_that_share_an_instance_are_the_same_cables(monkeypatch):
  arm = spirob.Spirob(friction=0.3, transition=0.0)
  apart = spirob.build(arm).compile()
  monkeypatch.setattr(members, "OWN", 0)
  spec = spirob.build(arm)
  shared = spec.compile()
  assert shared.nplugin == 1 < apart.nplugin
  assert mjcw.cables_of(shared) == mjcw.cables_of(spec) == mjcw.cables_of(apart)
  assert mjcw.strip(spec).compile().nplugin == 0
  results = []
  for source in (apart, shared):
    m, d = mjcw.put_model(source), mjcw.put_data(source, nworld=2)
    rigs.write(d.ctrl, np.tile(np.linspace(0.002, 0.02, 2)[:, None], (1, source.nu)))
    results.append(run(m, d, 10))
  for one, two in zip(*results, strict=True):
    assert np.array_equal(one, two)


def test_a_model_without_the_engine_gives_the_same_bits(model):
  spec = rigs.arm()
  cables = pickle.loads(pickle.dumps(mjcw.cables_of(spec)))
  bare = mjcw.strip(spec).compile()
  assert bare.nplugin == 0 and bare.nu == model.nu and bare.actuator(0).name == "tendon"
  results = []
  for source, given in ((model, None), (bare, cables)):
    m, d = mjcw.put_model(source, given), mjcw.put_data(source, nworld=2, cables=given)
    rigs.write(d.ctrl, commands(2))
    results.append(run(m, d, 25))
  # a framework that makes Model and Data itself
  m, d = mjw.put_model(bare), mjw.make_data(bare, nworld=2)
  mjcw.attach(m, d, bare, cables)
  rigs.write(d.ctrl, commands(2))
  results.append(run(m, d, 25))
  for other in results[1:]:
    assert np.array_equal(results[0][0], other[0]) and np.array_equal(results[0][1], other[1])
  assert results[0][1].max() > 0


@pytest.mark.parametrize("sensors", [True, False])
def test_callbacks_of_others_come_first(sensors):
  spec, worlds = rigs.arm(), 2
  if not sensors:
    spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_SENSOR
  bare, known, called = mjcw.strip(spec).compile(), mjcw.cables_of(spec), []
  results = []
  for own in (False, True):
    m, d = mjw.put_model(bare), mjw.make_data(bare, nworld=worlds)
    if own:
      # commands that are known late, and a load beside the cables'
      m.callback.control = lambda m, d: rigs.write(d.ctrl, commands(worlds))
      m.callback.passive = lambda m, d: called.append("passive")
      m.callback.sensor = lambda m, d, stage: called.append("sensor")
    mjcw.attach(m, d, bare, known)
    if not own:
      rigs.write(d.ctrl, commands(worlds))
    results.append(run(m, d, 20))
  assert called.count("passive") == 20 and called.count("sensor") == (60 if sensors else 0)
  for one, two in zip(*results, strict=True):
    assert np.array_equal(one, two)
  assert results[0][1].max() > 0


def test_a_world_that_is_reset_starts_like_a_new_one(model):
  m, d = mjcw.put_model(model), mjcw.put_data(model, nworld=3)
  cables = mjcw.cables(d)
  # worlds that differ, set in place
  cables.array("friction").assign(np.full((3, 6), [[0.1], [0.3], [0.5]], np.float32))
  cables.array("stiffness", "tendon").assign(np.array([[1000], [2000], [3000]], np.float32))
  rigs.write(d.ctrl, commands(3))
  fresh = run(m, d, 15)
  run(m, d, 40)
  mjcw.reset(m, d, wp.array([False, True, False], dtype=bool))
  rigs.write(d.ctrl, commands(3))
  again = run(m, d, 15)
  assert np.array_equal(fresh[0][1], again[0][1]) and np.array_equal(fresh[1][1], again[1][1])
  assert not np.array_equal(fresh[0][0], again[0][0])
  # someone else's reset shows in the time, which goes back
  mjw.reset_data(m, d)
  rigs.write(d.ctrl, commands(3))
  assert np.array_equal(run(m, d, 15)[0], fresh[0])


def test_a_world_that_broke_is_whole_after_a_reset():
  _, m, d, _ = rigs.worlds_of(rigs.post(free=True), 2)
  fresh = run(m, d, 10)
  qpos = d.qpos.numpy()
  qpos[1] = np.nan
  d.qpos.assign(qpos)
  run(m, d, 3)
  mjcw.reset(m, d, wp.array([False, True], dtype=bool))
  again = run(m, d, 10)
  assert np.isfinite(fresh[0]).all()
  assert np.array_equal(fresh[0][1], again[0][1]) and np.array_equal(fresh[1][1], again[1][1])


def test_parameters_of_a_world_are_those_of_a_model_built_so(model):
  other = rigs.arm(friction=0.1, stiffness=1200.0, damping=0.2, pretension_offset=0.001).compile()
  m, d = mjcw.put_model(other), mjcw.put_data(other)
  rigs.write(d.ctrl, 0.01)
  expected = run(m, d, 30)
  m, d = mjcw.put_model(model), mjcw.put_data(model, nworld=2)
  values = dict(friction=0.1, stiffness=1200.0, damping=0.2, pretension=0.001)
  for name, value in values.items():
    array = mjcw.cables(d).array(name)
    changed = array.numpy()
    changed[1] = value
    array.assign(changed)
  rigs.write(d.ctrl, 0.01)
  found = run(m, d, 30)
  assert np.array_equal(expected[0][0], found[0][1])
  assert not np.array_equal(expected[0][0], found[0][0])


BAD = [
  *((name, x) for name in ("friction", "stiffness", "damping") for x in (np.nan, np.inf, -1.0)),
  *(("home_length", x) for x in (np.nan, 0.0, -1.0)),
  ("pretension", np.nan),
  *(("max_tension", x) for x in (np.nan, -1.0)),
]


def test_a_world_whose_parameters_no_cable_has_pulls_nothing(model):
  """As in the engine; the others keep their bits, and it pulls again once they are right."""
  m, d = mjcw.put_model(model), mjcw.put_data(model)
  rigs.write(d.ctrl, 0.01)
  alone = run(m, d, 30)
  d = mjcw.put_data(model, nworld=len(BAD) + 1)
  cables = mjcw.cables(d)
  right = {name: cables.array(name).numpy().copy() for name, _ in BAD}
  for world, (name, value) in enumerate(BAD):
    changed = cables.array(name).numpy()
    changed[world] = value
    cables.array(name).assign(changed)
  rigs.write(d.ctrl, 0.01)
  qpos, tension = run(m, d, 30)
  assert np.array_equal(qpos[-1:], alone[0]) and np.array_equal(tension[-1:], alone[1])
  assert (tension[:-1] == 0).all() and (tension[-1] > 0).all()
  assert np.isfinite(qpos).all()
  for name, values in right.items():
    cables.array(name).assign(values)
  pulled = np.zeros(len(BAD) + 1)
  for _ in range(30):
    pulled += run(m, d, 1)[1].min(axis=1)
  assert (pulled > 0).all() and np.isfinite(pulled).all()


@pytest.mark.parametrize("lag", [0.0, 0.01])
def test_a_bad_command_is_zero_in_its_step(lag):
  """A cable that was told NaN in one step pulled nothing any more, until a reset; where its motor
  has a lag, NaN was everywhere."""
  motor = mjc.LengthCommand(range=None, lag=lag)
  _, m, d, cables = rigs.worlds_of(rigs.arm(take_up=motor), 4)
  pulled = np.zeros(4)
  for k in range(90):
    now = np.full((4, 1), 0.01)
    if k == 30:
      now[1:, 0] = 0.0, np.nan, np.inf
    rigs.write(d.ctrl, now)
    mjw.step(m, d)
    pulled += (k > 30) * cables.array("tension").numpy().min(axis=1)
  qpos = d.qpos.numpy()
  assert np.array_equal(qpos[2:], qpos[[1, 1]]) and not np.array_equal(qpos[0], qpos[1])
  assert (pulled > 0).all() and np.isfinite(pulled).all()


def test_arrays_by_name_share_memory_and_data_comes_back(model):
  m, d = mjcw.put_model(model), mjcw.put_data(model, nworld=2)
  cables = mjcw.cables(d)
  assert cables.names == ["tendon"]
  assert cables.array("tension", "tendon").shape == (2, 7)
  assert cables.array("wrap_angle").shape == (2, 6)
  rigs.write(d.ctrl, 0.01)
  run(m, d, 5)
  data = mujoco.MjData(model)
  mjcw.get_data_into(data, model, d, world_id=1)
  assert data.qpos == pytest.approx(d.qpos.numpy()[1])
  assert cables.bytes_per_world() > 0
  with pytest.raises(UnknownName, match="no array 'tensoin'"):
    cables.array("tensoin")
  with pytest.raises(UnknownCable, match="'rope' is not in this model"):
    cables.array("tension", "rope")


def test_random_worlds_stay_finite_at_the_steps_of_learning():
  worlds, rng, solves = 64, np.random.default_rng(11), []
  _, m, d, cables = rigs.worlds_of(rigs.arm(timestep=5e-3), worlds)
  ranges = dict(stiffness=(2, 6), damping=(-2, 2), friction=(-2, 0.3))  # powers of ten
  for name, (low, high) in ranges.items():
    shape = cables.array(name).shape
    cables.array(name).assign((10 ** rng.uniform(low, high, shape)).astype(np.float32))
  for _ in range(60):
    rigs.write(d.ctrl, rng.uniform(-0.01, 0.01, (worlds, 1)))  # the motor jumps
    for _ in range(4):
      mjw.step(m, d)
      solves += list(cables.solves.numpy()[:, 0])
    tension = cables.array("tension").numpy()
    assert np.isfinite(d.qpos.numpy()).all() and np.isfinite(tension).all()
    assert (tension >= 0).all() and (cables.array("dissipation").numpy() >= 0).all()
    # neighbors within the cone, but for rounding
    power = cables.array("friction").numpy() * cables.array("wrap_angle").numpy()
    taut = tension[:, 0] > 0
    ratio = np.abs(np.log(tension[taut][:, 1:] / tension[taut][:, :-1]))
    assert (ratio <= np.minimum(power[taut], 30) * (1 + 1e-4) + 1e-4).all()
  # motions that were not found are rare
  assert np.mean(np.array(solves) < 0) < 1e-3 < np.mean(np.array(solves) > 1)


def test_what_is_not_there_is_refused_by_name():
  kept = mjc.read_cables(rigs.post())["rope"]
  egg = mjcw.strip(rigs.post())
  egg.geom("sheave").type = mujoco.mjtGeom.mjGEOM_ELLIPSOID
  egg.geom("sheave").size = [0.05, 0.05, 0.05]
  with pytest.raises(
    BadValue, match=r"'rope'.*'sheave': a geom of type ellipsoid is not on the GPU"
  ):
    mjcw.put_data(egg.compile(), cables={"rope": kept})
  for change, message in (
    ({"route": [kept.route[0], mjc.Ring("left", 0.1, 0.01), kept.route[2]]}, "not on the GPU"),
    ({"route": [kept.route[0], mjc.Wrap("sheave", rounding=0.1), kept.route[2]]},
     "'sheave': rounding is not on the GPU; accepted there: friction, side"),
    ({"friction": mjc.Sliding(0.3)}, "'rope': Sliding friction is not on the GPU"),
  ):  # fmt: skip
    cables, bare = {"rope": dataclasses.replace(kept, **change)}, mjcw.strip(rigs.post()).compile()
    with pytest.raises(BadValue, match=message):
      mjcw.put_data(bare, cables=cables)
  bare = mjcw.strip(rigs.post()).compile()
  with pytest.raises(BadValue, match="this model has no cables"):
    mjcw.put_model(bare)
  bare.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
  with pytest.raises(BadValue, match="RK4"):
    mjcw.put_data(bare, cables={"rope": kept})
  with pytest.raises(BadValue, match="has no cables; make it with put_data"):
    mjcw.cables(mjw.make_data(bare))


def test_a_motor_whose_activation_has_a_range_is_refused_by_name():
  spec = rigs.post()
  cable = mjc.read_cables(spec)["rope"]
  spec = mjcw.strip(spec)
  cable = dataclasses.replace(cable, take_up=mjc.SpoolRate(0.1, None))
  motor = spec.add_actuator(name="rope", target="left", trntype=mujoco.mjtTrn.mjTRN_SITE)
  motor.dyntype, motor.actrange = mujoco.mjtDyn.mjDYN_INTEGRATOR, [0, 1]
  motor.actlimited = mujoco.mjtLimited.mjLIMITED_TRUE
  with pytest.raises(BadValue, match="'rope': an actrange is not on the GPU"):
    mjcw.put_data(spec.compile(), cables={"rope": cable})


def test_a_cable_without_length_is_refused_by_name():
  """As the engine refuses it, which a stripped model never meets."""
  spec = rigs.post()
  cable = mjc.read_cables(spec)["rope"]
  spec = mjcw.strip(spec)
  for key, axial in (
    ("pretension_offset", mjc.Axial(stiffness=100.0, pretension_offset=9.0)),
    ("pretension", mjc.Axial(stiffness=1.0, pretension=9.0)),  # it rubs
  ):
    with pytest.raises(BadValue, match=rf"'rope': {key} takes in 9 m.* accepted: less"):
      mjcw.put_data(spec.compile(), cables={"rope": dataclasses.replace(cable, axial=axial)})
  spec.body("left").add_site(name="again")
  route = [mjc.Anchor("left"), mjc.Anchor("again")]
  words = "'rope': .* anchor 0 'left' and anchor 1 'again' are at one place"
  with pytest.raises(BadValue, match=words):
    mjcw.put_data(spec.compile(), cables={"rope": dataclasses.replace(cable, route=route)})


def test_a_groove_that_leads_the_cable_aside_is_refused_by_name():
  spec = mjcw.strip(rigs.grooves())
  aside = spec.worldbody.add_body(name="aside", pos=[0.3, 0.1, 0])
  aside.add_site(name="aside")
  swings = spec.worldbody.add_body(name="swings", pos=[0.3, 0, 0])
  swings.add_joint(name="swings", axis=[0, 0, 1])
  swings.add_geom(size=[0.01, 0, 0], mass=0.1, contype=0, conaffinity=0)
  swings.add_site(name="swings")
  model, cable = spec.compile(), mjc.read_cables(rigs.grooves())["deep"]
  first, wrap, last = cable.route
  for route, message in (
    ([first, wrap, mjc.Anchor("aside")],
     r"'deep': the groove of wrap 'deep'.*mid plane, but site 'aside' is -?0.1 m aside"),
    ([first, wrap, mjc.Anchor("swings")], "but joint 'swings' moves site 'swings' out of it"),
    ([first, wrap, mjc.Wrap("kept"), last], "no other wrap is beside it; put an Eyelet between"),
  ):  # fmt: skip
    with pytest.raises(BadValue, match=message):
      mjcw.put_data(model, cables={"deep": dataclasses.replace(cable, route=route)})


def test_a_joint_that_tilts_a_row_of_cylinders_is_refused_by_name():
  spec = mjcw.strip(rigs.kept_row())
  spec.geom("wheel_1").parent.add_joint(name="tilts", axis=[1, 0, 0])
  cables = mjc.read_cables(rigs.kept_row())
  with pytest.raises(
    BadValue, match=r"'row': joint 'tilts' tilts wrap 'wheel_1' against .*'wheel_0'"
  ):
    mjcw.put_data(spec.compile(), cables=cables)


def test_a_drum_holds_its_end_and_an_eyelet_on_a_post_does_not():
  """Judge: the friction that the engine gives each contact."""
  spec = mujoco.MjSpec.from_string("""
<mujoco><worldbody>
  <site name="above" pos="0 0 .3"/> <site name="guide" pos=".4 0 .05"/>
  <geom name="post" type="cylinder" size=".05 .1" pos=".4 0 0" euler="90 0 0"/>
  <site name="right" pos=".6 0 0"/>
  <body>
    <joint axis="0 1 0"/> <geom name="drum" type="cylinder" size=".05 .1" euler="90 0 0"/>
    <site name="clamp" pos="-.05 0 0"/>
  </body>
  <body pos=".45 0 -.4"> <joint type="slide" axis="0 0 1"/> <geom size=".02"/> <site name="load"/>
  </body>
</worldbody></mujoco>""")
  route = [
    mjc.Anchor("clamp"),
    mjc.Wrap("drum", side="above"),
    mjc.Eyelet("guide"),
    mjc.Wrap("post", side="right"),
    mjc.Anchor("load"),
  ]
  mjc.add_cable(spec, mjc.Cable("rope", route, mjc.Axial(stiffness=1e3), friction=0.2))
  model, _, _, cables = rigs.worlds_of(spec)
  engine = mjc.bind(model, mujoco.MjData(model))["rope"].friction
  assert engine.tolist() == [0.0, 0.2, 0.2]
  assert cables.array("friction").numpy()[0] == pytest.approx(engine)
  assert cables.layout.contact_held == [True, False, False]
