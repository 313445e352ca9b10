"""mujocable attributes: the engine's own table of configuration keys, as Markdown.

`--into FILE` rewrites the table between the markers in that file.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from mujocable.runtime.library import library

BEGIN = "<!-- attributes: begin (by python -m mujocable.cli.attributes --into docs/mjcf.md) -->"
END = "<!-- attributes: end -->"


def table() -> str:
  """One row per key: key, unit, default, accepted values, meaning."""
  rows = [line.split("|") for line in library().mujocable_attributes().decode().splitlines()]
  lines = ["| key | unit | default | accepted | meaning |", "|---|---|---|---|---|"]
  for key, unit, default, accepted, meaning in rows:
    cells = [f"`{key}`", unit, f"`{default}`" if default else "", accepted, meaning]
    lines.append("| " + " | ".join(cells) + " |")
  return "\n".join(lines) + "\n"


def insert(text: str) -> str:
  """The text with the table between its markers; ValueError where a marker is missing."""
  before, _, rest = text.partition(BEGIN)
  _, found, after = rest.partition(END)
  if not found:
    raise ValueError(f"the markers are missing; needed are the lines {BEGIN!r} and {END!r}")
  return f"{before}{BEGIN}\n\n{table()}\n{END}{after}"


def main(arguments: Sequence[str] | None = None) -> int:
  """Prints the table, or writes it into a file."""
  parser = argparse.ArgumentParser(prog="mujocable attributes", description=__doc__)
  parser.add_argument("--into", type=Path, metavar="FILE", help="a Markdown file with the markers")
  into = parser.parse_args(arguments).into
  if into is None:
    print(table(), end="")
    return 0
  try:
    into.write_text(insert(into.read_text(encoding="utf-8")), encoding="utf-8")
  except (OSError, ValueError) as error:
    print(f"{into}: {error}", file=sys.stderr)
    return 1
  return 0


if __name__ == "__main__":
  sys.exit(main())
