"""mujocable sweep: one motion, many parameters, on all cores."""

import csv
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from mujocable.cli import console
from mujocable.cli.console import JsonOption, ModelArgument, Problem
from mujocable.study import motion as motions
from mujocable.study.sweep import axis
from mujocable.study.sweep import sweep as sweep_spec

_SHOWN = 40  # rows printed
_UNITS = {"peak_tension": "N", "end_tension": "N", "max_slack": "m", "lost": "J"}


@console.verb
def command(
  model: ModelArgument,
  vary: Annotated[
    list[str],
    typer.Option(help="CABLE.PARAMETER=FROM:TO:COUNT or =A,B,C; may be repeated: a grid"),
  ],
  out: Annotated[
    Path | None, typer.Option("--out", "-o", help="folder for sweep.csv and plots")
  ] = None,
  motion: Annotated[str, typer.Option(help=f"{', '.join(motions.PRESETS)}")] = "pull",
  commands: Annotated[
    Path | None, typer.Option(help="CSV file instead: column time [s], and one per actuator")
  ] = None,
  duration: Annotated[
    float | None, typer.Option(help="[s] (default: 4, or as long as the commands)")
  ] = None,
  rate: Annotated[float, typer.Option(help="samples per second")] = 50.0,
  threads: Annotated[int | None, typer.Option(help="default: one per core")] = None,
  plots: Annotated[bool, typer.Option(help="plots, as vector graphics")] = True,
  json: JsonOption = False,
):
  """Runs one motion with **many parameters**, in parallel, and tabulates what the cables do.

  Friction, stiffness, damping, max_tension and home_length share one compiled model; other fields
  of a cable, `site:NAME.x` and `geom:NAME.radius` are compiled anew for each value. `*` is every
  cable.

  Examples: `mujocable sweep finger --vary 'flexor.friction=0:0.3:7' -o out/sweep` ·
  `mujocable sweep finger --vary '*.friction=0,0.1' --vary 'flexor.stiffness=1e3,1e4,1e5'`
  """
  spec = console.load(model)
  axes = [axis(text) for text in vary]
  if threads is not None and threads < 1:
    raise Problem(f"--threads must be at least 1, got {threads}")
  lasts, command_at = 4.0, motion
  compiled = console.compiled(spec)
  if commands is not None:
    command_at, lasts = motions.from_csv(compiled, commands)
  rows = console.quietly(
    lambda: sweep_spec(
      spec,
      axes,
      motion=command_at,
      duration=duration or lasts,
      rate=rate,
      threads=threads,
      progress=console.progress("sweeping"),
    )
  )
  written = []
  if out is not None:
    folder = console.fresh_folder(out)
    with (folder / "sweep.csv").open("w", newline="", encoding="utf-8") as file:
      writer = csv.DictWriter(file, list(rows[0]))
      writer.writeheader()
      writer.writerows(rows)
    written.append("sweep.csv")
    if plots:
      with console.extra("viewer"):
        from mujocable.viewer import plots as drawing
        from mujocable.viewer.sweeps import plot_sweep
      for cable in dict.fromkeys(str(row["cable"]) for row in rows):
        mine = [row for row in rows if row["cable"] == cable]
        file = f"{cable.replace('/', '_').replace(':', '_')}_sweep.svg"
        drawing.save(plot_sweep(mine, [one.text for one in axes], cable), folder / file)
        written.append(file)
  if json:
    console.print_json(rows)
    return
  table = Table(title=f"{len(rows)} results")
  vary_names = [one.text for one in axes]
  for name in rows[0]:
    unit = _UNITS.get(name)
    words = name.replace("_", "\n") if name not in vary_names else escape(name).replace(".", ".\n")
    title = f"{words}\n\\[{unit}]" if unit else words
    table.add_column(title, justify="left" if name == "cable" else "right")
  for row in rows[:_SHOWN]:
    table.add_row(*(escape(x) if isinstance(x, str) else f"{x:.4g}" for x in row.values()))
  console.out.print(table)
  if len(rows) > _SHOWN:
    console.out.print(f"and {len(rows) - _SHOWN} more; --out FOLDER writes them all")
  if written:
    console.out.print(f"written to {escape(str(out))}: {', '.join(written)}", soft_wrap=True)
