"""mujocable sweep: one motion, many parameters, on all cores or on a cluster."""

import csv
import os
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from mujocable.cli import console, options
from mujocable.cli.options import JsonOption, ModelArgument
from mujocable.study.jobs.workers import cores
from mujocable.study.sweep import Sweep, axis
from mujocable.study.sweep import sweep as sweep_spec

_SHOWN = 40  # rows printed
_SAID = 5  # points in trouble that are named
_EVERY = 5.0  # a table of what is there so far is written this often [s]
_UNITS = {"peak_tension": "N", "end_tension": "N", "max_slack": "m", "lost": "J", "work_in": "J"}
_HIDDEN = ("trouble", "closes", "saturated")  # columns that are in the files only
_EXPECTED = {"engagement": 1, "derailments": 0}  # columns that are shown where they tell


@console.verb
def command(
  model: ModelArgument,
  vary: Annotated[
    list[str],
    typer.Option(help="CABLE.PARAMETER=FROM:TO:COUNT or =A,B,C; may be repeated: a grid"),
  ],
  out: options.OutOption = Path("out/sweep"),
  resume: options.ResumeOption = False,
  motion: options.MotionOption = "pull",
  commands: options.CommandsOption = None,
  duration: options.DurationOption = None,
  keyframe: options.KeyframeOption = None,
  fit_motion: options.FitOption = True,
  workers: options.WorkersOption = None,
  cluster: options.ClusterOption = None,
  plots: options.PlotsOption = True,
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
  compiled = console.compiled(spec)
  start = options.keyframe_of(compiled, keyframe)
  asked, lasts = options.motion_of(compiled, motion, commands, duration, start)
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
        motion=asked,
        duration=lasts,
        keyframe=start,
        fit_motion=fit_motion,
        workers=cores() if workers is None else workers,
        cluster=cluster,
        folder=folder,
        resume=resume,
        progress=console.progress("sweeping"),
        finished=keeper.see,
      )
    except KeyboardInterrupt:
      result = keeper.latest
  names = [one.text for one in axes]
  written, unsaved = _write(result, folder, names, plots)
  if json:
    console.print_json(result.rows)
  else:
    console.tell_notes(result.notes)
    console.out.print(_table(result, names))
    if len(result.rows) > _SHOWN:
      console.out.print(f"and {len(result.rows) - _SHOWN} more in the files")
    console.tell_files(folder, written)
  return _verdict(result, unsaved, folder)


def _write(
  result: Sweep, folder: Path, parameters: list[str], plots: bool
) -> tuple[list[str], list[str]]:
  # names of the files, and why some are not there
  written, unsaved = ["points.jsonl"], [result.unsaved] if result.unsaved else []
  try:
    written += write_tables(result, folder)
    if plots and result.rows:
      written += _write_plots(result, folder, parameters)
  except OSError as error:
    unsaved.append(f"{error.filename or folder}: {error.strerror or error}")
  return written, unsaved


def _verdict(result: Sweep, unsaved: list[str], folder: Path) -> int:
  for what, points in (("failed", result.failed), ("trouble", result.troubles)):
    for point, why in list(points.items())[:_SAID]:
      console.err.print(f"[bold red]{what}:[/] {escape(f'{point}: {why}')}", soft_wrap=True)
    if len(points) > _SAID:
      more = f"and {len(points) - _SAID} more; the column 'trouble' has them all"
      console.err.print(f"[bold red]{what}:[/] {more}")
  for why in unsaved:
    console.tell_unsaved(why)
  if result.done < result.total:
    return console.tell_stopped(f"{result.done} of {result.total} points are in {folder}")
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
  cables = dict.fromkeys(str(row["cable"]) for row in result.rows)
  for cable, begin in console.file_names(cables).items():
    mine = [row for row in result.rows if row["cable"] == cable]
    file = f"{begin}_sweep.svg"
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
    table.add_column(title, justify="left" if name == "cable" else "right", overflow="fold")
  for row in result.rows[:_SHOWN]:
    cells = [row[name] for name in names]
    table.add_row(*(escape(x) if isinstance(x, str) else f"{x:.4g}" for x in cells))
  return table
