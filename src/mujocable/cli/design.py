"""mujocable design: which routing, pulleys and springs do best, and which motor do they need?"""

from contextlib import contextmanager
from json import dumps
from pathlib import Path
from typing import Annotated, Any

import mujoco
import numpy as np
import typer
from rich.markup import escape
from rich.table import Table

from mujocable.cli import console, options
from mujocable.cli.console import Problem
from mujocable.cli.options import JsonOption
from mujocable.errors import BadValue
from mujocable.study.design import Design, read_study
from mujocable.study.design import design as design_spec
from mujocable.study.jobs.workers import cores
from mujocable.study.motion import commanded
from mujocable.study.observed import observed
from mujocable.study.simulate import simulate
from mujocable.study.sizing import Sizing, sizing


@console.verb
def command(
  study: Annotated[Path, typer.Argument(help="a TOML file: model, vary, goals, limits, sizing")],
  out: options.OutOption = Path("out/design"),
  trials: Annotated[int | None, typer.Option(help="designs that are tried")] = None,
  resume: options.ResumeOption = False,
  workers: options.WorkersOption = None,
  cluster: options.ClusterOption = None,
  json: JsonOption = False,
):
  """Searches for the **best routing and robot** under limits, and sizes motor, spool and cable.

  The file names what varies and from where to where, what to maximize or minimize, and what must be
  kept. Writes design.xml, design.json, report.html; ends with 1 where no design keeps the limits.

  Examples: `mujocable design study.toml` · `mujocable design study.toml --trials 300 -o out/arm`
  """
  if not study.is_file():
    raise Problem(f"{study} is not a file; give a TOML file with model, vary and goals")
  asked = read_study(study)
  beside = study.parent / asked["model"]
  spec = console.load(str(beside) if beside.is_file() else asked["model"])
  model = console.compiled(spec)
  start = options.keyframe_of(model, asked.get("keyframe"))
  rows = study.parent / asked["commands"] if "commands" in asked else None
  wanted, given = asked.get("motion", "pull"), asked.get("duration")
  motion, duration = options.motion_of(model, wanted, rows, given, start)
  fit = asked.get("fit_motion", False)
  moves: dict[str, Any] = dict(motion=motion, duration=duration, keyframe=start)
  folder = console.fresh_folder(out)
  result, chosen = None, spec
  if "vary" in asked:
    with console.extra("design"):
      import optuna  # noqa: F401
    with console.extra("ray"), _stopped(folder):
      result = design_spec(
        spec,
        vary=asked["vary"],
        goals=asked.get("goals", {}),
        limits=asked.get("limits"),
        **moves,
        fit_motion=fit,
        trials=trials or asked.get("trials", 100),
        seed=asked.get("seed", 0),
        workers=cores() if workers is None else workers,
        cluster=cluster,
        folder=folder,
        resume=resume,
        progress=console.progress("designing"),
      )
    if result.best is not None:
      chosen = result.spec_of(result.best)
  sized = _size(chosen, asked["sizing"], fit=fit, **moves) if "sizing" in asked else None
  data: dict[str, Any] = result.to_dict() if result else {}
  data |= {"sizing": sized.to_dict() if sized else None}
  written = _write(data, result, sized, chosen, folder)
  if json:
    console.print_json(data, folder, written)
  else:
    if result:
      _print(result)
    if sized:
      console.out.print(escape(str(sized)), soft_wrap=True)
    console.tell_files(folder, written)
  if result and result.unsaved:
    console.tell_unsaved(result.unsaved)
  return console.FOUND if result is not None and result.best is None else 0


@contextmanager
def _stopped(folder: Path):
  try:
    yield
  except KeyboardInterrupt:
    raise typer.Exit(console.tell_stopped(f"what was tried is in {folder}")) from None


def _size(spec: mujoco.MjSpec, given: dict, motion, duration: float, keyframe, fit: bool) -> Sizing:
  model = console.compiled(observed(spec))
  moves, _ = commanded(model, motion, duration, keyframe=keyframe, fit=fit)
  run = simulate(model, moves, duration, rate=1 / duration, keyframe=keyframe)
  if given["cable"] not in run.accounts:
    known = ", ".join(run.accounts)
    raise BadValue(f"sizing: no cable {given['cable']!r}; cables here: {known}")
  rest = {key: value for key, value in given.items() if key != "cable"}
  return sizing(run.accounts[given["cable"]], **rest)


def _write(
  data: dict, result: Design | None, sized: Sizing | None, chosen: mujoco.MjSpec, folder: Path
) -> list[str]:
  written = []
  (folder / "design.json").write_text(dumps(data, indent=2) + "\n", encoding="utf-8")
  written.append("design.json")
  if result is not None and result.best is not None:
    (folder / "design.xml").write_text(chosen.to_xml(), encoding="utf-8")
    written.append("design.xml")
  if result is not None:
    with console.extra("viewer"):
      from mujocable.viewer.designs import design_page
    page = design_page(result, str(sized) if sized else "")
    (folder / "report.html").write_text(page, encoding="utf-8")
    written.append("report.html")
  return written


def _print(result: Design) -> None:
  console.tell_notes(result.notes)
  color = "green" if result.best is not None else "red"
  console.out.print(f"[bold {color}]{escape(result.verdict)}[/]", soft_wrap=True)
  table = Table()
  for title in ("", *result.given.values, *result.given.measures):
    table.add_column(escape(title), justify="right" if title else "left", overflow="fold")
  rows = [("as given", result.given), *(("best", p) for p in result.front[:1])]
  rows += [(str(i + 2), p) for i, p in enumerate(result.front[1:10])]
  for name, point in rows:
    cells = [*point.values.values(), *point.measures.values()]
    table.add_row(name, *("" if np.isnan(x) else f"{x:.4g}" for x in cells))
  console.out.print(table)
