"""Anchors, guides and surfaces on mocap bodies: their pose counts, in the same forward call."""

import mujoco
import numpy as np
import pytest
from oracles import build
from oracles.taut import Obstacle, taut_path

import mujocable as mjc


def test_the_length_follows_every_mocap_body():
  spec = build.new_spec(gravity=(0, 0, 0))
  load = build.body(spec.worldbody, "load", pos=(1.0, 0, 0))
  load.add_joint(name="x", type=build.SLIDE, axis=(1, 0, 0))
  build.site(load, "hook", (0, 0, 0))
  hand = build.mocap(spec.worldbody, "hand", (-1, 0, 0))
  build.site(hand, "grip", (0, 0, 0.05))
  pin = build.mocap(spec.worldbody, "pin", (0, 0, -0.02))
  build.cylinder(pin, "pin", (0, 0, 0), 0.1, axis=(0, 1, 0), half_length=2)
  build.site(pin, "pin_side", (0, 0, 0.3))
  route = [mjc.Anchor("grip"), mjc.Wrap("pin", side="pin_side"), mjc.Anchor("hook")]
  cable = mjc.Cable(name="cable", route=route, axial=mjc.Axial(stiffness=100.0))
  model, data, views = build.compiled(spec, cable)
  view = views["cable"]
  rng = np.random.default_rng(0)
  mat = build.matrix(build.quat_z_to((0, 1, 0)))
  touched = set()
  pos = data.mocap_pos.copy()
  for k in range(300):
    pos = pos + rng.normal(size=pos.shape) * 0.003
    data.mocap_pos[:] = pos
    data.mocap_pos[1, 2] += 0.15 * np.sin(k / 15)  # the pin dives away and comes back
    mujoco.mj_forward(model, data)
    center = data.geom("pin").xpos.copy()
    obstacle = Obstacle("cylinder", 0.1, center, mat, center + np.array([0, 0, 0.3]))
    want = taut_path(data.site("grip").xpos, data.site("hook").xpos, [obstacle])
    assert build.is_valid(view)
    assert view.length == pytest.approx(want.length, rel=1e-9)
    touched.add(want.arcs[0] is not None)
    mujoco.mj_step(model, data)
    data.qpos[:], data.qvel[:] = 0, 0
  assert touched == {True, False}
