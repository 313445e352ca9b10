"""mujocable convert: MuJoCo's own spatial tendons become cables."""

import os
from pathlib import Path
from typing import Annotated

import mujoco
import typer
from rich.markup import escape
from rich.table import Table

from mujocable.cli import console
from mujocable.cli.console import JsonOption, ModelArgument, Problem
from mujocable.study.convert import Conversion
from mujocable.study.convert import convert as convert_spec


@console.verb
def command(
  model: ModelArgument,
  out: Annotated[
    Path | None, typer.Option("--out", "-o", help="the MJCF file to write; without: report only")
  ] = None,
  friction: Annotated[float, typer.Option(help="Capstan coefficient of every contact")] = 0.0,
  only: Annotated[
    list[str] | None, typer.Option(help="a tendon to convert; may be repeated (default: all)")
  ] = None,
  source: Annotated[
    str, typer.Option(help="the end that is pulled: the 'first' or the 'last' site")
  ] = "first",
  push: Annotated[
    str, typer.Option(help="a tendon that can push: goes 'slack' instead, or stays 'native'")
  ] = "slack",
  poses: Annotated[int, typer.Option(help="random poses over which both are compared")] = 64,
  seed: Annotated[int, typer.Option(help="of the random poses")] = 0,
  json: JsonOption = False,
):
  """Turns MuJoCo's own spatial **tendons into cables**: add friction to a model in one line.

  Lengths, actuators (muscles too), limits, springs and sensors stay as they are; the pull acts
  along a cable of the same route. Without friction that is the same physics. Differences of length
  and moment arm over random poses are reported; what no cable can be (inside wraps) stays native
  and is named.

  Example: `mujocable convert hand.xml --friction 0.1 -o hand_cables.xml`
  """
  spec = console.load(model)
  console.compiled(spec)  # complaints about the model itself come first
  conversion = console.quietly(
    lambda: convert_spec(
      spec,
      friction=friction,
      only=only or None,
      source=source,
      push=push,
      poses=poses,
      seed=seed,
      progress=console.progress("comparing"),
    )
  )
  if out is not None:
    write(conversion.spec, out, Path(model).parent if Path(model).is_file() else None)
  if json:
    console.print_json({**conversion.to_dict(), "written": str(out) if out else None})
  else:
    _print(conversion, out)
  if only and conversion.kept:
    return console.FOUND  # what was asked for by name was not done
  return 0


def write(spec: mujoco.MjSpec, path: Path, origin: Path | None) -> None:
  """Writes MJCF whose files are still found, and reads it back to be sure."""
  if path.suffix not in (".xml", ".mjcf"):
    raise Problem(f"{path}: the output must end in .xml, got {path.suffix or 'no suffix'!r}")
  if not path.parent.is_dir():
    raise Problem(f"{path.parent} is not a folder")
  if origin is not None and (spec.meshes or spec.textures or spec.hfields or spec.skins):
    # relative to the new file
    folders = {key: origin / getattr(spec, key) for key in ("meshdir", "texturedir")}
    for key, folder in folders.items():
      setattr(spec, key, os.path.relpath(folder, path.parent.resolve()))
    spec.modelfiledir = str(path.parent.resolve())
  path.write_text(spec.to_xml(), encoding="utf-8")
  try:
    console.quietly(lambda: mujoco.MjModel.from_xml_path(str(path)))
  except ValueError as error:
    raise Problem(f"{path} was written, but MuJoCo cannot read it back: {error}") from None


def _print(conversion: Conversion, out: Path | None) -> None:
  if conversion.converted:
    table = Table(title=f"tendons that became cables, friction {conversion.friction:g}")
    for title in ("tendon", "route", "pulled by"):
      table.add_column(title, overflow="fold")
    table.add_column("length off [m]", justify="right")
    table.add_column("moment arm off", justify="right")
    for one in conversion.converted:
      bad = "red" if one.differing else "green"
      cells = [f"[{bad}]{x:.1e}[/]" for x in (one.length_error, one.arm_error)]
      table.add_row(escape(one.tendon), escape(one.route), escape(", ".join(one.actuators)), *cells)
    console.out.print(table)
    for note, tendons in conversion.notes().items():
      console.out.print(f"[yellow]{escape(', '.join(tendons))}:[/] {escape(note)}", soft_wrap=True)
  for one in conversion.kept:
    text = f"[yellow]{escape(one.tendon)} stays native:[/] {escape(one.reason)}"
    console.out.print(text, soft_wrap=True)
  if not conversion.converted and not conversion.kept:
    console.out.print("this model has no spatial tendons: nothing to convert")
  else:
    count = f"{len(conversion.converted)} converted, {len(conversion.kept)} native"
    console.out.print(f"[bold]{count}[/], compared over {conversion.poses} random poses")
  if out is not None:
    console.out.print(f"written to {escape(str(out))}", soft_wrap=True)
