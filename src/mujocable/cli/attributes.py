"""mujocable attributes: the engine's own table of configuration keys, as Markdown.

`--into FILE` rewrites the table between the markers in that file.
"""

from pathlib import Path
from typing import Annotated

import typer

from mujocable.cli import console
from mujocable.cli.options import JsonOption
from mujocable.runtime.library import library

BEGIN = "<!-- attributes: begin (by python -m mujocable.cli attributes --into docs/mjcf.md) -->"
END = "<!-- attributes: end -->"


def rows() -> list[list[str]]:
  """The engine's own: key, unit, default, accepted values, meaning."""
  return [line.split("|") for line in library().mujocable_attributes().decode().splitlines()]


def table() -> str:
  """One row per key: key, unit, default, accepted values, meaning."""
  lines = ["| key | unit | default | accepted | meaning |", "|---|---|---|---|---|"]
  for key, unit, default, accepted, meaning in rows():
    cells = [f"`{key}`", unit, f"`{default}`" if default else "", accepted, meaning]
    lines.append("| " + " | ".join(cells) + " |")
  return "\n".join(lines) + "\n"


def insert(text: str) -> str:
  """The text with the table between its markers; ValueError where a marker is missing."""
  return console.between(text, BEGIN, END, table())


@console.verb
def command(
  into: Annotated[Path | None, typer.Option(help="a Markdown file with the markers")] = None,
  json: JsonOption = False,
):
  """The **configuration keys** of a cable in MJCF: units, defaults, accepted values.

  Example: `mujocable attributes`
  """
  if json:
    names = ("key", "unit", "default", "accepted", "meaning")
    console.print_json([dict(zip(names, row, strict=True)) for row in rows()])
  elif into is None:
    print(table(), end="")
  else:
    console.refresh(into, insert)
