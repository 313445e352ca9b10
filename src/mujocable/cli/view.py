"""mujocable view: a model in MuJoCo's window, or in the browser."""

from collections.abc import Callable
from typing import Annotated

import typer

from mujocable.cli import console
from mujocable.cli.console import Problem
from mujocable.cli.options import ModelArgument
from mujocable.errors import NoDisplay
from mujocable.study.motion import PRESETS, Command, preset


@console.verb
def command(
  model: ModelArgument,
  web: Annotated[
    bool, typer.Option("--web", help="in the browser, served to this machine only")
  ] = False,
  port: Annotated[int, typer.Option(help="with --web; 0: any free one")] = 8080,
  open_browser: Annotated[
    bool, typer.Option("--open", help="with --web: open the browser")
  ] = False,
  motion: Annotated[
    str | None, typer.Option(help=f"move by itself: {', '.join(PRESETS)} (default: your sliders)")
  ] = None,
  duration: Annotated[float, typer.Option(help="of one round of the motion [s]")] = 4.0,
  speed: Annotated[float, typer.Option(help="simulated seconds per second")] = 1.0,
  paused: Annotated[bool, typer.Option("--paused", help="start paused")] = False,
):
  """Shows a model **moving**, its cables colored by tension, with live plots.

  MuJoCo's own window by default (on macOS: `mjpython -m mujocable.cli view ...`), or a page in the
  browser with `--web`, which needs no display on this machine.

  Examples: `mujocable view finger --motion waves` · `mujocable view robot.xml --web`
  """
  show(
    console.compiled(console.load(model)), web, port, open_browser, motion, duration, speed, paused
  )


def show(model, web: bool, port: int, open_browser: bool, motion, duration, speed, paused) -> None:
  """Opens the viewer that was asked for, until it is closed."""
  control = None if motion is None else _looped(preset(model, motion, duration), duration)

  if web:
    with console.extra("web"):
      from mujocable.viewer.web import serve
    serve(model, port=port, control=control, speed=speed, paused=paused, open_browser=open_browser)
    return
  from mujocable.viewer.native import launch

  try:
    launch(model, control=control, speed=speed, paused=paused)
  except NoDisplay as reason:
    raise Problem(f"{reason}; try: mujocable view ... --web, or: mujocable run") from None


def _looped(command_at: Command, duration: float) -> Callable:
  def control(model, data) -> None:
    data.ctrl[:] = command_at(data.time % duration)

  return control
