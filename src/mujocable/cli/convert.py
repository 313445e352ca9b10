"""mujocable convert: MuJoCo's own spatial tendons become cables."""

import math
import os
from pathlib import Path
from typing import Annotated, Any

import mujoco
import typer
from rich.markup import escape
from rich.table import Table

from mujocable.cli import console
from mujocable.cli.console import Problem
from mujocable.cli.options import JsonOption, ModelArgument
from mujocable.study.convert import convert as convert_spec
from mujocable.study.convert.conversion import KINDS, Conversion, Converted, few
from mujocable.study.convert.exact_xml import differing, exact_xml

_SHOWN = 30  # lines of a table


@console.verb
def command(
  model: ModelArgument,
  out: Annotated[
    Path | None, typer.Option("--out", "-o", help="the MJCF file to write; without: report only")
  ] = None,
  report: Annotated[
    Path | None, typer.Option(help="an HTML page with a picture of every tendon, before and after")
  ] = None,
  friction: Annotated[
    float | None, typer.Option(help="Capstan coefficient of every contact (default: 0)")
  ] = None,
  only: Annotated[
    list[str] | None, typer.Option(help="a tendon to convert; may be repeated (default: all)")
  ] = None,
  source: Annotated[
    str | None, typer.Option(help="the end that is pulled: the 'first' (default) or 'last' site")
  ] = None,
  push: Annotated[
    str | None,
    typer.Option(help="a tendon that can push: goes 'slack' (default), or stays 'native'"),
  ] = None,
  paths: Annotated[
    str | None,
    typer.Option(help="a tendon whose cable runs elsewhere: stays 'native' (default), or 'ours'"),
  ] = None,
  limits: Annotated[
    str | None,
    typer.Option(help="upper limits as ropes: 'auto' (where nothing else acts), 'ropes', 'native'"),
  ] = None,
  rope_stiffness: Annotated[
    float | None, typer.Option(help="[N/m] of these ropes (default: as stiff as the limit)")
  ] = None,
  share: Annotated[
    float | None,
    typer.Option(help="of the random poses that may have no path (default: 0.1)"),
  ] = None,
  poses: Annotated[int, typer.Option(help="random poses over which both are compared")] = 64,
  seed: Annotated[int, typer.Option(help="of the random poses")] = 0,
  json: JsonOption = False,
):
  """Turns MuJoCo's own spatial **tendons into cables**: add friction to a model in one line.

  Lengths, actuators (muscles too), springs and sensors stay as they are; the pull acts along a
  cable of the same route. Without friction that is the same physics. A tendon that acts by its
  upper limit becomes a rope. Both are compared at home, in every keyframe and in random poses that
  limits and equalities allow; what no cable can be stays native and is named with its reason.

  Robots of the package with native tendons bring a recipe; options given here come before it.

  Example: `mujocable convert hand.xml --friction 0.1 -o hand_cables.xml --report hand.html`
  """
  given = {
    "friction": friction,
    "only": only or None,
    "source": source,
    "push": push,
    "paths": paths,
    "limits": limits,
    "rope_stiffness": rope_stiffness,
    "share": share,
  }
  spec, recipe = _load(model)
  options = {**recipe, **{key: value for key, value in given.items() if value is not None}}
  console.compiled(spec)  # complaints about the model itself come first
  options |= {"poses": poses, "seed": seed, "progress": console.progress("comparing")}
  conversion = console.quietly(lambda: convert_spec(spec, **options))
  off = None
  if out is not None:
    off = write(conversion.spec, out, Path(model).parent if Path(model).is_file() else None)
  if report is not None:
    _write_page(conversion, report)
  if json:
    written = {"written": str(out) if out else None, "report": str(report) if report else None}
    console.print_json({**conversion.to_dict(), **written})
  else:
    _print(conversion, recipe)
    _print_files(out, off, report)
  return _verdict(conversion, bool(only), friction or 0.0, json)


def _verdict(conversion: Conversion, by_name: bool, friction: float, json: bool) -> int:
  # what was asked for by name, or friction at all, may have come to nothing
  nowhere = friction > 0 and not conversion.converted
  if nowhere and not json and not (by_name and conversion.kept):
    console.say(f"friction {friction:g} acts nowhere: no tendon became a cable")
  return console.FOUND if nowhere or (by_name and conversion.kept) else 0


def _load(model: str) -> tuple[mujoco.MjSpec, dict[str, Any]]:
  # a robot of the package that has native tendons brings the options that suit it
  if not Path(model).is_file() and model in console.robots():
    robot = console.robot(model)
    if hasattr(robot, "RECIPE"):
      return robot.native(), dict(robot.RECIPE)
  return console.load(model), {}


def write(spec: mujoco.MjSpec, path: Path, origin: Path | None) -> dict[str, float]:
  """Writes MJCF with every digit, whose files are still found, and reads it back to be sure.

  Returns the arrays of the model that were not read back to the bit.
  """
  _check_path(path, "output", (".xml", ".mjcf"))
  model = console.compiled(spec)
  if origin is not None and (spec.meshes or spec.textures or spec.hfields or spec.skins):
    # relative to the new file
    folders = {key: origin / getattr(spec, key) for key in ("meshdir", "texturedir")}
    for key, folder in folders.items():
      setattr(spec, key, os.path.relpath(folder, path.parent.resolve()))
    spec.modelfiledir = str(path.parent.resolve())
  path.write_text(exact_xml(spec), encoding="utf-8")
  try:
    again = console.quietly(lambda: mujoco.MjModel.from_xml_path(str(path)))
  except ValueError as error:
    raise Problem(f"{path} was written, but MuJoCo cannot read it back: {error}") from None
  return differing(model, again)


def _check_path(path: Path, what: str, accepted: tuple[str, ...]) -> None:
  if path.suffix not in accepted:
    got = path.suffix or "no suffix"
    raise Problem(f"{path}: the {what} must end in {accepted[0]}, got {got!r}")
  if not path.parent.is_dir():
    raise Problem(f"{path.parent} is not a folder")


def _write_page(conversion: Conversion, path: Path) -> None:
  from mujocable.study.convert.page import write_page

  _check_path(path, "report", (".html", ".htm"))
  console.quietly(lambda: write_page(conversion, path, console.progress("drawing")))


# ------------------------------------ what is printed


def _print(conversion: Conversion, recipe: dict[str, Any]) -> None:
  if recipe:
    words = ", ".join(f"{key} {value}" for key, value in recipe.items())
    console.out.print(f"recipe of this robot: {escape(words)}", soft_wrap=True)
  if conversion.converted:
    console.out.print(_table(conversion))
    for note, tendons in conversion.notes().items():
      console.out.print(f"[yellow]{escape(few(tendons))}:[/] {escape(note)}", soft_wrap=True)
  for kind, names in conversion.refusals().items():
    reasons = [one.reason for one in conversion.kept if one.kind == kind]
    if len(names) <= 3:
      for name, reason in zip(names, reasons, strict=True):
        _say_kept(name, reason)
    else:
      _say_kept(few(names), f"{KINDS.get(kind, kind)} ({len(names)} tendons), as {reasons[0]}")
  if conversion.own:
    console.out.print(f"[yellow]{escape(conversion.left_alone())}[/]", soft_wrap=True)
  if not conversion.converted and not conversion.kept:
    console.out.print("this model has no spatial tendons: nothing to convert")
  else:
    count = f"{len(conversion.converted)} converted, {len(conversion.kept)} native"
    console.out.print(f"[bold]{count}[/], compared over {conversion.poses} poses")


def _say_kept(names: str, reason: str) -> None:
  console.out.print(f"[yellow]{escape(names)} stays native:[/] {escape(reason)}", soft_wrap=True)


def _table(conversion: Conversion) -> Table:
  # one line each; of many those that change, or lose most
  rows = sorted(conversion.converted, key=lambda one: (not one.changed, -_most(one)))
  if len(rows) <= _SHOWN:
    rows = list(conversion.converted)
  more = f"; {_SHOWN} of {len(rows)}, --report shows all" if len(rows) > _SHOWN else ""
  table = Table(title=f"tendons that became cables, friction {conversion.friction:g}{more}")
  table.add_column("tendon", overflow="ellipsis", no_wrap=True)
  table.add_column("over", overflow="ellipsis", no_wrap=True)
  table.add_column("pulled by", overflow="ellipsis", no_wrap=True)
  for title in ("length\noff \\[m]", "moment\narm off", "largest\nturn", "its\nloss"):
    table.add_column(title, justify="right", no_wrap=True)
  for one in rows[:_SHOWN]:
    bad = "yellow" if one.differing else "green"
    turn = _most(one)
    table.add_row(
      escape(one.tendon),
      _over(one),
      escape(", ".join(one.actuators)),
      *(f"[{bad}]{x:.1e}[/]" for x in (one.length_error, one.arm_error)),
      f"{math.degrees(turn):.0f}°",
      f"{-math.expm1(-conversion.friction * turn):.0%}",
    )
  return table


def _most(one: Converted) -> float:
  # [rad], over the poses that have a path
  return max((float(x) for x in one.bends if x == x), default=0.0)


def _over(one: Converted) -> str:
  stops = sum(part.count(" > ") + 1 for part in one.route.split("; "))
  kind = "rope, " if one.ropes else ""
  cables = len(one.cables)
  return f"{kind}{stops} stops" + (f", {cables} cables" if cables > 1 else "")


def _print_files(out: Path | None, off: dict[str, float] | None, report: Path | None) -> None:
  if out is not None:
    worst = max(off.values(), default=0.0) if off else 0.0
    how = f", differs by up to {worst:.1e} in {', '.join(off)}" if off else ", the same to the bit"
    console.out.print(f"written to {escape(str(out))}{how} when read back", soft_wrap=True)
  if report is not None:
    console.out.print(f"report in {escape(str(report))}", soft_wrap=True)
