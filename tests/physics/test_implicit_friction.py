"""Friction in coupled steps: bits where nothing may change, robots that do not see each other."""

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.models import spirob
from mujocable.spec.keys import laws

RADIUS, PAYLOAD, KAPPA = 0.02, 0.5, 2e4
WEIGHT = PAYLOAD * 9.81


def hoist(
  timestep,
  friction,
  integrator="Euler",
  take_up=None,
  sheave=1e-3,
  axle="",
  actuator="",
  **options,
):
  """A payload hangs over a free sheave; the other end is held, or wound in."""
  xml = f"""<mujoco><option timestep="{timestep}" integrator="{integrator}" tolerance="1e-13"
      iterations="200"/><worldbody>
    <site name="motor" pos="-.22 0 .35"/><site name="hint" pos=".03 0 .4"/>
    <body pos="0 0 .3"><joint name="axle" axis="0 1 0" {axle}/>
      <geom name="rim" type="cylinder" size="{RADIUS} .01" euler="90 0 0" mass="{sheave}"
        contype="0" conaffinity="0"/></body>
    <body pos="{RADIUS} 0 -.3"><joint name="z" type="slide" axis="0 0 1"/>
      <geom size=".02" mass="{PAYLOAD}"/><site name="hook"/></body></worldbody>
    {actuator}</mujoco>"""
  spec = mujoco.MjSpec.from_string(xml)
  given = {"stiffness": KAPPA, "damping": 0.1 * np.sqrt(KAPPA * PAYLOAD), "pretension": WEIGHT}
  if isinstance(take_up, mjc.TensionCommand):
    given = {}
  cable = mjc.Cable(
    "c",
    [mjc.Anchor("motor"), mjc.Wrap("rim", side="hint"), mjc.Anchor("hook")],
    **laws(friction=friction, take_up=take_up, **(given | options)),
  )
  mjc.add_cable(spec, cable)
  model = spec.compile()
  data = mujoco.MjData(model)
  return model, data, mjc.bind(model, data)["c"]


def test_copies_and_extra_calls_give_the_same_bits():
  ends = []
  for way in ("step", "forward", "copy", "halves"):
    model, data, _ = hoist(2e-3, 0.4, "implicitfast", mjc.LengthCommand(range=(-1, 1)))
    for step in range(200):
      data.ctrl[0] = 0.05 * np.sin(0.05 * step)
      if way == "forward":
        mujoco.mj_forward(model, data)
      if way == "copy" and step % 9 == 0:
        twin = mujoco.MjData(model)
        mujoco.mj_copyData(twin, model, data)
        data = twin
      if way == "halves":
        mujoco.mj_step1(model, data)
        mujoco.mj_step2(model, data)
      else:
        mujoco.mj_step(model, data)
    ends.append(np.concatenate([data.qpos, data.qvel, data.sensordata]))
  assert all(np.array_equal(end, ends[0]) for end in ends)


def test_rubbing_arms_that_share_no_body_do_not_see_each_other():
  """Two arms in one world move as each does alone, to the rounding of their own solutions."""
  arm = spirob.Spirob(cables=2, friction=0.3)
  alone = spirob.build(arm).compile()
  world = mujoco.MjSpec()
  world.option.timestep, world.option.integrator = arm.timestep, alone.opt.integrator
  world.option.gravity = [0, 0, 0]
  for side in ("left_", "right_"):
    frame = world.worldbody.add_frame(pos=[1.0 if side == "left_" else -1.0, 0, 0])
    world.attach(spirob.build(arm), prefix=side, frame=frame)
  both = world.compile()
  here, there = mujoco.MjData(alone), mujoco.MjData(both)
  for _ in range(200):
    command = 0.02 * np.array([np.sin(9 * here.time), np.cos(9 * here.time)])
    here.ctrl[:] = command
    there.ctrl[:] = np.concatenate([command, command[::-1]])
    mujoco.mj_step(alone, here)
    mujoco.mj_step(both, there)
  assert np.abs(here.qpos).max() > 0.1
  assert there.qpos[: alone.nq] == pytest.approx(here.qpos, rel=1e-7, abs=1e-8)


@pytest.mark.parametrize("take_up", [None, mjc.TensionCommand(range=(0, 50))])
def test_masses_that_are_changed_count_at_once(take_up):
  """mj_setConst says how mobile bodies are: one that became much lighter comes to rest."""
  xml = """<mujoco><option timestep="2e-3"/><worldbody>
    <site name="wall" pos="0 0 1"/><site name="eye" pos=".5 0 1"/>
    <body name="load" pos=".5 0 .5"><joint type="slide" axis="0 0 1" damping=".1"/>
      <geom size=".03" mass="2"/><site name="hook"/></body></worldbody></mujoco>"""
  spec = mujoco.MjSpec.from_string(xml)
  route = [mjc.Anchor("wall"), mjc.Eyelet("eye"), mjc.Anchor("hook")]
  axial = mjc.Axial() if take_up else mjc.Axial(stiffness=8e4, pretension=5.0)
  mjc.add_cable(spec, mjc.Cable("c", route, axial, friction=0.3, take_up=take_up))
  model = spec.compile()
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)["c"]
  data.ctrl[:] = 20
  for _ in range(200):
    mujoco.mj_step(model, data)
  model.body("load").mass[0] /= 100
  model.body("load").inertia[:] /= 100
  mujoco.mj_setConst(model, mujoco.MjData(model))
  data.ctrl[:] = 0.2
  for _ in range(1000):
    mujoco.mj_step(model, data)
    assert (view.tension >= 0).all()
  assert abs(data.qvel[0]) < 1e-3
  assert view.tension[1] == pytest.approx(0.02 * 9.81, rel=1e-3)
