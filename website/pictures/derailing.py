"""Derailing: the tackle of the example, filmed without and with a keeper, side by side."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import mujoco
import numpy as np

import mujocable as mjc
from mujocable.viewer import offscreen
from website.links import ROOT
from website.pictures import gallery

SIZE = 440, 480  # of each half [pixels]
FPS = 15
BEGIN, END = 0.6, 1.9  # what is filmed [s]
SLOWER = 3  # than it is
_STEEL, _WOOD = [0.62, 0.66, 0.7, 1.0], [0.72, 0.53, 0.34, 1.0]


def example() -> ModuleType:
  """examples/derailing_tackle.py."""
  path = ROOT / "examples" / "derailing_tackle.py"
  found = importlib.util.spec_from_file_location("derailing_tackle", path)
  assert found is not None and found.loader is not None
  module = importlib.util.module_from_spec(found)
  found.loader.exec_module(module)
  return module


def draw(folder: Path) -> Iterator[Path]:
  """One film: the cable leaves its sheave on the left, a keeper holds it on the right."""
  if offscreen.switch_on() is None:
    raise SystemExit(offscreen.why_not())
  module = example()
  halves = [pictures(module, keeper) for keeper in (False, True)]
  path = folder / "tackle.webp"
  gallery.write(path, [np.hstack(pair) for pair in zip(*halves, strict=True)])
  yield path


def pictures(module: ModuleType, keeper: bool) -> list[np.ndarray]:
  """The frames of one run."""
  model = dressed(module, keeper).compile()
  states = film(module, model)
  camera = mujoco.MjvCamera()
  camera.lookat[:] = -0.2, 0.1, 1.48
  camera.distance, camera.azimuth, camera.elevation = 2.1, 140.0, -4.0
  return list(offscreen.frames(model, states, camera, *SIZE, legend=True))


def dressed(module: ModuleType, keeper: bool) -> mujoco.MjSpec:
  """The tackle with flanges, a beam and colors to look at; nothing of it is touched."""
  spec = module.build(keeper)
  spec.visual.global_.offwidth, spec.visual.global_.offheight = SIZE
  look = {"contype": 0, "conaffinity": 0, "mass": 0.0}
  for name in ("fixed", "moving"):
    wheel = spec.geom(name)
    wheel.rgba, wheel.size[1] = _STEEL, 0.6 * module.DEPTH
    for side in (-1, 1):
      wheel.parent.add_geom(
        type=mujoco.mjtGeom.mjGEOM_CYLINDER,
        size=[module.RADIUS + module.DEPTH, 0.002, 0],
        pos=wheel.pos + np.array([0, side * module.DEPTH, 0]),
        zaxis=[0, 1, 0],
        rgba=_STEEL,
        **look,
      )
  box = mujoco.mjtGeom.mjGEOM_BOX
  spec.worldbody.add_geom(type=box, size=[0.35, 0.05, 0.02], pos=[0, 0, 2.22], rgba=_WOOD, **look)
  return spec


def film(module: ModuleType, model: mujoco.MjModel) -> list[np.ndarray]:
  """Snapshots of the run, from a little before the event on."""
  data = mujoco.MjData(model)
  mjc.hush(model, data)
  cable = mjc.bind(model, data)["tackle"]
  states = []
  count = round((END - BEGIN) * FPS * SLOWER)
  for frame in range(count):
    while data.time < BEGIN + frame / (FPS * SLOWER):
      module.step(model, data, cable)
    mujoco.mj_forward(model, data)
    states.append(offscreen.snapshot(model, data))
  return states
