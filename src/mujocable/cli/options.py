"""Options: arguments that several verbs have, and what they stand for."""

from pathlib import Path
from typing import Annotated

import mujoco
import typer

from mujocable.cli.console import Problem
from mujocable.study.motion import PRESETS, Command, from_csv

_MODEL = "an MJCF file, or one of the package's robots by name (mujocable demo --list)"
_DURATION = 4.0  # [s], where nothing says how long

ModelArgument = Annotated[str, typer.Argument(help=_MODEL, show_default=False)]
JsonOption = Annotated[bool, typer.Option("--json", help="print the result as JSON")]
OutOption = Annotated[Path, typer.Option("--out", "-o", help="folder for the results")]
ResumeOption = Annotated[bool, typer.Option("--resume", help="go on with what is in the folder")]
CommandsOption = Annotated[
  Path | None, typer.Option(help="CSV file: column time [s], and one per actuator")
]
MotionOption = Annotated[str, typer.Option(help=f"without --commands: {', '.join(PRESETS)}")]
DurationOption = Annotated[
  float | None, typer.Option(help="[s] (default: 4, or as long as the commands)")
]
FitOption = Annotated[
  bool, typer.Option(help="go only as far as the model as given goes without trouble")
]
KeyframeOption = Annotated[str | None, typer.Option(help="start from this keyframe")]
WorkersOption = Annotated[int | None, typer.Option(help="processes (default: one per core)")]
ClusterOption = Annotated[
  str | None, typer.Option(help="a Ray cluster: auto, or its address (default: this machine)")
]
PlotsOption = Annotated[bool, typer.Option(help="plots, as vector graphics")]


def keyframe_of(model: mujoco.MjModel, name: str | None) -> int | None:
  """The number of a keyframe; None for none."""
  if name is None:
    return None
  names = [model.key(i).name for i in range(model.nkey)]
  return names.index(one_of("keyframe", name, names))


def one_of(kind: str, name: str, names: list[str]) -> str:
  """The name, if there is one such."""
  if name not in names:
    raise Problem(f"no {kind} {name!r}; {kind}s here: {', '.join(filter(None, names)) or 'none'}")
  return name


def motion_of(
  model: mujoco.MjModel,
  motion: str,
  commands: Path | None,
  duration: float | None,
  keyframe: int | None,
) -> tuple[str | Command, float]:
  """A preset by name or the rows of a file, and for how long [s]."""
  if commands is None:
    return motion, _DURATION if duration is None else duration
  rows, lasts = from_csv(model, commands, keyframe)
  return rows, lasts if duration is None else duration
