"""Pictures without a display: back-ends are tried safely, and the cable is where it is drawn."""

import inspect
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.viewer import offscreen


def test_only_the_back_end_asked_for_is_tried(monkeypatch):
  monkeypatch.setenv("MUJOCO_GL", "OSMesa")
  assert offscreen.candidates() == ["osmesa"]
  assert "MUJOCO_GL=OSMesa" in offscreen.why_not()


def test_drawing_can_be_turned_off(monkeypatch):
  monkeypatch.setenv("MUJOCO_GL", "off")
  assert offscreen.candidates() == [] and offscreen.switch_on() is None
  assert "MUJOCO_GL=off" in offscreen.why_not()


def test_a_back_end_that_kills_the_process_is_survived(monkeypatch):
  monkeypatch.setattr(offscreen, "_PROBE", "import os; os.abort()")
  assert not offscreen.works("egl")


def test_an_unknown_back_end_does_not_work():
  assert not offscreen.works("nonsense")


CHILD = """
import sys
import mujoco
import numpy as np
from mujocable.models import winch
from mujocable.viewer import offscreen
import mujocable as mjc

if offscreen.switch_on() is None:
  print(offscreen.why_not())
  sys.exit()
params = winch.Winch(slack=-0.003)  # taut from the start
model = winch.build(params).compile()
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
state = offscreen.snapshot(model, data)
size = 600, 400
with_cable = next(offscreen.frames(model, [state], winch.CAMERA, *size)).astype(int)
with mujoco.Renderer(model, size[1], size[0]) as renderer:
  option = mujoco.MjvOption()
  option.flags[mujoco.mjtVisFlag.mjVIS_TENDON] = False
  renderer.update_scene(data, winch.CAMERA, option)
  without = renderer.render().astype(int)
changed = np.abs(with_cable - without).sum(axis=2) > 30
points = mjc.bind(model, data)[winch.CABLE].points
pixels = np.array([offscreen.pixel(data, winch.CAMERA, p, *size) for p in points])
np.savez(sys.argv[1], changed=changed, pixels=pixels)
print("drawn")
"""


def test_the_cable_is_drawn_along_its_points(tmp_path):
  """Pixels that change when the cable is drawn lie on its projected polyline, all along it."""
  out = tmp_path / "out.npz"
  command = [sys.executable, "-c", CHILD, str(out)]
  done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
  assert done.returncode == 0, done.stderr
  if "drawn" not in done.stdout:
    assert "libegl1" in done.stdout and "libosmesa6" in done.stdout
    return
  result = np.load(out)
  changed, pixels = result["changed"], result["pixels"]
  rows, columns = np.nonzero(changed)
  spots = np.stack([columns, rows], axis=1) + 0.5
  assert len(spots) > 300
  # fine points along the polyline
  fine = np.concatenate([np.linspace(a, b, 50) for a, b in pairwise(pixels)])
  apart = np.array([np.linalg.norm(fine - spot, axis=1).min() for spot in spots])
  assert apart.max() < 4  # [pixels]: nothing elsewhere
  near = np.array([np.linalg.norm(spots - point, axis=1).min() for point in fine])
  assert np.mean(near < 4) > 0.9  # the flange of the sheave may hide a little


def test_pictures_of_the_usual_size_fit_any_model():
  """MuJoCo refuses those that are larger than the model says, or its default."""
  usual = inspect.signature(offscreen.frames).parameters
  screen = mujoco.MjModel.from_xml_string("<mujoco/>").vis.global_
  assert usual["width"].default <= screen.offwidth
  assert usual["height"].default <= screen.offheight


@pytest.mark.parametrize("suffix", [".mp4", ".gif"])
def test_videos_are_written(tmp_path, suffix):
  path = tmp_path / f"video{suffix}"
  pictures = [np.full((48, 64, 3), shade, dtype=np.uint8) for shade in (0, 100, 200)]
  offscreen.write_video(path, pictures, fps=10)
  magic = {".mp4": (4, b"ftyp"), ".gif": (0, b"GIF8")}[suffix]
  assert Path(path).read_bytes()[magic[0] : magic[0] + 4] == magic[1]


def test_framing_sees_every_point_of_the_cables():
  """Judge: the angle between the line of sight and each point, from the camera's own numbers."""
  from mujocable.models import winch

  model = winch.build().compile()
  data = mujoco.MjData(model)
  mujoco.mj_forward(model, data)
  camera = offscreen.framing(model, [offscreen.snapshot(model, data)])
  azimuth, elevation = np.deg2rad([camera.azimuth, camera.elevation])
  flat = np.array([np.cos(azimuth), np.sin(azimuth), 0]) * np.cos(elevation)
  forward = flat + np.array([0, 0, np.sin(elevation)])
  eye = camera.lookat - camera.distance * forward
  rays = mjc.bind(model, data)["hoist"].points - eye
  cosine = rays @ forward / np.linalg.norm(rays, axis=1)
  assert np.all(np.arccos(cosine) < np.deg2rad(model.vis.global_.fovy) / 2)
