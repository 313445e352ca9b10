"""mujocable reproduce: the published results, computed anew."""

from pathlib import Path
from typing import Annotated

import typer

from mujocable.cli import bundle, console


@console.verb
def command(
  names: Annotated[list[str] | None, typer.Argument(help="experiments (all)")] = None,
  out: Annotated[Path, typer.Option("--out", "-o", help="folder for results")] = Path(
    "out/reproduce"
  ),
  quick: Annotated[
    bool, typer.Option("--quick", help="the short version, without studies")
  ] = False,
  listed: Annotated[bool, typer.Option("--list", help="name the experiments, run nothing")] = False,
):
  """**Rebuilds the published results**: tables and figures, compared with their targets.

  Ends with 1 where a target is missed.

  Examples: `mujocable reproduce --list` · `mujocable reproduce pulleys --quick`
  """
  folder = bundle.folder("experiments") / "experiments"
  known = sorted(file.parent.name for file in folder.glob("*/run.py"))
  if listed:
    console.out.print("\n".join(known))
    return 0
  for name in names or []:
    if name not in known:
      raise console.Problem(f"no experiment {name!r}; experiments: {', '.join(known)}")
  options = ["--out", str(out), *(["--quick"] if quick else [])]
  return bundle.run("experiments", [*(names or []), *options])
