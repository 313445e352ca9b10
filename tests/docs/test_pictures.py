"""The pictures of the pages are those that the commands draw."""

import re
from pathlib import Path

import matplotlib.image
import numpy as np

from website.pictures import concepts, conversion, gallery

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_concepts_are_drawn_by_the_engine(tmp_path):
  drawn = {path.name: path for path in concepts.draw(tmp_path)}
  stored = {path.name: path for path in (DOCS / "images" / "concepts").iterdir()}
  page = (DOCS / "concepts.md").read_text(encoding="utf-8")
  assert set(drawn) == set(stored) == set(re.findall(r"images/concepts/([\w.]+)", page))
  for name, path in drawn.items():
    new, old = matplotlib.image.imread(path), matplotlib.image.imread(stored[name])
    # fonts and lines may differ by a version of matplotlib, curves may not: few pixels change
    assert new.shape == old.shape, name
    changed = np.mean(np.abs(new - old).max(axis=-1) > 0.5)
    assert changed < 0.02, f"{name}: {changed:.1%}; cure: python -m website.pictures concepts"


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
  assert pictures and pictures <= set(gallery.names())
  assert set(gallery.POSES) <= set(gallery.names())
