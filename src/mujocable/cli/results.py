"""Results: what a run leaves: a table on the screen, and files in a folder."""

import math
from collections.abc import Sequence
from pathlib import Path

from rich.markup import escape
from rich.table import Table

from mujocable.cli import console
from mujocable.study.simulate import Run


def summary(run: Run) -> Table:
  """One row per cable, over all steps."""
  steps = max((one.steps for one in run.accounts.values()), default=0)
  table = Table(title=f"{steps} steps, {run.recording['time'][-1]:.4g} s")
  table.add_column("cable")
  titles = [
    "peak\n\\[N]",
    "then at\nthe end \\[N]",
    "stroke\n\\[mm]",
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
    table.add_column(title, justify="right", overflow="fold")
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
  for name, begin in console.file_names(shapes.cable_names(run.recording)).items():
    figures = {
      "time": plots.plot_cable(run.recording, name),
      "along": shapes.plot_along(run.model, run.states, run.recording, name),
      "shape": shapes.plot_shapes(run.model, run.states, run.recording, name),
    }
    for kind, figure in figures.items():
      file = f"{begin}_{kind}.{form}"
      plots.save(figure, folder / file)
      written.append(file)
  return written


def write_report(run: Run, folder: Path, notes: Sequence[str] = ()) -> list[str]:
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
  pictures = list(console.progress(f"drawing ({backend})", len(drawn))(frames))
  labels = [f"{time[every * i]:.2f} s" for i in picks]
  strip = [pictures[i] for i in picks] if video else pictures
  plots.save(plots.plot_strip(strip, labels), folder / "strip.png")
  if not video:
    return ["strip.png"]
  offscreen.write_video(folder / "video.mp4", pictures, fps)
  return ["video.mp4", "strip.png"]
