"""mujoco.batch in all its settings: the bits of a plain loop with one MjData per simulation.

Judge of a batch whose simulations differ: each simulation alone, on its own model.
"""

import mujoco
import numpy as np
import pytest
from mujoco.batch import Batch
from oracles import subjects, workshop

import mujocable as mjc
from mujocable.spec.keys import with_keys

NSIM, NSTEP = 5, 60
STAGES = [mujoco.mjtStage.mjSTAGE_NONE, mujoco.mjtStage.mjSTAGE_VEL, mujoco.mjtStage.mjSTAGE_ACC]


@pytest.fixture(scope="module", params=subjects.ALL, ids=lambda s: s.name)
def subject(request):
  return request.param


@pytest.fixture(scope="module", params=["implicitfast", "rk4", "discrete"])
def model(request, subject):
  return subject.compile(request.param)


@pytest.fixture(scope="module")
def expected(subject, model):
  """Starts along a run, and where each of them ends: states and sensors of single runs."""
  starts, ends, sensors = [], [], []
  data = mujoco.MjData(model)
  for k in range(NSIM):
    subject.run(model, data, 20 * k, 20 * (k + 1))
    starts.append(workshop.state_of(model, data))
  for start in starts:
    data = workshop.restored(model, start)
    subject.run(model, data, 1000, 1000 + NSTEP)
    ends.append(workshop.state_of(model, data))
    sensors.append(data.sensordata.copy())
  return np.array(starts), np.array(ends), np.array(sensors)


@pytest.mark.parametrize("persistent", [False, True], ids=["shared", "persistent"])
@pytest.mark.parametrize("nthread", [0, 1, 2])
def test_steps_are_those_of_a_plain_loop(subject, model, expected, nthread, persistent):
  starts, ends, sensors = expected
  batch = Batch(model, nsim=NSIM, nthread=nthread, persistent=persistent)
  read = batch.bind("sensordata")
  batch.state[:] = starts
  for step in range(NSTEP):
    batch.ctrl = subject.ctrl(model, 1000 + step)
    batch.step()
  assert np.array_equal(batch.state, ends)
  assert np.array_equal(read, sensors)


@pytest.mark.parametrize("persistent", [False, True], ids=["shared", "persistent"])
@pytest.mark.parametrize("stage", STAGES, ids=["none", "vel", "acc"])
def test_stages_computed_after_a_step_change_nothing(subject, model, expected, stage, persistent):
  starts, ends, _ = expected
  batch = Batch(model, nsim=NSIM, nthread=2, persistent=persistent)
  batch.state[:] = starts
  for step in range(NSTEP):
    batch.ctrl = subject.ctrl(model, 1000 + step)
    batch.step(stage=int(stage))
    if step % 20 == 5:
      batch.forward()
  assert np.array_equal(batch.state, ends)


@pytest.mark.parametrize("persistent", [False, True], ids=["shared", "persistent"])
def test_some_of_the_simulations_step_alone(subject, model, expected, persistent):
  starts, ends, _ = expected
  batch = Batch(model, nsim=NSIM, nthread=2, persistent=persistent)
  batch.state[:] = starts
  for group in ([0, 3], [1, 2, 4]):
    for step in range(NSTEP):
      batch.bind("ctrl")[group] = subject.ctrl(model, 1000 + step)
      batch.step(ids=group)
  assert np.array_equal(batch.state, ends)


def test_a_rollout_records_every_step(subject, model, expected):
  starts, ends, sensors = expected
  ctrl = np.array([subject.ctrl(model, 1000 + k) for k in range(NSTEP)])
  batch = Batch(model, nsim=NSIM, nthread=2)
  batch.state[:] = starts
  out = batch.rollout(NSTEP, control=ctrl[None], record=("qpos", "sensordata", "plugin_state"))
  assert np.array_equal(batch.state, ends)
  assert np.array_equal(out["qpos"][:, -1], batch.qpos)
  assert np.array_equal(out["plugin_state"][:, -1], batch.plugin_state)
  assert np.array_equal(out["sensordata"][:, -1], sensors)


@pytest.mark.parametrize("persistent", [False, True], ids=["shared", "persistent"])
def test_a_reset_simulation_starts_as_fresh_data(subject, persistent):
  spec = subject.spec("implicitfast")
  model = spec.compile()
  away = mujoco.MjData(model)
  subject.run(model, away, 0, 50)
  spec.add_key(name="away", qpos=away.qpos, qvel=away.qvel, act=away.act, ctrl=away.ctrl)
  model = spec.compile()
  batch = Batch(model, nsim=3, nthread=2, persistent=persistent)
  batch.step(nstep=40)
  batch.reset(ids=[1, 2], keyframe=[-1, 0])
  batch.step(ids=[1, 2], nstep=40)
  for sim, key in ((1, None), (2, 0)):
    data = mujoco.MjData(model)
    if key is not None:
      mujoco.mj_resetDataKeyframe(model, data, key)
    mujoco.mj_forward(model, data)
    for _ in range(40):
      mujoco.mj_step(model, data)
    assert np.array_equal(batch.state[sim], workshop.state_of(model, data)), sim


# ---- simulations with models of their own --------------------------------------------------------


def alone(model, subject, steps=NSTEP):
  """Integration state of a fresh simulation of this model after some steps."""
  data = mujoco.MjData(model)
  subject.run(model, data, 0, steps)
  assert np.any(data.sensordata != 0)
  return workshop.state_of(model, data)


def variants(subject, count):
  """One spec compiled with other sizes and places; every second one with other cables too."""
  models = []
  for k in range(count):
    spec = subject.spec("implicitfast")
    for geom in spec.geoms:
      if geom.type == mujoco.mjtGeom.mjGEOM_CYLINDER:
        geom.size[0] *= 1 + 0.01 * k
    for site in spec.sites:
      site.pos = np.asarray(site.pos) * (1 + 0.002 * k)
    for cable in mjc.read_cables(spec).values() if k % 2 else ():
      changed = with_keys(cable, friction=0.05 * k, damping=cable.axial.damping * k, radius=0.0)
      mjc.replace_cable(spec, changed)
    models.append(spec.compile())
  return models


@pytest.mark.parametrize("persistent", [False, True], ids=["shared", "persistent"])
@pytest.mark.parametrize("nthread", [1, 2])
def test_each_simulation_obeys_the_model_set_for_it(subject, nthread, persistent):
  models = variants(subject, 4)
  batch = Batch(models[0], nsim=4, nthread=nthread, persistent=persistent)
  batch.set_models(models)
  batch.reset(stage=mujoco.mjtStage.mjSTAGE_NONE)
  for step in range(NSTEP):
    batch.ctrl = subject.ctrl(models[0], step)
    batch.step()
  ends = [alone(model, subject) for model in models]
  for k, end in enumerate(ends):
    assert np.array_equal(batch.qpos[k], qpos_of(models[k], end)), k
    assert k == 0 or not np.array_equal(end, ends[0])


def qpos_of(model, state):
  return workshop.restored(model, state).qpos


@pytest.mark.parametrize(
  "field", ["geom_size", "site_pos", "body_pos", "body_mass", "opt.timestep", "actuator_ctrlrange"]
)
@pytest.mark.parametrize("persistent", [False, True], ids=["shared", "persistent"])
def test_fields_of_the_model_may_differ_between_simulations(subject, field, persistent):
  """After a reset each simulation runs as a model that was given these values, home length and all.

  (Nothing about a pose or a size may be kept from the model that the batch was made with.)
  """
  model = subject.compile()
  batch = Batch(model, nsim=3, nthread=2, persistent=persistent)
  values = batch.expand(field)
  values *= np.array([1.0, 1.001, 1.003]).reshape(3, *[1] * (values.ndim - 1))
  batch.reset(stage=mujoco.mjtStage.mjSTAGE_NONE)
  for step in range(NSTEP):
    batch.ctrl = subject.ctrl(model, step)
    batch.step()
  for k in range(3):
    own = batch.get_model(k)
    assert np.array_equal(batch.qpos[k], qpos_of(own, alone(own, subject))), k


def test_data_goes_over_to_another_model_at_a_reset(subject):
  """mj_resetData with another model of the same sizes: as fresh data of that model."""
  models = variants(subject, 3)
  data = mujoco.MjData(models[0])
  for model in models * 2:
    mujoco.mj_resetData(model, data)
    subject.run(model, data, 0, NSTEP)
    assert np.array_equal(data.qpos, qpos_of(model, alone(model, subject)))


def rerouted():
  """Models of one signature and the same keys: a cable through one guide, through the other, and
  through the first one where the guides have swapped their names."""
  models = []
  for guide, names in (("low", "low high"), ("high", "low high"), ("low", "high low")):
    first, second = names.split()
    spec = mujoco.MjSpec.from_string(f"""<mujoco><worldbody><site name="top" pos="0 0 1"/>
      <site name="{first}" pos=".1 0 .5"/><site name="{second}" pos=".3 0 .8"/>
      <body><joint type="slide" axis="0 0 1"/><geom size=".1" mass="1"/><site name="hook"/></body>
      </worldbody></mujoco>""")
    route = [mjc.Anchor("top"), mjc.Eyelet(guide), mjc.Anchor("hook")]
    mjc.add_cable(spec, mjc.Cable("line", route, mjc.Axial(stiffness=1000.0)))
    models.append(spec.compile())
  return models


def fallen(model, data):
  mujoco.mj_step(model, data, nstep=NSTEP)
  return data.qpos.copy(), mjc.bind(model, data)["line"].tension


def test_data_goes_over_to_another_route_at_a_reset():
  """What the model before had where the same numbers stand is no guide of this one."""
  models = rerouted()
  data = mujoco.MjData(models[0])
  for model in models * 2:
    mujoco.mj_resetData(model, data)
    got, want = fallen(model, data), fallen(model, mujoco.MjData(model))
    assert np.array_equal(got[0], want[0]) and np.array_equal(got[1], want[1])


def test_a_reset_with_a_model_in_which_a_cable_cannot_start_says_so(capfd):
  """It pulls nothing, and neither the view nor MuJoCo is silent about it."""
  model = mujoco.MjModel.from_xml_string(WRAPPED)
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)["line"]
  mujoco.mj_step(model, data)
  assert view.status == mjc.SolveStatus.VALID
  model.geom("post").size[0] = 2.0
  mujoco.mj_resetData(model, data)
  said = capfd.readouterr().err
  assert "anchor 0 'top' lies" in said and "its instance pulls nothing" in said
  mujoco.mj_step(model, data)
  assert view.status == mjc.SolveStatus.INVALID and "invalid" in repr(view)
  assert not view.load.any() and np.isfinite(data.sensordata).all()


WRAPPED = """<mujoco><extension><plugin plugin="mujocable.cable"><instance name="line">
  <config key="route" value="anchor top; wrap post; anchor hook"/>
  <config key="stiffness" value="1000"/></instance></plugin></extension><worldbody>
  <site name="top" pos="0 0 1"/><geom name="post" type="cylinder" size=".1 .1" pos=".3 0 .5"/>
  <body><joint type="slide" axis="0 0 1"/><geom size=".1" mass="1"/><site name="hook"/></body>
  </worldbody><sensor><plugin name="line" plugin="mujocable.cable" instance="line"/></sensor>
</mujoco>"""


def test_data_takes_up_states_of_models_with_other_routes():
  """Data that serves several models in turn goes on as the model and the state say."""
  models = rerouted()
  data = mujoco.MjData(models[0])
  for model in models * 2:
    fresh = mujoco.MjData(model)
    mujoco.mj_setState(model, data, workshop.state_of(model, fresh), workshop.FULL)
    assert np.array_equal(fallen(model, data)[0], fallen(model, fresh)[0])
