"""Converted models: the same physics without friction, less force with it, refusals by name.

Judge: the model before conversion, with MuJoCo's own tendons. Lengths, moment arms and trajectories
agree to 1e-8; what cannot be a cable stays native and is named.
"""

import warnings
from functools import lru_cache

import mujoco
import mujoco.batch
import numpy as np
import pytest
from machines import BRANCHES, MACHINES, arm

import mujocable as mjc
from mujocable.errors import CableError
from mujocable.study.convert.conversion import KINDS

myo_sim = pytest.importorskip("myo_sim")

LARGE = ("osl", "hand", "myolegs", "myoarm")
MYO = ["elbow", "myoelbow_2dof", "finger", "osl", "hand", "myolegs", "myoarm"]


def myo(name):
  with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # myo-sim attaches with empty prefixes
    return myo_sim.load_spec(name)


def quiet(spec):
  with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    return spec.compile()


def convert(spec, **options):
  with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    return mjc.convert(spec, **options)


def travel(models, low, high, steps, seed=1):
  """Largest difference of qpos and of sensors along the same controls, and the last data."""
  rng = np.random.default_rng(seed)
  datas = [mujoco.MjData(model) for model in models]
  goal, control = rng.uniform(low, high, models[0].nu), np.zeros(models[0].nu)
  apart = 0.0
  for step in range(steps):
    if step % 50 == 0:
      goal = rng.uniform(low, high, models[0].nu)
    control += 0.05 * (goal - control)
    for model, data in zip(models, datas, strict=True):
      data.ctrl[:] = control
      mujoco.mj_step(model, data)
    apart = max(apart, np.abs(datas[0].qpos - datas[1].qpos).max())
    known = datas[0].sensordata.size  # the cables' own sensors come after
    if known:
      one, two = datas[0].sensordata, datas[1].sensordata[:known]
      apart = max(apart, (np.abs(one - two) / np.maximum(1, np.abs(one))).max())
  return apart, datas


@pytest.mark.parametrize("name", MACHINES)
def test_machines_move_the_same_without_friction(name):
  xml, (low, high) = MACHINES[name]
  spec = mujoco.MjSpec.from_string(xml)
  conversion = convert(spec)
  assert [one.tendon for one in conversion.converted] == ["t"], str(conversion)
  assert not conversion.kept
  (one,) = conversion.converted
  assert one.length_error < 1e-8 and one.arm_error < 1e-8 and one.differing == 0
  models = [mujoco.MjModel.from_xml_string(xml), conversion.spec.compile()]
  apart, datas = travel(models, low, high, 1500)
  assert apart < 1e-8
  # and it did move, pulled by cables
  assert np.abs(datas[0].qpos - models[0].qpos0).max() > 0.02
  views = mjc.bind(models[1], datas[1])
  assert len(views) == len(one.cables) and all(view.status == 0 for view in views.values())


@lru_cache
def converted_myo(name):
  return convert(myo(name), poses=6)


@pytest.mark.parametrize(
  "name", [pytest.param(n, marks=pytest.mark.slow if n in LARGE else ()) for n in MYO]
)
def test_myo_models_move_the_same_without_friction(name):
  """Without contacts, and not at full force: where meshes meet, or where all muscles of the finger
  pull with all they have, these models turn 1e-16 into 1e-3 by themselves."""
  conversion = converted_myo(name)
  assert len(conversion.converted) >= 5
  assert max(one.length_error for one in conversion.converted) < 1e-8
  assert max(one.arm_error for one in conversion.converted) < 1e-8
  models = [quiet(myo(name)), quiet(conversion.spec)]
  for model in models:
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    model.opt.tolerance = 1e-14  # limits and couplings: the solver's own error stays out of it
  apart, datas = travel(models, 0, 0.3, 100 if name in LARGE else 400)
  assert apart < 1e-8
  assert sum(view.source_tension > 0 for view in mjc.bind(models[1], datas[1]).values()) > 2


def test_refusals_are_named():
  """What stays native says why, in one of the known kinds; of the hand only paths."""
  conversion = converted_myo("hand")
  assert all(one.kind in ("no path", "differs") for one in conversion.kept), str(conversion)
  assert len(conversion.kept) < 3
  planted = arm("", '<motor name="m" tendon="t" damping="1"/>')
  planted = convert(mujoco.MjSpec.from_string(planted))
  assert planted.refusals() == {"damping": ["t"]}
  for one in (*conversion.kept, *planted.kept):
    assert one.kind in KINDS and f"{one.tendon} stays native: {one.reason}" in str(
      conversion if one in conversion.kept else planted
    )


def test_paths_may_have_to_be_native():
  """Bent far, MuJoCo lets go of the elbow that the cable stays behind: kept native, or named."""
  xml = arm(actuator='<motor tendon="t" gear="-1" ctrlrange="0 20"/>').replace(
    'range="-80 80"', 'range="0 175"'
  )
  spec = mujoco.MjSpec.from_string(xml)
  (one,) = convert(spec, paths="ours").converted
  assert one.differing > 6 and one.changed
  assert max(one.reasons, key=lambda why: one.reasons[why]) == (
    "the tendon has let go of wrap 'knuckle', the cable has not"
  )
  (note,) = one.notes
  assert f"differs in {one.differing} of 65 poses" in note and "moment arm by up to" in note
  strict = convert(spec)
  assert strict.kept[0].kind == "differs" and "runs elsewhere in" in strict.kept[0].reason
  assert convert(spec, share=1.0).converted


def test_actuator_moments_are_the_same_at_rest():
  xml, _ = MACHINES["muscle"]
  models = [
    mujoco.MjModel.from_xml_string(xml),
    convert(mujoco.MjSpec.from_string(xml)).spec.compile(),
  ]
  rows = []
  for model in models:
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    rows.append(data.actuator_moment.copy())
  assert np.abs(rows[0] - rows[1]).max() < 1e-12
  assert np.abs(rows[0]).max() > 1e-3


def test_friction_takes_what_capstan_says():
  """Pulled in: the distal tension is exp(-mu * turn) of the source, at every contact."""
  xml, _ = MACHINES["motor"]
  conversion = convert(mujoco.MjSpec.from_string(xml), friction=0.2)
  model = conversion.spec.compile()
  data = mujoco.MjData(model)
  cable = mjc.bind(model, data)["t"]
  data.ctrl[0] = 12.0
  data.qpos[:], data.qvel[:] = [0.3, 0.9], [-1, -3]  # the arm comes up: the cable runs in
  mujoco.mj_step(model, data, nstep=20)
  mujoco.mj_forward(model, data)
  assert cable.length_rate < -0.05
  assert cable.tension[0] == pytest.approx(12.0, rel=1e-12)
  turn = cable.wrap_angle[np.asarray(cable.touching)].sum()
  assert turn > 0.3
  assert cable.tension[-1] == pytest.approx(12.0 * np.exp(-0.2 * turn), rel=1e-4)
  # what reaches the joints is the cable's load, through the actuator's moment
  assert np.abs(data.qfrc_actuator - cable.load).max() < 1e-12


def test_branches_share_the_pull():
  xml, _ = MACHINES["pulley branches"]
  conversion = convert(mujoco.MjSpec.from_string(xml))
  model = conversion.spec.compile()
  data = mujoco.MjData(model)
  views = mjc.bind(model, data)
  data.ctrl[0] = 4.0
  mujoco.mj_forward(model, data)
  assert [v.source_tension for v in views.values()] == pytest.approx([8.0, 4.0, 4.0])
  assert BRANCHES.count("pulley") == len(views) - 1


def test_a_push_goes_slack_and_is_named():
  xml = arm(actuator='<motor name="both" tendon="t" ctrlrange="-5 5"/>')
  conversion = convert(mujoco.MjSpec.from_string(xml))
  (one,) = conversion.converted
  assert "actuator 'both' can push with up to 5 N" in one.notes[0]
  model = conversion.spec.compile()
  data = mujoco.MjData(model)
  for control, tension in ((5.0, 0.0), (-5.0, 5.0)):
    data.ctrl[0] = control
    mujoco.mj_forward(model, data)
    assert mjc.bind(model, data)["t"].source_tension == tension
    assert (np.abs(data.qfrc_actuator).max() > 0) == (tension > 0)
  strict = convert(mujoco.MjSpec.from_string(xml), push="native")
  assert not strict.converted
  assert "a cable cannot push: actuator 'both' can push" in strict.kept[0].reason


def test_a_spring_that_would_push_does_not():
  """A two-sided spring shorter than its rest length: MuJoCo pushes, the cable hangs loose."""
  xml = arm('springlength="2" stiffness="50"')
  conversion = convert(mujoco.MjSpec.from_string(xml))
  assert "its spring pushes below 2 m" in conversion.converted[0].notes[0]
  model = conversion.spec.compile()
  data = mujoco.MjData(model)
  mujoco.mj_forward(model, data)
  assert mjc.bind(model, data)["t"].source_tension == 0
  assert np.abs(data.qfrc_passive).max() < 1e-12


@pytest.mark.parametrize(
  ("attributes", "actuator", "message"),
  [
    ('springlength="0 .3" stiffness="9" springyield=".1"', "", "its spring yields"),
    ("", '<motor name="m" tendon="t" damping="1"/>', "actuator 'm' has damping of its own"),
  ],
)
def test_what_no_cable_has_stays_native(attributes, actuator, message):
  conversion = convert(mujoco.MjSpec.from_string(arm(attributes, actuator)))
  assert not conversion.converted
  assert message in conversion.kept[0].reason


def test_only_the_named_ones():
  two = arm().replace(
    "</tendon>", '<spatial name="u"><site site="wall"/><site site="tip"/></spatial></tendon>'
  )
  spec = mujoco.MjSpec.from_string(two)
  assert [one.tendon for one in convert(spec, only=["u"]).converted] == ["u"]
  with pytest.raises(
    CableError, match=r"tendon 'v' is not a tendon .* did you mean|spatial tendons here"
  ):
    convert(spec, only=["v"])


@pytest.mark.parametrize(
  "bad",
  [
    {"friction": -1},
    {"friction": np.nan},
    {"source": "middle"},
    {"push": "maybe"},
    {"paths": "theirs"},
    {"limits": "none"},
    {"rope_stiffness": 0.0},
    {"share": 2.0},
    {"poses": 0},
  ],
)
def test_bad_options_are_refused(bad):
  with pytest.raises(CableError, match=f"convert: {next(iter(bad))} must be"):
    convert(mujoco.MjSpec.from_string(arm()), **bad)


def test_twice_changes_nothing_more():
  once = convert(mujoco.MjSpec.from_string(MACHINES["motor"][0]))
  twice = convert(once.spec)
  assert not twice.converted
  assert twice.kept[0].reason == "cable 't' already carries its pull"


def test_through_a_file_and_attached():
  """XML written and read moves the same; attached twice, each carries its own tendon."""
  xml, (low, high) = MACHINES["pulley branches"]
  conversion = convert(mujoco.MjSpec.from_string(xml), friction=0.1)
  model = conversion.spec.compile()
  text = conversion.to_xml()
  again = mujoco.MjModel.from_xml_string(text)
  assert travel([model, again], low, high, 300)[0] == 0
  parent = mujoco.MjSpec()
  parent.option.timestep = model.opt.timestep
  for prefix in ("left_", "right_"):
    frame = parent.worldbody.add_frame(pos=[0, 1.0 if prefix == "left_" else -1.0, 0])
    parent.attach(mujoco.MjSpec.from_string(text), frame=frame, prefix=prefix)
  both = parent.compile()
  data = mujoco.MjData(both)
  data.ctrl[:] = [2.0, 5.0]
  mujoco.mj_forward(both, data)
  views = mjc.bind(both, data)
  assert views["left_t"].source_tension == pytest.approx(4.0)
  assert views["right_t:branch_1"].source_tension == pytest.approx(5.0)


def test_the_source_may_be_the_last_site():
  xml, _ = MACHINES["motor"]
  first, last = (convert(mujoco.MjSpec.from_string(xml), source=s) for s in ("first", "last"))
  routes = [mjc.read_cables(c.spec)["t"].route for c in (first, last)]
  assert routes[0] == tuple(reversed(routes[1]))


def test_nothing_to_convert_is_no_error():
  conversion = convert(mujoco.MjSpec.from_string("<mujoco><worldbody/></mujoco>"))
  assert not conversion.converted and not conversion.kept


# ---- the engine ----------------------------------------------------------------------------------


def converted(name, **options):
  return convert(mujoco.MjSpec.from_string(MACHINES[name][0]), **options).spec.compile()


@pytest.mark.parametrize("name", ["pulley branches", "spring and motor"])
def test_saved_and_restored_it_goes_on_bit_for_bit(name):
  model = converted(name, friction=0.3)
  kind = int(mujoco.mjtState.mjSTATE_INTEGRATION)
  one, two = mujoco.MjData(model), mujoco.MjData(model)
  for _ in range(100):
    one.ctrl[:] = 3.0
    mujoco.mj_step(model, one)
  state = np.empty(mujoco.mj_stateSize(model, kind))
  mujoco.mj_getState(model, one, state, kind)
  mujoco.mj_setState(model, two, state, kind)
  for _ in range(100):
    for data in (one, two):
      mujoco.mj_step(model, data)
  assert np.array_equal(one.qpos, two.qpos) and np.array_equal(one.sensordata, two.sensordata)


def test_a_batch_returns_the_bits_of_single_simulations():
  model = converted("two actuators, force limit", friction=0.2)
  batch = mujoco.batch.Batch(model, nsim=3, nthread=2)
  qpos, ctrl = batch.bind("qpos"), batch.bind("ctrl")
  commands = np.array([[0.1, 0.0], [0.5, 0.5], [1.0, 1.0]])
  ctrl[:] = commands
  batch.step(nstep=200)
  for k, command in enumerate(commands):
    data = mujoco.MjData(model)
    data.ctrl[:] = command
    mujoco.mj_step(model, data, nstep=200)
    assert np.array_equal(qpos[k], data.qpos)


def test_forward_changes_nothing_and_repeats():
  """Spring and damper are taken back and applied anew in every evaluation, not once more."""
  model = converted("spring and motor", friction=0.3)
  data = mujoco.MjData(model)
  data.ctrl[:], data.qvel[:] = 5.0, [0.4, -1.0]
  seen = []
  for _ in range(3):
    mujoco.mj_forward(model, data)
    seen.append((data.qfrc_passive.copy(), data.qfrc_actuator.copy(), data.qacc.copy()))
  for other in seen[1:]:
    assert all(np.array_equal(a, b) for a, b in zip(seen[0], other, strict=True))


def test_disabled_actuation_leaves_the_spring():
  model = converted("spring and motor")
  model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_ACTUATION)
  data = mujoco.MjData(model)
  data.ctrl[:] = 20.0
  mujoco.mj_forward(model, data)
  stretch = data.ten_length[0] - 0.3
  assert mjc.bind(model, data)["t"].source_tension == pytest.approx(60 * stretch, rel=1e-12)


def test_tension_limit_holds_at_run_time():
  model = converted("motor")
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)["t"]
  view.max_tension = 7.0
  data.ctrl[:] = 12.0
  mujoco.mj_forward(model, data)
  assert view.source_tension == 7.0
  assert np.abs(data.qfrc_actuator - view.load).max() < 1e-12


def test_friction_never_adds_energy():
  """Pulled, released, pulled again: what the cable's contacts take is never negative."""
  model = converted("pulley branches", friction=0.4)
  data = mujoco.MjData(model)
  views = mjc.bind(model, data)
  for step in range(800):
    data.ctrl[0] = 5.0 + 5.0 * np.sin(step / 40)
    mujoco.mj_step(model, data)
    assert all(view.dissipation.min(initial=0.0) >= 0 for view in views.values())
