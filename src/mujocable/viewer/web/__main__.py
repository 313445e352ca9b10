"""python -m mujocable.viewer.web model.xml: shows a model in the browser."""

import argparse
import sys
from collections.abc import Sequence

import mujoco

from mujocable.errors import CableError


def main(arguments: Sequence[str] | None = None) -> int:
  """Serves until Ctrl+C; returns the exit status."""
  parser = argparse.ArgumentParser(prog="python -m mujocable.viewer.web", description=__doc__)
  parser.add_argument("model", help="an MJCF file")
  parser.add_argument("--port", type=int, default=8080, help="0 for any free one")
  parser.add_argument("--speed", type=float, default=1.0, help="simulated seconds per second")
  parser.add_argument("--paused", action="store_true", help="start without moving")
  parser.add_argument("--open", action="store_true", help="open the page in the browser")
  options = parser.parse_args(arguments)
  try:
    from mujocable.viewer.web.page import serve

    model = mujoco.MjModel.from_xml_path(options.model)
    serve(
      model,
      port=options.port,
      speed=options.speed,
      paused=options.paused,
      open_browser=options.open,
    )
  except (CableError, ImportError, OSError, ValueError) as error:
    print(f"error: {error}", file=sys.stderr)
    return 1
  return 0


if __name__ == "__main__":
  sys.exit(main())
