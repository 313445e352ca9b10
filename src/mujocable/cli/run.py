"""mujocable run: simulates a model along commands and writes what its cables did."""

import math
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from mujocable.cli import console
from mujocable.cli.console import JsonOption, ModelArgument, Problem
from mujocable.runtime.account import Trouble
from mujocable.study import motion as motions
from mujocable.study.observed import observed
from mujocable.study.simulate import Run, simulate

_TABLES = ("csv", "parquet")


@console.verb
def command(
  model: ModelArgument,
  out: Annotated[Path, typer.Option("--out", "-o", help="folder for the results")] = Path(
    "out/run"
  ),
  commands: Annotated[
    Path | None, typer.Option(help="CSV file: column time [s], and one per actuator")
  ] = None,
  motion: Annotated[
    str, typer.Option(help=f"without --commands: {', '.join(motions.PRESETS)}")
  ] = "pull",
  duration: Annotated[
    float | None, typer.Option(help="[s] (default: 4, or as long as the commands)")
  ] = None,
  rate: Annotated[float, typer.Option(help="rows per second")] = 100.0,
  keyframe: Annotated[str | None, typer.Option(help="start from this keyframe")] = None,
  fit_motion: Annotated[
    bool, typer.Option(help="go only as far as the machine goes without trouble")
  ] = True,
  table: Annotated[str, typer.Option(help=f"format of the table: {', '.join(_TABLES)}")] = "csv",
  plots: Annotated[bool, typer.Option(help="plots, as vector graphics")] = True,
  report: Annotated[bool, typer.Option(help="report.html")] = True,
  video: Annotated[bool, typer.Option(help="video.mp4 and strip.png")] = False,
  camera: Annotated[
    str | None,
    typer.Option(
      help="of the video (default: the first of the model, or one that sees all cables)"
    ),
  ] = None,
  fps: Annotated[int, typer.Option(help="pictures per second")] = 25,
  plot_format: Annotated[str, typer.Option(help="svg, pdf or png")] = "svg",
  json: JsonOption = False,
):
  """**Simulates** a model along commands and writes table, plots, video and report.

  A motion pulls antagonists in turn, and stops short of lost paths, flying loads and limits. Peaks
  and energies are of all steps, whatever `--rate` is. Ends with 4 where the run left its valid
  path, flew, saturated or diverged.

  Examples: `mujocable run finger --motion pull --video` ·
  `mujocable run robot.xml --commands moves.csv --table parquet -o out/moves`
  """
  if table not in _TABLES:
    raise Problem(f"--table must be one of {', '.join(_TABLES)}, got {table!r}")
  if plot_format not in ("svg", "pdf", "png"):
    raise Problem(f"--plot-format must be one of svg, pdf, png, got {plot_format!r}")
  if fps < 1:
    raise Problem(f"--fps must be at least 1, got {fps}")
  if plots or report or video:
    with console.extra("viewer"):  # before the simulation rather than after it
      import matplotlib  # noqa: F401
  compiled = console.compiled(observed(console.load(model)))
  if video:
    _check_camera(compiled, camera)
  start = keyframe_of(compiled, keyframe)
  lasts = duration if duration is not None else 4.0
  command_at, notes = None, ()
  if commands is not None:
    command_at, all_rows = motions.from_csv(compiled, commands, start)
    lasts = duration if duration is not None else all_rows
  elif fit_motion:
    command_at = fitted_motion(compiled, motion, lasts, start)
    notes = command_at.notes
  else:
    command_at = motions.preset(compiled, motion, lasts, keyframe=start)
  run = simulate(
    compiled,
    command_at,
    lasts,
    rate=rate,
    keyframe=start,
    progress=console.progress("simulating"),
  )
  folder = console.fresh_folder(out)
  written = [write_table(run, folder, table)]
  if plots:
    written += write_plots(run, folder, plot_format)
  if video:
    written += write_video(run, folder, camera, fps)
  if report:
    written += write_report(run, folder, notes)
  if json:
    more = {"notes": list(notes), "folder": str(folder), "written": written}
    console.print_json(run.to_dict() | more)
  else:
    tell_notes(notes)
    console.out.print(summary(run))
    console.out.print(f"written to {escape(str(folder))}: {', '.join(written)}", soft_wrap=True)
  return tell_troubles(run.troubles)


def fitted_motion(model, motion: str, duration: float, keyframe: int | None) -> motions.Motion:
  """A motion by name, as far as the machine goes with it."""
  whole = motions.preset(model, motion, duration, keyframe=keyframe)
  bar = console.progress("fitting the motion")
  return motions.fitted(model, whole, keyframe=keyframe, progress=bar)


def tell_notes(notes) -> None:
  """Where the motion stops short, on the error stream."""
  for note in notes:
    console.err.print(f"[cyan]note:[/] {escape(note)}", soft_wrap=True)


def tell_troubles(troubles: tuple[Trouble, ...]) -> int:
  """Says what went wrong, on the error stream; returns the exit code."""
  for one in troubles:
    console.err.print(f"[bold red]{one.kind}:[/] {escape(str(one))}", soft_wrap=True)
  return console.TROUBLE if troubles else 0


def _check_camera(model, camera: str | None) -> None:
  cameras = [model.camera(i).name for i in range(model.ncam)]
  if camera is not None and camera not in cameras:
    raise Problem(
      f"no camera {camera!r}; cameras here: {', '.join(filter(None, cameras)) or 'none'}"
    )


def keyframe_of(model, name: str | None) -> int | None:
  """The number of a keyframe; None for none."""
  if name is None:
    return None
  names = [model.key(i).name for i in range(model.nkey)]
  if name not in names:
    raise Problem(
      f"no keyframe {name!r}; keyframes here: {', '.join(filter(None, names)) or 'none'}"
    )
  return names.index(name)


def summary(run: Run) -> Table:
  """One row per cable, over all steps."""
  steps = max((one.steps for one in run.accounts.values()), default=0)
  table = Table(title=f"{steps} steps, {run.recording['time'][-1]:.4g} s")
  table.add_column("cable")
  titles = [
    "peak\n\\[N]",
    "then at\nthe end \\[N]",
    "take-up\n\\[mm]",
    "slack\n\\[mm]",
    "work in\n\\[J]",
    "rubbed\noff \\[J]",
    "effi-\nciency",
    "path\nvalid",
  ]
  moved = any(one.stroke > 0 for one in run.accounts.values())
  if not moved:
    titles.pop(2)
  for title in titles:
    table.add_column(title, justify="right")
  for one in run.accounts.values():
    cells = [
      escape(one.name),
      f"{one.peak_tension:.4g}",
      f"{one.end_tension:.4g}",
      *([f"{1e3 * one.stroke:.4g}"] if moved else []),
      f"{1e3 * one.max_slack:.3g}",
      f"{one.work_in:.3g}",
      f"{one.lost:.3g}",
      "-" if math.isnan(one.efficiency) else f"{one.efficiency:.1%}",
      f"{one.valid:.0%}" if one.valid in (0.0, 1.0) else f"{one.valid:.1%}",
    ]
    table.add_row(*cells)
  worst = max(run.accounts.values(), key=lambda one: one.closes, default=None)
  if worst is not None and worst.work_in > 0:
    hot = [f"{one.name} at {one.worst}" for one in run.accounts.values() if one.worst]
    most = f"; most heat: {', '.join(hot[:3])}" if hot else ""
    closes = f"the energy closes to {worst.closes:.1g} of the work in ({worst.name})"
    table.caption = escape(closes + most)
  return table


def write_table(run: Run, folder: Path, kind: str) -> str:
  """run.csv or run.parquet; returns its name."""
  if kind == "csv":
    run.recording.write_csv(folder / "run.csv")
    return "run.csv"
  with console.extra("parquet"):
    import pyarrow
    import pyarrow.parquet
  columns = {name: run.recording[name] for name in run.recording.names}
  pyarrow.parquet.write_table(pyarrow.table(columns), folder / "run.parquet")
  return "run.parquet"


def write_plots(run: Run, folder: Path, form: str) -> list[str]:
  """Time series of every cable, tension along it, and its shapes; returns the names."""
  with console.extra("viewer"):
    from mujocable.viewer import plots, shapes
  written = []
  for name in shapes.cable_names(run.recording):
    figures = {
      "time": plots.plot_cable(run.recording, name),
      "along": shapes.plot_along(run.model, run.states, run.recording, name),
      "shape": shapes.plot_shapes(run.model, run.states, run.recording, name),
    }
    for kind, figure in figures.items():
      file = f"{name.replace('/', '_').replace(':', '_')}_{kind}.{form}"
      plots.save(figure, folder / file)
      written.append(file)
  return written


def write_report(run: Run, folder: Path, notes=()) -> list[str]:
  """report.html, and the same as data in report.json."""
  with console.extra("viewer"):
    from mujocable.viewer.report import report
  strip = folder / "strip.png"
  found = report(
    run.model,
    run.recording,
    accounts=run.accounts,
    troubles=run.troubles,
    notes=notes,
    pictures={"the run": strip.read_bytes()} if strip.is_file() else {},
  )
  found.write(folder / "report.html")
  return ["report.html", "report.json"]


def write_video(
  run: Run, folder: Path, camera: str | None, fps: int, video: bool = True
) -> list[str]:
  """video.mp4 and strip.png, or the strip alone; says why not where nothing can be drawn."""
  with console.extra("viewer"):
    if video:
      import imageio  # noqa: F401
    from mujocable.viewer import offscreen, plots
  backend = offscreen.switch_on()
  if backend is None:
    console.err.print(f"[yellow]no video:[/] {offscreen.why_not()}", soft_wrap=True)
    return []
  time = run.recording["time"]
  every = max(1, round(1 / (fps * (time[1] - time[0])))) if len(time) > 1 else 1
  shown = run.states[::every]
  # no larger than the model allows
  width = min(720, int(run.model.vis.global_.offwidth)) // 2 * 2
  height = min(480, int(run.model.vis.global_.offheight)) // 2 * 2
  fallback = 0 if run.model.ncam else offscreen.framing(run.model, shown)
  picks = [round(i * (len(shown) - 1) / 4) for i in range(5)]
  drawn = shown if video else [shown[i] for i in picks]
  frames = offscreen.frames(run.model, drawn, camera or fallback, width, height, True)
  bar = console.progress(f"drawing ({backend})")
  pictures = list(bar(_Sized(frames, len(drawn))))
  labels = [f"{time[every * i]:.2f} s" for i in picks]
  strip = [pictures[i] for i in picks] if video else pictures
  plots.save(plots.plot_strip(strip, labels), folder / "strip.png")
  if not video:
    return ["strip.png"]
  offscreen.write_video(folder / "video.mp4", pictures, fps)
  return ["video.mp4", "strip.png"]


class _Sized:
  """Pictures of which the number is known before they are drawn."""

  def __init__(self, items, count: int):
    self._items, self._count = items, count

  def __len__(self) -> int:
    return self._count

  def __iter__(self):
    return iter(self._items)
