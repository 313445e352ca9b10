"""mujocable bench: times cables against native tendons."""

from pathlib import Path
from typing import Annotated

import typer

from mujocable.cli import bundle, console
from mujocable.errors import suggestion


@console.verb
def command(
  scenes: Annotated[list[str] | None, typer.Argument(help="names of scenes (all)")] = None,
  rounds: Annotated[int, typer.Option(help="interleaved rounds")] = 21,
  steps: Annotated[int, typer.Option(help="steps per round")] = 300,
  save: Annotated[Path | None, typer.Option(help="write the results to this JSON file")] = None,
  compare: Annotated[Path | None, typer.Option(help="show the change against a saved file")] = None,
  instructions: Annotated[
    bool, typer.Option("--instructions", help="count instructions instead (needs valgrind)")
  ] = False,
):
  """**Times** scenes with cables, with native tendons and with none, interleaved.

  Read the ratios rather than the times: machines are noisy.

  Examples: `mujocable bench` · `mujocable bench --save before.json` · `mujocable bench arm
  --instructions`
  """
  if compare is not None and not compare.is_file():
    raise console.Problem(f"{compare} is not a file; make one with --save")
  known = [scene.name for scene in bundle.module("benchmarks.scenes").SCENES]
  for name in scenes or ():
    if name not in known:
      raise console.Problem(
        f"no scene {name!r}; scenes: {', '.join(known)}{suggestion(name, known)}"
      )
  options = ["--rounds", str(rounds), "--steps", str(steps)]
  options += ["--save", str(save)] if save else []
  options += ["--compare", str(compare)] if compare else []
  options += ["--instructions"] if instructions else []
  return bundle.run("benchmarks", [*(scenes or []), *options])
