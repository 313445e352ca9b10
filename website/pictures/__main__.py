"""python -m website.pictures [name ...]: draws the pictures of the pages, or some of them."""

import argparse
from pathlib import Path

from website.pictures import concepts, conversion, derailing, friction, gallery

DRAWERS = {
  "concepts": concepts.draw,
  "conversion": conversion.draw,
  "derailing": derailing.draw,
  "friction": friction.draw,
  "gallery": gallery.draw,
}


def main() -> int:
  """Draws what is named, or everything."""
  parser = argparse.ArgumentParser(prog="python -m website.pictures", description=__doc__)
  parser.add_argument("name", nargs="*", help=f"what to draw: {', '.join(DRAWERS)} (default: all)")
  parser.add_argument("--out", type=Path, default=Path("docs/images"), help="folder for pictures")
  arguments = parser.parse_args()
  for name in arguments.name:
    if name not in DRAWERS:
      parser.error(f"{name!r} is not drawn here; accepted: {', '.join(DRAWERS)}")
  for name in arguments.name or DRAWERS:
    folder = arguments.out / name
    folder.mkdir(parents=True, exist_ok=True)
    for path in DRAWERS[name](folder):
      print(path)
  return 0


if __name__ == "__main__":
  raise SystemExit(main())
