"""What is added to a drawn model: judged by projecting it through a pinhole camera of our own."""

import subprocess
import sys

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.viewer import dressing, palette

HEIGHT = 480
BARE = """
<mujoco>
  <worldbody>
    <site name="a" pos="-.5 0 .5"/> <site name="b" pos=".5 0 .5"/>
    <body pos="0 0 .2"> <geom type="box" size=".1 .1 .05"/> </body>
  </worldbody>
</mujoco>
"""
DRESSED = BARE.replace(
  "<worldbody>",
  """<asset><texture type="skybox" builtin="gradient" width="8" height="48"/></asset>
  <worldbody><geom type="plane" size="1 1 .1"/>""",
)


def drawn(xml, distance):
  """The scene of a thin cable as it is and dressed; the eye, the view and the focal length [px]."""
  spec = mujoco.MjSpec.from_string(xml)
  route = [mjc.Anchor("a"), mjc.Anchor("b")]
  mjc.add_cable(
    spec, mjc.Cable("thin", route, mjc.Axial(stiffness=10.0, pretension=1.0), radius=1e-5)
  )
  model = spec.compile()
  data = mujoco.MjData(model)
  mujoco.mj_forward(model, data)
  camera = mujoco.MjvCamera()
  camera.lookat[:], camera.distance, camera.elevation = (0, 0, 0.5), distance, -10.0
  scenes = [mujoco.MjvScene(model, maxgeom=100) for _ in range(2)]
  for scene in scenes:
    everything = int(mujoco.mjtCatBit.mjCAT_ALL)
    option = mujoco.MjvOption()
    mujoco.mjv_updateScene(model, data, option, None, camera, everything, scene)
  dressing.Dressing(model, [data], HEIGHT).add(scenes[1])
  focal = HEIGHT / 2 / np.tan(np.deg2rad(model.vis.global_.fovy) / 2)
  return model, data, scenes, focal


def cables(scene):
  return [g for g in scene.geoms[: scene.ngeom] if g.type == mujoco.mjtGeom.mjGEOM_CAPSULE]


@pytest.mark.parametrize("distance", [0.8, 3.0, 20.0])
def test_a_cable_is_never_thinner_than_two_pixels(distance):
  _, _, (before, after), focal = drawn(BARE, distance)
  eye = np.mean([after.camera[i].pos for i in range(2)], axis=0)
  view = np.asarray(after.camera[0].forward)
  for scene, wide in ((before, False), (after, True)):
    (cable,) = cables(scene)
    pixels = 2 * cable.size[0] * focal / ((np.asarray(cable.pos) - eye) @ view)
    assert (pixels >= 2) == wide
  # nothing else is made larger
  boxes = [[g.size for g in s.geoms[: s.ngeom] if g.type == 6] for s in (before, after)]
  assert np.array_equal(*boxes)


def test_sky_and_floor_come_only_where_there_are_none():
  kinds = mujoco.mjtGeom.mjGEOM_PLANE, mujoco.mjtGeom.mjGEOM_SPHERE
  _, data, (before, after), _ = drawn(BARE, 2.0)
  new = list(after.geoms[before.ngeom : after.ngeom])
  assert [g.type for g in new] == list(kinds)
  floor, sky = new
  lowest = data.geom_xpos[0, 2] - 0.05
  assert lowest - 0.2 < floor.pos[2] < lowest
  eye = np.mean([after.camera[i].pos for i in range(2)], axis=0)
  assert np.linalg.norm(np.asarray(sky.pos) - eye) < sky.size[0]
  _, _, (before, after), _ = drawn(DRESSED, 2.0)
  assert before.ngeom == after.ngeom


def test_the_legend_shows_the_colors_of_the_engine():
  model, data, _, _ = drawn(BARE, 2.0)
  label = dressing.legend(list(mjc.bind(model, data).values()), 720)
  for place in (0.0, 0.5, 1.0):
    off = np.abs(label[:, :, :3] - palette.color(place)).max(axis=2)
    assert off.min() < 0.03, place
  picture = np.zeros((100, 400, 3), np.uint8)
  stamped = dressing.stamp(picture, label)
  assert stamped.shape == picture.shape and not picture.any() and stamped.any()
  # too small a picture stays as it is
  assert dressing.stamp(picture[:20], label) is not None
  assert not dressing.stamp(picture[:20], label).any()


def test_a_picture_of_a_bare_model_is_not_black():
  code = f"""
import sys
import mujoco
import mujocable
from mujocable.viewer import offscreen
if offscreen.switch_on() is None:
  sys.exit(offscreen.why_not())
model = mujoco.MjModel.from_xml_string({BARE!r})
data = mujoco.MjData(model)
(picture,) = offscreen.frames(model, [offscreen.snapshot(model, data)], -1, 160, 120)
print(picture.min(axis=2).mean() > 60 and picture[0].min() > 100)
"""
  done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
  if "no offscreen OpenGL" in done.stderr:
    pytest.skip(done.stderr)
  assert done.stdout.strip() == "True", done.stderr
