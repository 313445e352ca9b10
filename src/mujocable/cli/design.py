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

from mujocable.cli import console
from mujocable.cli.console import JsonOption, Problem
from mujocable.cli.run import keyframe_of, tell_notes
from mujocable.cli.sweep import INTERRUPTED, ClusterOption, WorkersOption
from mujocable.errors import BadValue, suggestion
from mujocable.study import motion as motions
from mujocable.study.design import Design, read_study
from mujocable.study.design import design as design_spec
from mujocable.study.jobs.workers import cores
from mujocable.study.observed import observed
from mujocable.study.simulate import simulate
from mujocable.study.sizing import Sizing, sizing

_SIZING = ("cable", "spool", "material", "safety", "motor")


@console.verb
def command(
  study: Annotated[Path, typer.Argument(help="a TOML file: model, vary, goals, limits, sizing")],
  out: Annotated[Path, typer.Option("--out", "-o", help="folder for the results")] = Path(
    "out/design"
  ),
  trials: Annotated[int | None, typer.Option(help="designs that are tried")] = None,
  resume: Annotated[
    bool, typer.Option("--resume", help="go on with what is in the folder")
  ] = False,
  workers: WorkersOption = None,
  cluster: ClusterOption = None,
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
  if workers is not None and workers < 1:
    raise Problem(f"--workers must be at least 1, got {workers}")
  name = asked["model"]
  beside = study.parent / name
  spec = console.load(str(beside) if beside.is_file() else name)
  model = console.compiled(spec)
  start = keyframe_of(model, asked.get("keyframe"))
  duration = float(asked.get("duration", 4.0))
  motion: Any = asked.get("motion", "pull")
  if "commands" in asked:
    motion, lasts = motions.from_csv(model, study.parent / asked["commands"], start)
    duration = float(asked.get("duration", lasts))
  _check_sizing(study, asked.get("sizing"))
  if "vary" not in asked and "sizing" not in asked:
    raise Problem(f"{study}: nothing to do: neither [vary] nor [sizing] is there")
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
        motion=motion,
        duration=duration,
        fit_motion=asked.get("fit_motion", False),
        keyframe=start,
        trials=trials or asked.get("trials", 100),
        seed=asked.get("seed", 0),
        workers=workers or cores(),
        cluster=cluster,
        folder=folder,
        resume=resume,
        progress=console.progress("designing"),
      )
    if result.best is not None:
      chosen = result.spec_of(result.best)
  sized = None
  if "sizing" in asked:
    sized = _size(chosen, asked["sizing"], motion, duration, start, asked.get("fit_motion", False))
  written = _write(result, sized, chosen, folder)
  if json:
    data = result.to_dict() if result else {}
    data |= {"sizing": sized.to_dict() if sized else None}
    console.print_json(data | {"folder": str(folder), "written": written})
  else:
    if result:
      _print(result)
    if sized:
      console.out.print(escape(str(sized)), soft_wrap=True)
    console.out.print(f"written to {escape(str(folder))}: {', '.join(written)}", soft_wrap=True)
  if result and result.unsaved:
    console.say(f"not on disk: {result.unsaved}; the results printed here are complete")
  return console.FOUND if result is not None and result.best is None else 0


@contextmanager
def _stopped(folder: Path):
  try:
    yield
  except KeyboardInterrupt:
    text = f"stopped: what was tried is in {folder}; --resume goes on"
    console.err.print(f"[yellow]{escape(text)}[/]", soft_wrap=True)
    raise typer.Exit(INTERRUPTED) from None


def _check_sizing(path: Path, given: dict | None) -> None:
  for key in given or {}:
    if key not in _SIZING:
      hint = suggestion(key, _SIZING)
      raise BadValue(f"{path}: sizing has no key {key!r}; accepted: {', '.join(_SIZING)}{hint}")
  for key in ("cable", "spool"):
    if given is not None and key not in given:
      raise BadValue(f"{path}: sizing needs {key!r}")


def _size(spec: mujoco.MjSpec, given: dict, motion, duration: float, start, fit: bool) -> Sizing:
  model = console.compiled(observed(spec))
  command_at = motion
  if isinstance(motion, str):
    command_at = motions.preset(model, motion, duration, keyframe=start)
    if fit:
      command_at = motions.fitted(model, command_at, keyframe=start)
  run = simulate(model, command_at, duration, rate=1 / duration, keyframe=start)
  if given["cable"] not in run.accounts:
    known = ", ".join(run.accounts)
    raise BadValue(f"sizing: no cable {given['cable']!r}; cables here: {known}")
  rest = {key: given[key] for key in ("spool", "material", "safety") if key in given}
  motor = given.get("motor")
  if motor is not None and (not isinstance(motor, list) or len(motor) != 2):
    raise BadValue(f"sizing: motor must be [torque in N m, speed in rad/s], got {motor!r}")
  return sizing(run.accounts[given["cable"]], motor=tuple(motor) if motor else None, **rest)


def _write(
  result: Design | None, sized: Sizing | None, chosen: mujoco.MjSpec, folder: Path
) -> list[str]:
  written = []
  data: dict[str, Any] = result.to_dict() if result else {}
  data |= {"sizing": sized.to_dict() if sized else None}
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
  tell_notes(result.notes)
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
