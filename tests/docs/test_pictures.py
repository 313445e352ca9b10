"""The pictures of the pages are those that the commands draw."""

import re
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest

from website.pictures import concepts, friction, gallery

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


def test_every_picture_of_the_gallery_is_of_a_model():
  pictures = {path.stem for path in (DOCS / "images" / "gallery").iterdir()}
  assert pictures and pictures <= set(gallery.names())
  assert set(gallery.POSES) <= set(gallery.names())
