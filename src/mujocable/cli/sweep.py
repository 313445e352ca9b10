"""mujocable sweep: one motion, many parameters, on all cores or on a cluster."""

import csv
import os
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from mujocable.cli import console
from mujocable.cli.console import JsonOption, ModelArgument, Problem
from mujocable.cli.run import keyframe_of, tell_notes
from mujocable.study import motion as motions
from mujocable.study.jobs.workers import cores
from mujocable.study.sweep import Sweep, axis
from mujocable.study.sweep import sweep as sweep_spec

_SHOWN = 40  # rows printed
_SAID = 5  # points in trouble that are named
_EVERY = 5.0  # a table of what is there so far is written this often [s]
_UNITS = {"peak_tension": "N", "end_tension": "N", "max_slack": "m", "lost": "J", "work_in": "J"}
_HIDDEN = ("trouble", "closes", "saturated")  # columns that are in the files only
_EXPECTED = {"engagement": 1, "derailments": 0}  # columns that are shown where they tell
INTERRUPTED = 130

ClusterOption = Annotated[
  str | None, typer.Option(help="a Ray cluster: auto, or its address (default: this machine)")
]
WorkersOption = Annotated[int | None, typer.Option(help="processes (default: one per core)")]


@console.verb
def command(
  model: ModelArgument,
  vary: Annotated[
    list[str],
    typer.Option(help="CABLE.PARAMETER=FROM:TO:COUNT or =A,B,C; may be repeated: a grid"),
  ],
  out: Annotated[Path, typer.Option("--out", "-o", help="folder for the tables and plots")] = Path(
    "out/sweep"
  ),
  resume: Annotated[
    bool, typer.Option("--resume", help="go on with what is in the folder")
  ] = False,
  motion: Annotated[str, typer.Option(help=f"{', '.join(motions.PRESETS)}")] = "pull",
  commands: Annotated[
    Path | None, typer.Option(help="CSV file instead: column time [s], and one per actuator")
  ] = None,
  duration: Annotated[
    float | None, typer.Option(help="[s] (default: 4, or as long as the commands)")
  ] = None,
  keyframe: Annotated[str | None, typer.Option(help="start from this keyframe")] = None,
  fit_motion: Annotated[
    bool, typer.Option(help="go only as far as the model as given goes without trouble")
  ] = True,
  workers: WorkersOption = None,
  cluster: ClusterOption = None,
  plots: Annotated[bool, typer.Option(help="plots, as vector graphics")] = True,
  json: JsonOption = False,
):
  """Runs one motion with **many parameters**, in parallel, and tabulates what the cables do.

  Every finished point is in `points.jsonl` of the folder at once: Ctrl-C, a killed worker or a full
  disk lose nothing, and `--resume` goes on. `*` is every cable; `flexor.friction[2]` one contact;
  `site:NAME.x`, `geom:NAME.radius` and `joint:NAME.stiffness` vary the robot. Ends with 4 where
  points failed or are not to be trusted.

  Examples: `mujocable sweep finger --vary 'flexor.friction=0:0.3:7' -o out/sweep` ·
  `mujocable sweep finger --vary '*.friction=0,0.1' --vary 'flexor.stiffness=1e3,1e4,1e5'`
  """
  spec = console.load(model)
  axes = [axis(text) for text in vary]
  if workers is not None and workers < 1:
    raise Problem(f"--workers must be at least 1, got {workers}")
  compiled = console.compiled(spec)
  start = keyframe_of(compiled, keyframe)
  lasts, command_at = duration if duration is not None else 4.0, motion
  if commands is not None:
    command_at, all_rows = motions.from_csv(compiled, commands, start)
    lasts = duration if duration is not None else all_rows
  if plots:
    with console.extra("viewer"):  # before the simulations rather than after them
      import matplotlib  # noqa: F401
  folder = console.fresh_folder(out)
  keeper = _Keeper(folder)
  with console.extra("ray"):
    try:
      result = sweep_spec(
        spec,
        axes,
        motion=command_at,
        duration=lasts,
        keyframe=start,
        fit_motion=fit_motion,
        workers=workers or cores(),
        cluster=cluster,
        folder=folder,
        resume=resume,
        progress=console.progress("sweeping"),
        finished=keeper.see,
      )
    except KeyboardInterrupt:
      result = keeper.latest
  stopped = result.done < result.total
  written, unsaved = ["points.jsonl"], [result.unsaved] if result.unsaved else []
  try:
    written += write_tables(result, folder)
    if plots and result.rows:
      written += _write_plots(result, folder, [one.text for one in axes])
  except OSError as error:
    unsaved.append(f"{error.filename or folder}: {error.strerror or error}")
  if json:
    console.print_json(result.rows)
  else:
    tell_notes(result.notes)
    console.out.print(_table(result, [one.text for one in axes]))
    if len(result.rows) > _SHOWN:
      console.out.print(f"and {len(result.rows) - _SHOWN} more in the files")
    console.out.print(f"written to {escape(str(folder))}: {', '.join(written)}", soft_wrap=True)
  return _verdict(result, unsaved, stopped, folder)


def _verdict(result: Sweep, unsaved: list[str], stopped: bool, folder: Path) -> int:
  for what, points in (("failed", result.failed), ("trouble", result.troubles)):
    for point, why in list(points.items())[:_SAID]:
      console.err.print(f"[bold red]{what}:[/] {escape(f'{point}: {why}')}", soft_wrap=True)
    if len(points) > _SAID:
      more = f"and {len(points) - _SAID} more; the column 'trouble' has them all"
      console.err.print(f"[bold red]{what}:[/] {more}")
  for why in unsaved:
    console.say(f"not on disk: {why}; the results printed here are complete")
  if stopped:
    text = f"stopped: {result.done} of {result.total} points are in {folder}; --resume goes on"
    console.err.print(f"[yellow]{escape(text)}[/]", soft_wrap=True)
    return INTERRUPTED
  return console.TROUBLE if result.failed or result.troubles or unsaved else 0


class _Keeper:
  """Holds the table as far as it is, and writes it now and then."""

  def __init__(self, folder: Path):
    self._folder, self._last = folder, time.monotonic()
    self.latest = Sweep(total=1)

  def see(self, result: Sweep) -> None:
    """After every point."""
    self.latest = result
    if time.monotonic() - self._last > _EVERY:
      self._last = time.monotonic()
      try:
        write_tables(result, self._folder)
      except OSError as error:
        result.unsaved = f"{error.filename or self._folder}: {error.strerror or error}"


def write_tables(result: Sweep, folder: Path) -> list[str]:
  """sweep.csv, and sweep.parquet where pyarrow is installed; each replaced in one piece."""
  if not result.rows:
    return []
  path = folder / "sweep.csv"
  new = path.with_suffix(".new")
  with new.open("w", newline="", encoding="utf-8") as file:
    writer = csv.DictWriter(file, list(result.rows[0]))
    writer.writeheader()
    writer.writerows(result.rows)
  os.replace(new, path)
  try:
    import pyarrow
    import pyarrow.parquet
  except ImportError:
    return [path.name]
  names = list(result.rows[0])
  columns = {name: [row[name] for row in result.rows] for name in names}
  pyarrow.parquet.write_table(pyarrow.table(columns), new)
  os.replace(new, folder / "sweep.parquet")
  return [path.name, "sweep.parquet"]


def _write_plots(result: Sweep, folder: Path, parameters: list[str]) -> list[str]:
  from mujocable.viewer import plots as drawing
  from mujocable.viewer.sweeps import plot_sweep

  written = []
  for cable in dict.fromkeys(str(row["cable"]) for row in result.rows):
    mine = [row for row in result.rows if row["cable"] == cable]
    file = f"{cable.replace('/', '_').replace(':', '_')}_sweep.svg"
    drawing.save(plot_sweep(mine, parameters, cable), folder / file)
    written.append(file)
  return written


def _table(result: Sweep, parameters: list[str]) -> Table:
  table = Table(title=f"{result.done} of {result.total} points")
  names = [name for name in (result.rows[0] if result.rows else ()) if name not in _HIDDEN]
  for name, expected in _EXPECTED.items():
    if name in names and all(row[name] == expected for row in result.rows):
      names.remove(name)
  for name in names:
    unit = _UNITS.get(name)
    words = name.replace("_", "\n") if name not in parameters else escape(name).replace(".", ".\n")
    title = f"{words}\n\\[{unit}]" if unit else words
    table.add_column(title, justify="left" if name == "cable" else "right")
  for row in result.rows[:_SHOWN]:
    cells = [row[name] for name in names]
    table.add_row(*(escape(x) if isinstance(x, str) else f"{x:.4g}" for x in cells))
  return table
