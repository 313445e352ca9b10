"""Conversion: tendons of the known robots before and after, as their report draws them."""

import importlib
from collections.abc import Iterator
from pathlib import Path

import mujocable as mjc
from mujocable.study.convert.pictures import Artist

# robot -> the tendon that is shown
TENDONS = {"exosuit": "lift", "tendon_finger": "flexor"}


def draw(folder: Path) -> Iterator[Path]:
  """Draws both pictures of each tendon into a folder."""
  for name, tendon in TENDONS.items():
    robot = importlib.import_module(f"mujocable.models.{name}")
    conversion = mjc.convert(robot.native(), poses=1, **robot.RECIPE)
    (one,) = [one for one in conversion.converted if one.tendon == tendon]
    artist = Artist(conversion)
    for when, picture in (("before", artist.before(tendon)), ("after", artist.after(one))):
      path = folder / f"{name}_{when}.svg"
      path.write_text(picture + "\n", encoding="utf-8")
      yield path
