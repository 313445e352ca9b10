"""MuJoCo's own window: its figures hold the history, and where none can open it is said why."""

import subprocess
import sys

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.errors import NoDisplay
from mujocable.models import finger, spirob
from mujocable.viewer import native, palette
from mujocable.viewer.figures import Figures
from mujocable.viewer.live import Live


@pytest.fixture
def live():
  live = Live(finger.build().compile())
  live.command(0, 0.01)
  live.step(400)
  return live


def test_the_plots_are_the_history(live):
  figures = Figures(live)
  figures.update()
  time, source, _, take_up = live.history.arrays()
  for figure, values in ((figures.tension, source), (figures.take_up, 1e3 * take_up)):
    for i, name in enumerate(live.cables):
      points = figure.linedata[i, : 2 * figure.linepnt[i]].reshape(-1, 2)
      assert figure.linename[i].decode() == name
      assert points == pytest.approx(np.stack([time, values[:, i]], axis=1), rel=1e-6)
    low, high = figure.range[1]
    assert low < values.min() and values.max() < high
    assert figure.range[0] == pytest.approx([time[0], time[-1]])


def test_the_legend_names_the_colors_of_the_engine(live):
  legend = Figures(Live(spirob.build().compile())).legend
  names = [name.decode() for name in legend.linename[:5]]
  assert names == ["0", "2.67", "5.33", "8 N", "slack"]
  assert legend.linergb[:4] == pytest.approx(np.array(palette.STOPS))
  assert legend.linergb[4] == pytest.approx(palette.SLACK[:3])


def test_figures_stand_above_each_other_inside_the_window(live):
  placed = Figures(live).placed(mujoco.MjrRect(30, 10, 1200, 900))
  boxes = [(r.left, r.bottom, r.width, r.height) for r, _ in placed]
  assert len(boxes) == 3
  for i, (left, bottom, width, height) in enumerate(boxes):
    assert left == 30 and bottom == 10 + i * height and width <= 1200
    assert bottom + height <= 10 + 900


def test_the_free_camera_sees_what_the_models_camera_sees():
  model = spirob.build().compile()
  data = mujoco.MjData(model)
  mujoco.mj_forward(model, data)
  camera, scene = mujoco.MjvCamera(), mujoco.MjvScene(model, maxgeom=1000)
  mujoco.mjv_defaultFreeCamera(model, camera)
  native.aim(camera, model, data)
  everything = int(mujoco.mjtCatBit.mjCAT_ALL)
  mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, camera, everything, scene)
  forward = -data.cam_xmat[0].reshape(3, 3)[:, 2]
  assert scene.camera[0].forward == pytest.approx(forward, abs=1e-6)
  # the same height of the scene fills the picture at the depth of the model
  seen = 2 * camera.distance * np.tan(np.deg2rad(model.vis.global_.fovy) / 2)
  depth = (model.stat.center - data.cam_xpos[0]) @ forward
  assert seen == pytest.approx(2 * depth * np.tan(np.deg2rad(model.cam_fovy[0]) / 2))


def test_without_a_display_it_says_so_and_what_to_do(monkeypatch):
  monkeypatch.setattr(sys, "platform", "linux")
  for name in ("DISPLAY", "WAYLAND_DISPLAY"):
    monkeypatch.delenv(name, raising=False)
  with pytest.raises(NoDisplay, match=r"no display here.*DISPLAY.*mujocable\.viewer\.web"):
    native.launch(finger.build().compile())


def test_on_a_mac_it_asks_for_mjpython(monkeypatch):
  viewer = type(sys)("mujoco.viewer")
  viewer.__dict__["_MJPYTHON"] = None
  monkeypatch.setattr(sys, "platform", "darwin")
  monkeypatch.setitem(sys.modules, "mujoco.viewer", viewer)
  assert "needs mjpython: mjpython" in native.why_not()
  viewer.__dict__["_MJPYTHON"] = object()
  assert native.why_not() == ""


def test_it_takes_a_model_and_says_so():
  with pytest.raises(mjc.CableError, match="takes an MjModel, got MjSpec"):
    native.launch(mujoco.MjSpec())


CHILD = """
import sys
import mujoco
import numpy as np
from mujocable.models import spirob
from mujocable.viewer import offscreen
from mujocable.viewer.figures import Figures
from mujocable.viewer.live import Live

if offscreen.switch_on() is None:
  print(offscreen.why_not())
  sys.exit()
live = Live(spirob.build().compile())
live.command(0, 0.05)
live.step(1000)
figures = Figures(live)
figures.update()
with mujoco.Renderer(live.model, 480, 640) as renderer:
  renderer.update_scene(live.data)
  renderer.render()
  picture = np.zeros((480, 640, 3), np.uint8)
  window = mujoco.MjrRect(0, 0, 640, 480)
  context = renderer._mjr_context
  for place, figure in figures.placed(window):
    mujoco.mjr_figure(place, figure, context)
    mujoco.mjr_readPixels(picture, None, window, context)
    box = picture[place.bottom : place.bottom + place.height, :place.width].reshape(-1, 3)
    print(len(np.unique(box, axis=0)))
"""


def test_the_figures_can_be_drawn():
  done = subprocess.run(
    [sys.executable, "-c", CHILD], capture_output=True, text=True, check=False, timeout=120
  )
  assert done.returncode == 0, done.stderr
  if "no offscreen OpenGL" in done.stdout:
    pytest.skip(done.stdout)
  colors = [int(line) for line in done.stdout.split()]
  assert len(colors) == 3 and min(colors) > 10  # panes, grids, lines, text
