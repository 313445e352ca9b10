"""MuJoCo's own drawing shows which contacts hold the cable and which let it slide."""

import mujoco
import numpy as np
import pytest

import mujocable as mjc

HOLDS, SLIDES = (0.08, 0.08, 0.08), (1.0, 0.55, 0.1)


def knobs(friction, right):
  """Colors of the points drawn where a contact begins and ends, after half a second."""
  spec = mujoco.MjSpec.from_string(f"""
    <mujoco><worldbody><site name="over" pos="0 0 1.3"/>
      <geom name="post" type="cylinder" size=".1 .05" pos="0 0 1" euler="90 0 0"/>
      <body pos="-.1 0 .2"><joint type="slide" axis="0 0 1"/>
        <geom type="box" size=".03 .03 .03" mass="1"/><site name="left" group="4"/></body>
      <body pos=".1 0 .2"><joint type="slide" axis="0 0 1"/>
        <geom type="box" size=".03 .03 .03" mass="{right}"/><site name="right" group="4"/></body>
    </worldbody></mujoco>""")
  spec.site("over").group = 4
  route = [mjc.Anchor("left"), mjc.Wrap("post", side="over"), mjc.Anchor("right")]
  axial = mjc.Axial(stiffness=2e4, damping=40.0, pretension=9.81)
  mjc.add_cable(spec, mjc.Cable("c", route, axial, friction=friction))
  model = spec.compile()
  data = mujoco.MjData(model)
  for _ in range(250):
    mujoco.mj_step(model, data)
  scene = mujoco.MjvScene(model, maxgeom=200)
  everything = int(mujoco.mjtCatBit.mjCAT_ALL)
  mujoco.mjv_updateScene(
    model, data, mujoco.MjvOption(), None, mujoco.MjvCamera(), everything, scene
  )
  found = [g for g in scene.geoms[: scene.ngeom] if g.type == mujoco.mjtGeom.mjGEOM_SPHERE]
  view = mjc.bind(model, data)["c"]
  for geom, place in zip(found, (view.entry[0], view.exit[0]), strict=len(found) > 0):
    assert np.asarray(geom.pos) == pytest.approx(place, abs=1e-6)
  return [tuple(np.round(np.asarray(g.rgba)[:3], 3).tolist()) for g in found]


def test_contacts_that_hold_and_contacts_that_slide_look_different():
  assert knobs(0.3, 1.5) == [pytest.approx(HOLDS, abs=1e-3)] * 2
  assert knobs(0.1, 2.0) == [pytest.approx(SLIDES, abs=1e-3)] * 2
  assert knobs(0.0, 1.5) == []
