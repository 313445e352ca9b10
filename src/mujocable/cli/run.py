"""mujocable run: simulates a model along commands and writes what its cables did."""

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from mujocable.cli import console, options, results
from mujocable.cli.console import Problem
from mujocable.cli.options import JsonOption, ModelArgument
from mujocable.runtime.members import members
from mujocable.study.motion import commanded
from mujocable.study.observed import observed
from mujocable.study.simulate import simulate

_TABLES = ("csv", "parquet")
_PLOTS = ("svg", "pdf", "png")


@console.verb
def command(
  model: ModelArgument,
  out: options.OutOption = Path("out/run"),
  commands: options.CommandsOption = None,
  motion: options.MotionOption = "pull",
  duration: options.DurationOption = None,
  rate: Annotated[float, typer.Option(help="rows per second")] = 100.0,
  keyframe: options.KeyframeOption = None,
  fit_motion: options.FitOption = True,
  table: Annotated[str, typer.Option(help=f"format of the table: {', '.join(_TABLES)}")] = "csv",
  plots: options.PlotsOption = True,
  report: Annotated[bool, typer.Option(help="report.html")] = True,
  video: Annotated[bool, typer.Option(help="video.mp4 and strip.png")] = False,
  camera: Annotated[
    str | None,
    typer.Option(
      help="of the video (default: the first of the model, or one that sees all cables)"
    ),
  ] = None,
  fps: Annotated[int, typer.Option(help="pictures per second")] = 25,
  plot_format: Annotated[str, typer.Option(help=", ".join(_PLOTS))] = "svg",
  json: JsonOption = False,
):
  """**Simulates** a model along commands and writes table, plots, video and report.

  A motion pulls antagonists in turn, and stops short of lost paths, flying loads and limits. Peaks
  and energies are of all steps, whatever `--rate` is. Ends with 4 where the run left its valid
  path, flew, saturated or diverged.

  Examples: `mujocable run finger --motion pull --video` ·
  `mujocable run robot.xml --commands moves.csv --table parquet -o out/moves`
  """
  for option, value, accepted in (
    ("--table", table, _TABLES),
    ("--plot-format", plot_format, _PLOTS),
  ):
    if value not in accepted:
      raise Problem(f"{option} must be one of {', '.join(accepted)}, got {value!r}")
  if fps < 1:
    raise Problem(f"--fps must be at least 1, got {fps}")
  if plots or report or video:
    with console.extra("viewer"):  # before the simulation rather than after it
      import matplotlib  # noqa: F401
  compiled = console.compiled(observed(console.load(model)))
  if not members(compiled):
    raise Problem(f"{model!r} has no cables; mujocable convert makes them of tendons")
  if video and camera is not None:
    options.one_of("camera", camera, [compiled.camera(i).name for i in range(compiled.ncam)])
  start = options.keyframe_of(compiled, keyframe)
  asked, lasts = options.motion_of(compiled, motion, commands, duration, start)
  bar = console.progress("fitting the motion")
  moves, notes = commanded(compiled, asked, lasts, keyframe=start, fit=fit_motion, progress=bar)
  bar = console.progress("simulating")
  run = simulate(compiled, moves, lasts, rate=rate, keyframe=start, progress=bar)
  folder = console.fresh_folder(out)
  written = [results.write_table(run, folder, table)]
  if plots:
    written += results.write_plots(run, folder, plot_format)
  if video:
    written += results.write_video(run, folder, camera, fps)
  if report:
    written += results.write_report(run, folder, notes)
  if json:
    console.print_json(run.to_dict() | {"notes": list(notes)}, folder, written)
  else:
    console.tell_notes(notes)
    console.out.print(results.summary(run))
    console.tell_files(folder, written)
  for one in run.troubles:
    console.err.print(f"[bold red]{one.kind}:[/] {escape(str(one))}", soft_wrap=True)
  return console.TROUBLE if run.troubles else 0
