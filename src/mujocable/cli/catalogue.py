"""mujocable catalogue: cable materials and friction pairs with their sources, as Markdown.

`mujocable catalogue "steel 7x19" 0.8` shows one material at a diameter in mm; `--into FILE`
rewrites the tables between the markers in that file.
"""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from mujocable.catalogue import FRICTION, MATERIALS, material
from mujocable.cli import console
from mujocable.cli.options import JsonOption

BEGIN = "<!-- catalogue: begin (by python -m mujocable.cli catalogue --into docs/design.md) -->"
END = "<!-- catalogue: end -->"


def tables() -> str:
  """Materials at 1 mm, friction pairs, and the sources of both."""
  lines = [
    "| material | EA at 1 mm [kN] | breaks at 1 mm [N] | mass at 1 mm [g/m] | source |",
    "|---|--:|--:|--:|---|",
  ]
  for name in MATERIALS:
    one = material(name, 1e-3)
    cells = (f"{one.EA / 1e3:.3g}", f"{one.max_tension:.0f}", f"{1e3 * one.mass_per_length:.3g}")
    lines.append(f"| `{name}` | {' | '.join(cells)} | {one.source} |")
  lines += ["", "| pair | friction | tables and tests spread | source |", "|---|--:|--:|---|"]
  for pair, one in FRICTION.items():
    spread = f"{one.low:.2f} to {one.high:.2f}" if one.high > one.low else ""
    lines.append(f"| {' on '.join(pair)} | {one.value:.2f} | {spread} | {one.source} |")
  return "\n".join(lines) + "\n"


def insert(text: str) -> str:
  """The text with the tables between its markers; ValueError where a marker is missing."""
  return console.between(text, BEGIN, END, tables())


@console.verb
def command(
  name: Annotated[
    str | None, typer.Argument(metavar="[MATERIAL]", help="a material by name")
  ] = None,
  diameter: Annotated[float, typer.Argument(help="in mm")] = 1.0,
  safety: Annotated[float, typer.Option(help="breaking load / tension limit")] = 1.0,
  into: Annotated[Path | None, typer.Option(hidden=True)] = None,
  json: JsonOption = False,
):
  """**Cable materials** and friction pairs, with their sources.

  Examples: `mujocable catalogue` · `mujocable catalogue "steel 7x19" 0.8 --safety 5`
  """
  if into is not None:
    console.refresh(into, insert)
  elif json:
    console.print_json(_data(name, diameter, safety))
  else:
    print(_one(name, diameter, safety) if name else tables().rstrip())


def _data(name: str | None, diameter: float, safety: float) -> dict:
  materials = {
    n: asdict(material(n, 1e-3 * diameter, safety)) for n in ([name] if name else MATERIALS)
  }
  pairs = [] if name else [{"pair": list(p), **asdict(one)} for p, one in FRICTION.items()]
  return {"diameter_mm": diameter, "materials": materials, "friction": pairs}


def _one(name: str, diameter: float, safety: float) -> str:
  one = material(name, 1e-3 * diameter, safety)
  return "\n".join(
    [
      f"{name}, {diameter:g} mm",
      f"  EA               {one.EA:.4g} N (1 m: {one.stiffness(1.0):.4g} N/m)",
      f"  tension limit    {one.max_tension:.4g} N (breaking load / {safety:g})",
      f"  mass per length  {1e3 * one.mass_per_length:.3g} g/m",
      f"  source           {one.source}",
    ]
  )
