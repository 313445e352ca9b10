"""mujocable demo: a robot of the package at work, in a viewer or into files."""

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from mujocable.cli import console, results
from mujocable.cli.console import Problem
from mujocable.cli.options import JsonOption
from mujocable.errors import suggestion
from mujocable.study.motion import commanded
from mujocable.study.simulate import simulate
from mujocable.viewer import native

# how each robot shows best: motion and duration [s]; others pull for 4 s
_SHOWS = {
  "atwood": ("rest", 2.0),
  "finger": ("turns", 6.0),
  "hand": ("turns", 10.0),
  "rolling_joint": ("turns", 6.0),
  "spirob": ("turns", 8.0),
  "tensegrity": ("rest", 3.0),
}


@console.verb
def command(
  name: Annotated[str, typer.Argument(help="a robot of the package")] = "winch",
  listed: Annotated[bool, typer.Option("--list", help="name the robots, run nothing")] = False,
  headless: Annotated[
    bool, typer.Option("--headless", help="no window: table, plots and pictures as files")
  ] = False,
  video: Annotated[bool, typer.Option("--video", help="a video too, as a file")] = False,
  web: Annotated[bool, typer.Option("--web", help="in the browser instead of a window")] = False,
  out: Annotated[
    Path | None, typer.Option("--out", "-o", help="folder for the files (out/demo)")
  ] = None,
  fps: Annotated[int, typer.Option(help="pictures per second of the video")] = 20,
  no_pictures: Annotated[
    bool, typer.Option("--no-pictures", help="with --headless: table, CSV and plots only")
  ] = False,
  json: JsonOption = False,
):
  """Shows a robot **at work**: in a window, in the browser, or `--headless` into files.

  Without a display it is headless by itself. The winch has a job of its own: it lifts a payload
  over a sheave, and prints what the cable does.

  Examples: `mujocable demo` · `mujocable demo finger --web` · `mujocable demo spirob --headless`
  """
  known = console.robots()
  if listed and json:
    console.print_json(known)
    return 0
  if listed:
    table = Table(show_header=False, box=None)
    for robot, what in known.items():
      table.add_row(f"[bold]{robot}[/]", escape(what))
    console.out.print(table)
    return 0
  if name not in known:
    raise Problem(f"no robot {name!r}; robots: {', '.join(known)}{suggestion(name, known)}")
  if fps < 1:
    raise Problem(f"--fps must be at least 1, got {fps}")
  if video and no_pictures:
    raise Problem("--video and --no-pictures: choose one")
  wants_files = headless or out is not None or no_pictures or video
  reason = "" if web or wants_files else native.why_not()
  if reason:
    console.err.print(f"[yellow]no window, files instead:[/] {escape(reason)}", soft_wrap=True)
  if not (wants_files or reason):
    from mujocable.cli.view import show

    motion, duration = _SHOWS.get(name, ("pull", 4.0))
    model = console.compiled(console.load(name))
    show(model, web, 8080, False, motion, duration, 1.0, False)
    return 0
  if video:
    with console.extra("viewer"):
      import imageio  # noqa: F401
  folder = console.fresh_folder(out or Path("out/demo" if name == "winch" else f"out/demo/{name}"))
  if name == "winch":
    with console.extra("viewer"):
      from mujocable.cli.winch_job import do
    do(folder, fps, not no_pictures, video)
  else:
    _files(name, folder, fps, not no_pictures, video)
  return 0


def _files(name: str, folder: Path, fps: int, pictures: bool, video: bool) -> None:
  model = console.compiled(console.load(name))
  motion, duration = _SHOWS.get(name, ("pull", 4.0))
  bar = console.progress("fitting the motion")
  moves, notes = commanded(model, motion, duration, fit=True, progress=bar)
  run = simulate(model, moves, duration, progress=console.progress("simulating"))
  written = [results.write_table(run, folder, "csv")]
  written += results.write_plots(run, folder, "svg")
  if pictures:
    written += results.write_video(run, folder, None, fps, video)
  written += results.write_report(run, folder, notes)
  console.out.print(results.summary(run))
  console.tell_files(folder, written)
