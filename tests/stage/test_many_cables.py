"""Many cables: MuJoCo asks no stage of sensors for them, and the record is there all the same.

For every plugin with sensors of a stage MuJoCo looks through all sensors of the model, which would
make a step grow with the square of the number of cables.
"""

import mujoco
import numpy as np
import pytest
from oracles import build, workshop
from oracles.straight import cart

import mujocable as mjc

FLAGS = mujoco.mjtDisableBit
SILENT = int(FLAGS.mjDSBL_SPRING | FLAGS.mjDSBL_DAMPER | FLAGS.mjDSBL_ACTUATION)
STAGES = [int(stage) for stage in mujoco.mjtStage.__members__.values()]

BY_HAND = """<mujoco><extension><plugin plugin="mujocable.cable">
  <instance name="tie"><config key="route" value="anchor a; anchor b"/>
    <config key="stiffness" value="50"/></instance></plugin></extension>
  <worldbody><site name="a" pos="0 0 1"/>
    <body><joint type="slide" axis="0 0 1"/><geom size=".1"/><site name="b"/></body></worldbody>
  <sensor><plugin name="tie" plugin="mujocable.cable" instance="tie"/>
    <plugin name="tie.length" plugin="mujocable.cable" instance="tie"/>
    <clock/></sensor></mujoco>"""


def attached_twice():
  scene = build.new_spec()
  for prefix, y in (("left-", 0.0), ("right-", 5.0)):
    frame = scene.worldbody.add_frame(pos=(0, y, 0))
    scene.attach(workshop.spec_of(), prefix=prefix, frame=frame)
  mjc.add_cable(
    scene, mjc.Cable("own", [mjc.Anchor(s) for s in sites(scene)], mjc.Axial(stiffness=5.0))
  )
  return scene


def sites(scene):
  for prefix in ("left-", "right-"):
    yield next(site.name for site in scene.sites if site.name.startswith(prefix))


@pytest.mark.parametrize(
  "spec_of", [attached_twice, lambda: mujoco.MjSpec.from_string(BY_HAND)], ids=["attached", "hand"]
)
@pytest.mark.parametrize("integrator", ["implicitfast", "rk4"])
def test_no_sensor_of_a_cable_belongs_to_a_stage(spec_of, integrator):
  spec = spec_of()
  spec.option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
  text = spec.to_xml()
  for model in (spec.compile(), mujoco.MjSpec.from_string(text).compile()):
    ours = model.sensor_type == int(mujoco.mjtSensor.mjSENS_PLUGIN)
    assert np.sum(ours) >= model.nplugin > 0
    assert not np.isin(model.sensor_needstage[ours], STAGES).any()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    for name, view in mjc.bind(model, data).items():
      record = data.sensor(name).data
      assert record[0] == view.length > 0


def test_sensors_of_others_work_beside_those_of_cables():
  model = mujoco.MjModel.from_xml_string(BY_HAND)
  data = mujoco.MjData(model)
  mujoco.mj_step(model, data, nstep=7)
  mujoco.mj_forward(model, data)
  assert data.sensordata[model.sensor_adr[2]] == data.time > 0
  assert data.sensor("tie.length").data[0] == data.sensor("tie").data[0]
  assert data.sensor("tie").data[0] == pytest.approx(1 - data.qpos[0], rel=1e-14)


@pytest.mark.parametrize("integrator", ["implicitfast", "rk4"])
def test_with_all_forces_off_a_path_is_solved_when_it_is_read(integrator):
  model, data, view = cart(stiffness=1000.0)
  model.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
  model.opt.disableflags = SILENT
  data.qpos[0] = 0.02
  mujoco.mj_forward(model, data)
  assert view.length == pytest.approx(1.02, rel=1e-14)
  assert view.source_tension == 0 and np.all(view.load == 0)
  if integrator == "rk4":  # whose end leaves the bodies where its last evaluation put them
    return
  # a step shows it in the sensor too, and remembers it
  data.qvel[0] = 1.0
  mujoco.mj_step(model, data)
  assert data.qpos[0] == pytest.approx(0.02 + model.opt.timestep, rel=1e-12)
  record = data.sensor(view.name).data
  assert record[0] == pytest.approx(1.02, rel=1e-14)
  assert view.source_tension == 0
  model.opt.disableflags = 0
  mujoco.mj_forward(model, data)
  assert view.length == record[0] == pytest.approx(1 + data.qpos[0], rel=1e-14)
  assert view.source_tension > 19


def test_with_passive_forces_off_the_actuation_stage_shows_every_path():
  """A passive cable in a model with an actuator: no force, and the record of the present pose."""
  model = workshop.spec_of().compile()
  data = mujoco.MjData(model)
  workshop.run(model, data, 0, 50)
  mujoco.mj_forward(model, data)
  views = mjc.bind(model, data)
  passive = {name: view.length for name, view in views.items() if view.actuator is None}
  assert passive
  model.opt.disableflags = int(FLAGS.mjDSBL_SPRING | FLAGS.mjDSBL_DAMPER)
  data.sensordata[:] = 0
  mujoco.mj_forward(model, data)
  for name, length in passive.items():
    assert data.sensor(name).data[0] == views[name].length == length
    assert views[name].source_tension == 0


def test_a_commanded_cable_outlives_its_record():
  """Only views lose something: they solve the path anew. The motion is the same, bit for bit."""
  ends = []
  for removed in (False, True):
    spec = mujoco.MjSpec.from_string(BY_HAND)
    mjc.remove_cable(spec, "tie")
    route, command = [mjc.Anchor("a"), mjc.Anchor("b")], mjc.TensionCommand(range=(0.0, 20.0))
    mjc.add_cable(spec, mjc.Cable("hoist", route, take_up=command))
    if removed:
      spec.delete(spec.sensor("hoist"))
    model = spec.compile()
    data = mujoco.MjData(model)
    data.ctrl[0] = 3.0
    mujoco.mj_step(model, data, nstep=20)
    mujoco.mj_forward(model, data)
    view = mjc.bind(model, data)["hoist"]
    assert view.source_tension == 3.0
    ends.append((data.qpos[0], view.length))
  assert ends[0] == ends[1] and ends[0][0] != 0
