"""Sleeping trees: MuJoCo keeps their qfrc_passive, so an added force must not accumulate there.

Judge: the force on a body at rest is the load of the cable, step after step, asleep or awake.
"""

import mujoco
import numpy as np
from oracles import build

import mujocable as mjc


def parked():
  """A box on the floor, tied by a taut, weak cable to a post in the world."""
  spec = build.new_spec(timestep=2e-3)
  spec.option.enableflags |= mujoco.mjtEnableBit.mjENBL_SLEEP
  spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[2, 2, 0.1])
  build.site(spec.worldbody, "post", (-0.5, 0, 0.05))
  for name, x in (("box", 0.0), ("free_box", 0.6)):
    box = spec.worldbody.add_body(name=name, pos=(x, 0, 0.05))
    box.add_joint(name=name, type=build.FREE)
    box.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.05] * 3, mass=1.0)
  build.site(spec.body("box"), "hook", (-0.05, 0, 0))
  route = [mjc.Anchor("post"), mjc.Anchor("hook")]
  cable = mjc.Cable(name="tie", route=route, stiffness=50.0, damping=1.0, pretension=1.0)
  return build.compiled(spec, cable)


def test_the_force_on_a_sleeping_tree_does_not_accumulate():
  model, data, views = parked()
  view = views["tie"]
  slept = 0
  for step in range(1500):
    mujoco.mj_step(model, data)
    asleep = bool(np.any(data.tree_asleep >= 0)) if hasattr(data, "tree_asleep") else False
    slept += asleep
    # gravity is not passive: the cable is the only passive force there is
    assert np.abs(data.qfrc_passive).max() < 1.0 + 0.3, step
    assert view.source_tension < 1.3
  before = data.qpos.copy()
  for _ in range(500):
    mujoco.mj_step(model, data)
  assert np.abs(data.qpos - before).max() < 1e-3
  # the neighbour without a cable must be able to sleep, or the test shows nothing
  assert slept > 0


def test_a_sleeping_body_is_pulled_again_once_it_wakes():
  """The post is a mocap that walks away. MuJoCo does not wake a tree for that, nor for a native
  tendon; woken by a touch, the box must follow at once, with the present force and no other."""
  spec = build.new_spec(timestep=2e-3)
  spec.option.enableflags |= mujoco.mjtEnableBit.mjENBL_SLEEP
  spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[2, 2, 0.1])
  tractor = build.mocap(spec.worldbody, "tractor", (-0.5, 0, 0.05))
  build.site(tractor, "hitch", (0, 0, 0))
  box = spec.worldbody.add_body(name="box", pos=(0, 0, 0.05))
  box.add_joint(name="box", type=build.FREE)
  box.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.05] * 3, mass=1.0)
  build.site(box, "hook", (-0.05, 0, 0))
  route = [mjc.Anchor("hitch"), mjc.Anchor("hook")]
  cable = mjc.Cable(name="tow", route=route, stiffness=500.0, damping=5.0, reserve=0.02)
  model, data, views = build.compiled(spec, cable)
  for _ in range(800):
    mujoco.mj_step(model, data)
  for k in range(100):
    data.mocap_pos[0, 0] = -0.5 - 0.05 * k / 100
    mujoco.mj_step(model, data)
    assert np.abs(data.qfrc_passive).max() <= 500 * 0.05 + 5
  data.qvel[0] = -1e-3
  mujoco.mj_forward(model, data)
  assert views["tow"].source_tension > 10
  assert np.abs(data.qfrc_passive - views["tow"].load).max() < 1e-12
  assert data.qfrc_passive[0] < -10
  start = data.qpos[0]
  for _ in range(300):
    mujoco.mj_step(model, data)
  assert data.qpos[0] < start - 0.01
