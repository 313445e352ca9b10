"""The pictures of the pages are those that the commands draw."""

import re
from pathlib import Path

import matplotlib.image
import mujoco
import numpy as np
import PIL.Image
import pytest

from mujocable.models import capstan
from mujocable.runtime.view import bind
from mujocable.viewer import offscreen
from website.pictures import concepts, conversion, derailing, friction, gallery

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("drawer", [concepts, friction], ids=["concepts", "friction"])
def test_pictures_are_drawn_by_the_engine(drawer, tmp_path):
  page = drawer.__name__.rpartition(".")[2]
  drawn = {path.name: path for path in drawer.draw(tmp_path)}
  stored = {path.name: path for path in (DOCS / "images" / page).iterdir()}
  text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
  assert set(drawn) == set(stored) == set(re.findall(rf"images/{page}/([\w.]+)", text))
  for name, path in drawn.items():
    new, old = matplotlib.image.imread(path), matplotlib.image.imread(stored[name])
    # fonts and lines may differ by a version of matplotlib, curves may not: few pixels change
    assert new.shape == old.shape, name
    changed = np.mean(np.abs(new - old).max(axis=-1) > 0.5)
    assert changed < 0.02, f"{name}: {changed:.1%}; cure: python -m website.pictures {page}"


def test_conversions_are_drawn_as_their_report_draws_them(tmp_path):
  """Every corner of every line and outline, to a pixel."""
  drawn = {path.name: path.read_text() for path in conversion.draw(tmp_path)}
  stored = {path.name: path.read_text() for path in (DOCS / "images" / "conversion").iterdir()}
  page = (DOCS / "tutorials" / "from_tendon_to_cable.md").read_text(encoding="utf-8")
  assert set(drawn) == set(stored) == set(re.findall(r"images/conversion/([\w.]+)", page))
  for name, text in drawn.items():
    new, old = (
      [float(x) for x in re.findall(r"-?[\d.]+(?=[ ,\"])", " ".join(_corners(one)))]
      for one in (text, stored[name])
    )
    assert len(new) == len(old) > 20, name
    assert np.abs(np.array(new) - old).max() < 1, f"{name}: python -m website.pictures conversion"


def _corners(svg):
  return [f"{points} " for points in re.findall(r'points="([^"]+)"', svg)]


def test_every_picture_of_the_gallery_is_of_a_model():
  pictures = {path.stem for path in (DOCS / "images" / "gallery").iterdir()}
  assert "front" in pictures and pictures <= {*gallery.names(), "front"}
  assert {*gallery.LOOPS, *gallery.FRONT} <= set(gallery.names())


def test_the_moving_pictures_move_and_are_small():
  pages = (DOCS / "images" / "gallery", DOCS / "images" / "derailing")
  for path in (path for page in pages for path in page.iterdir()):
    with PIL.Image.open(path) as picture:
      assert picture.is_animated and picture.n_frames > 5, path.name
    assert path.stat().st_size < 500_000, path.name


def test_the_film_shows_a_cable_that_leaves_its_sheave_and_one_that_is_held():
  module = derailing.example()
  for keeper in (False, True):
    model = derailing.dressed(module, keeper).compile()
    states = derailing.film(module, model)
    seen = [
      bind(model, offscreen.restore(model, state))["tackle"].derailments for state in states[::6]
    ]
    assert seen[0] == 0 and seen[-1] == (0 if keeper else 1)


def test_a_fitted_camera_sees_all_of_the_robot_and_not_much_more():
  """Judge: a pinhole camera of our own and the corners of the boxes around the geoms."""
  model = capstan.build().compile()
  shown = model.geom_type != mujoco.mjtGeom.mjGEOM_PLANE
  states = gallery.move(model, "capstan")[:3]
  gallery.fit(model, capstan.CAMERA, states, 4 / 3)
  for state in states:
    data = offscreen.restore(model, state)
    pixels = [offscreen.pixel(data, capstan.CAMERA, p, 400, 300) for p in data.geom_xpos[shown]]
    assert np.all(np.array(pixels) > 0) and np.all(np.array(pixels) < (400, 300))
  spread = np.ptp(np.array(pixels), axis=0)
  assert spread.max() > 0.4 * 300
