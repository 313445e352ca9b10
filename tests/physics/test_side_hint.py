"""A side hint tells the way round at the start; after that it neither pulls nor steers."""

import mujoco
import numpy as np
import pytest
from oracles import build

import mujocable as mjc


def rig():
  spec = build.new_spec(gravity=(0, 0, 0))
  build.site(spec.worldbody, "start", (-0.4, 0, 0))
  build.cylinder(spec.worldbody, "post", (0, 0, 0), 0.1, axis=(0, 1, 0), half_length=1)
  fly = build.body(spec.worldbody, "fly", pos=(0, 0, 0.3))
  fly.add_joint(name="fly", type=build.FREE)
  build.site(fly, "hint", (0, 0, 0))
  load = build.body(spec.worldbody, "load", pos=(0.5, 0, 0))
  load.add_joint(name="x", type=build.SLIDE, axis=(1, 0, 0))
  build.site(load, "hook", (0, 0, 0))
  cable = mjc.Cable(
    name="cable",
    route=[mjc.Anchor("start"), mjc.Wrap("post", side="hint"), mjc.Anchor("hook")],
    axial=mjc.Axial(stiffness=100.0, pretension=5.0),
  )
  return build.compiled(spec, cable)


def test_a_hint_carries_no_force():
  model, _, views = rig()
  dofs = model.joint("fly").dofadr[0] + np.arange(6)
  assert views["cable"].source_tension > 1
  assert np.all(views["cable"].load[dofs] == 0)


def test_a_hint_that_moves_does_not_move_the_cable():
  """Published gate: 1e-9 m; here the hint goes right round the post, below it and away."""
  model, data, views = rig()
  view = views["cable"]
  before = view.length
  fly = model.joint("fly").qposadr[0]
  for angle in np.linspace(0, 2 * np.pi, 80):
    data.qpos[fly : fly + 3] = (0.3 * np.sin(angle), 0, 0.3 * np.cos(angle))
    build.settle(model, data)
    assert build.is_valid(view)
    assert view.length == pytest.approx(before, rel=1e-13)
    assert view.entry[0, 2] > 0


@pytest.mark.parametrize("way", ["site", "point"])
@pytest.mark.parametrize("up", [1, -1])
def test_the_side_decides_the_way_round(way, up):
  spec = build.new_spec(gravity=(0, 0, 0))
  build.idle_joint(spec)
  build.site(spec.worldbody, "start", (-0.4, 0, 0.02))
  build.site(spec.worldbody, "end", (0.4, 0, 0.02))
  quat = build.quat_z_to((0, 1, 0))
  build.cylinder(spec.worldbody, "post", (0, 0, 0), 0.1, quat=quat, half_length=1)
  build.site(spec.worldbody, "hint", (0, 0, 0.2 * up))
  point = tuple(build.matrix(quat).T @ np.array([0, 0, 0.2 * up]))
  side = "hint" if way == "site" else point
  route = [mjc.Anchor("start"), mjc.Wrap("post", side=side), mjc.Anchor("end")]
  _, _, views = build.compiled(
    spec, mjc.Cable(name="cable", route=route, axial=mjc.Axial(stiffness=10.0))
  )
  assert np.sign(views["cable"].entry[0, 2]) == up


def test_without_a_side_the_shorter_way_is_taken_and_remembered():
  spec = build.new_spec(gravity=(0, 0, 0))
  build.idle_joint(spec)
  rig = build.mocap(spec.worldbody, "rig", (0, 0, 0))
  build.site(rig, "start", (-0.4, 0, 0.03))
  build.site(rig, "end", (0.4, 0, 0.03))
  build.cylinder(spec.worldbody, "post", (0, 0, 0), 0.1, axis=(0, 1, 0), half_length=1)
  route = [mjc.Anchor("start"), mjc.Wrap("post"), mjc.Anchor("end")]
  model, data, views = build.compiled(
    spec, mjc.Cable(name="cable", route=route, axial=mjc.Axial(stiffness=10.0))
  )
  view = views["cable"]
  assert view.entry[0, 2] > 0
  for z in np.linspace(0, -0.5, 100):  # now the lower way would be shorter
    data.mocap_pos[0, 2] = z
    mujoco.mj_step(model, data)
    assert view.entry[0, 2] > 0
  # and a reset remembers the same side
  mujoco.mj_resetData(model, data)
  mujoco.mj_forward(model, data)
  assert view.entry[0, 2] > 0
