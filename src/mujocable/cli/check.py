"""mujocable check: what is wrong with the cables and tendons of a model."""

from typing import Annotated

import numpy as np
import typer
from rich.markup import escape
from rich.table import Table

from mujocable.cli import console
from mujocable.cli.options import JsonOption, ModelArgument
from mujocable.study.check import ERROR, NOTE, WARNING, Check, Summary
from mujocable.study.check import check as check_spec

_COLOR = {ERROR: "bold red", WARNING: "yellow", NOTE: "cyan"}


@console.verb
def command(
  model: ModelArgument,
  friction: Annotated[
    float, typer.Option(help="asked about where there is none: what would it take?")
  ] = 0.1,
  goals: Annotated[int, typer.Option(help="random poses that are walked to")] = 16,
  steps: Annotated[int, typer.Option(help="poses on each walk")] = 24,
  visual: Annotated[
    bool, typer.Option("--visual", help="geoms that collide with nothing are obstacles too")
  ] = False,
  notes: Annotated[bool, typer.Option(help="show the notes as well")] = True,
  strict: Annotated[bool, typer.Option("--strict", help="warnings count as errors")] = False,
  seed: Annotated[int, typer.Option(help="of the random poses")] = 0,
  json: JsonOption = False,
):
  """Sweeps the joints and says **what is wrong** with every cable and native tendon.

  Finds sides that flip, bodies that are pierced, wraps that lift, slack, paths that do not exist
  and steps that are too large; lists routes, bends and what friction takes. Ends with 1 where there
  is an error.

  Examples: `mujocable check robot.xml` · `mujocable check finger --json`
  """
  spec = console.load(model)
  console.compiled(spec)
  result = console.quietly(
    lambda: check_spec(
      spec,
      friction=friction,
      goals=goals,
      steps=steps,
      visual=visual,
      seed=seed,
      progress=console.progress("moving"),
    )
  )
  if json:
    console.print_json(result.to_dict())
  else:
    _print(result, notes)
  bad = not result.ok or (strict and result.of(WARNING))
  return console.FOUND if bad else 0


def _print(result: Check, notes: bool) -> None:
  if not result.members:
    console.out.print("this model has no cables and no spatial tendons")
    return
  table = Table(title="cables and tendons")
  table.add_column("name", overflow="fold")
  table.add_column("kind")
  columns = ("length\n\\[mm]", "bend\n\\[deg]", "friction", "loses\nup to", "step up to\n\\[ms]")
  for title in columns:
    table.add_column(title, justify="right", overflow="fold")
  for one in result.members:
    low, high = (1e3 * x for x in one.length)
    bend = "?" if np.isnan(one.bend[1]) else " - ".join(f"{np.rad2deg(x):.0f}" for x in one.bend)
    table.add_row(
      escape(one.name),
      one.kind,
      f"{low:.4g} - {high:.4g}",
      bend,
      f"{one.friction:g}" if one.kind == "cable" else f"if {one.friction:g}",
      f"{one.loss:.0%}",
      f"{1e3 * one.largest_step:.3g}" if np.isfinite(one.largest_step) else "any",
    )
  console.out.print(table)
  console.out.print("[bold]routes[/], with how often each wrap touches")
  for one in result.members:
    console.out.print(f"  [bold]{escape(one.name)}[/]  {escape(_route(one))}", soft_wrap=True)
  shown = [f for f in result.findings if notes or f.severity != NOTE]
  for f in shown:
    mark = f"[{_COLOR[f.severity]}]{f.severity}[/]"
    console.out.print(f"{mark} [bold]{escape(f.member)}[/] {escape(f.text)}", soft_wrap=True)
  counts = [f"{len(result.of(kind))} {kind}s" for kind in (ERROR, WARNING, NOTE)]
  verdict = "[bold green]sound[/]" if result.ok else "[bold red]not sound[/]"
  console.out.print(f"{verdict}: {', '.join(counts)}, over {result.poses} poses")


def _route(one: Summary) -> str:
  words = one.route.split(" > ")
  return " > ".join(f"{w} ({one.wraps[w]:.0%})" if w in one.wraps else w for w in words)
