"""Run: intervals of a hundred fits, a rope of another simulator, two designs, sweeps, learning."""

import math
import os
import tempfile
from argparse import Namespace
from pathlib import Path

import numpy as np

from experiments.answers import designs, hoist, learning, rope, throughput
from experiments.progress import bar
from experiments.robots import results
from experiments.robots.results import DOCS, Check, Report, check_table, table
from mujocable.study.fit import fit
from mujocable.study.jobs import workers as crew

FITS, ROUNDS, POINTS, TRIALS = 100, 16, 10_000, 80
QUICK = (1, 1, 20, 1)  # without ropes, designs and learning
ROPES = (0.15, 0.3)  # frictions that are put into the other simulator
PAGE = DOCS / "answers.md"

INTRODUCTION = """# Are the answers right?

What the [studies](studies.md) say is held against truths that are known otherwise. Written by
`python -m experiments answers --docs`.
"""


def main(arguments: Namespace) -> int:
  """Runs and writes everything."""
  fits, rounds, points, trials = QUICK if arguments.quick else (FITS, ROUNDS, POINTS, TRIALS)
  found = Report("answers", "Are the answers right?")
  with bar("answers", 5) as progress:
    progress.start("fits")
    _fits(found, fits)
    progress.done()
    progress.start("rope")
    if not arguments.quick:
      _rope(found)
    progress.done()
    progress.start("designs")
    if not arguments.quick:
      _designs(found, trials, designs.GRID)
    progress.done()
    progress.start("sweeps")
    _sweeps(found, points, arguments.quick)
    progress.done()
    progress.start("learning")
    if not arguments.quick:
      _learning(found, rounds)
    progress.done()
  status = results.finish(found, Namespace(**{**vars(arguments), "docs": False}))
  if arguments.docs and not arguments.quick:
    _write_page(found, arguments.out)
  return status


def one_fit(_, seed: int) -> dict[str, tuple[float, float, float]]:
  """Noise of its own, a wrong start: value and interval of every parameter."""
  with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "measured.csv"
    hoist.measure(hoist.build(hoist.TRUTH), path, seed)
    result = fit(hoist.build(hoist.WRONG), path, list(hoist.TRUTH), seed=seed)
  return {name: (one.value, one.low, one.high) for name, one in result.values.items()}


def _fits(found: Report, count: int) -> None:
  workers = 1 if count < 10 else crew.cores()
  runs = dict(crew.run(one_fit, None, [(i, i) for i in range(count)], workers=workers))
  rows = []
  for name, truth in hoist.TRUTH.items():
    values = np.array([runs[i][name] for i in range(count)])
    inside = int(np.sum((values[:, 1] <= truth) & (truth <= values[:, 2])))
    width = float(np.median(values[:, 2] - values[:, 1]) / truth)
    rows.append(
      [name, f"{truth:g}", f"{hoist.WRONG[name]:g}", f"{inside} of {count}", f"{width:.2%}"]
    )
    found.checks.append(
      Check(f"intervals that hold {name}", inside / count, 0.9 if count > 10 else 0.5, least=True)
    )
    found.rows.append({"parameter": name, "truth": truth, "inside": inside, "runs": count})
  head = ["parameter", "truth", "started at", "inside its 95 % interval", "width of the interval"]
  found.text.append(
    "## Fits\n\nA hoist with known parameters, white noise on motor tension (0.3 N) and height"
    " (0.2 mm), a wrong start, another noise in every run:"
  )
  found.text.append(table(head, rows))


def _rope(found: Report) -> None:
  rows = []
  for friction in ROPES:
    with tempfile.TemporaryDirectory() as folder:
      path = Path(folder) / "rope.csv"
      rope.measure(path, friction, 4000.0)
      start = {"rope.friction": 0.05, "rope.stiffness": 12000.0, "rope.lag": 0.0}
      names = ["rope.friction", "rope.stiffness", "rope.damping"]
      result = fit(hoist.build(start), path, names)
    one = result.values["rope.friction"]
    off = one.value / friction - 1
    rows.append(
      [f"{friction:g}", f"{one.value:.4f}", f"{one.low:.4f} to {one.high:.4f}", f"{off:+.1%}"]
    )
    found.checks.append(Check(f"friction of a rope with {friction:g}, off", abs(off), 0.05))
    found.more[f"rope_{friction:g}"] = one.value
  found.text.append(
    "A rope of a hundred point masses with springs, contacts and Coulomb friction at each"
    " (`experiments/answers/rope.py`; no Capstan law in it) is pulled over the same post:"
  )
  found.text.append(table(["friction put in", "found", "interval", "off"], rows))


def _designs(found: Report, trials: int, grid: int) -> None:
  rows = []
  for name, make in designs.PROBLEMS.items():
    problem = make()
    result = designs.search(problem, trials)
    best, _ = designs.exhaustive(problem, grid)
    (goal,) = problem.goals
    assert result.best is not None
    given, reached = result.given.measures[goal], result.best.measures[goal]
    rows.append([name, goal, f"{given:.4g}", f"{reached:.4g}", f"{best:.4g}"])
    found.checks.append(
      Check(f"{name}: found / best of all that were tried", reached / best, 0.98, least=True)
    )
    found.more[f"design_{name}"] = {"given": given, "found": reached, "exhaustive": best}
  head = [
    "robot",
    "goal",
    "bad routing",
    f"found in {trials} designs",
    f"best of a {grid} x {grid} grid",
  ]
  found.text += ["## Designs", table(head, rows)]


def _sweeps(found: Report, points: int, quick: bool) -> None:
  times = throughput.measure(points, cluster=not quick)
  found.checks.append(Check("all ways alike to the bit", float(times.same), 1.0, least=True))
  found.more["throughput"] = vars(times)
  rows = [
    ["a plain loop, every step read", f"{times.loop:.2f}", "1"],
    ["sweep, one process", f"{times.one:.2f}", f"{times.loop / times.one:.2f}"],
    [f"sweep, {throughput.CORES} cores", f"{times.cores:.2f}", f"{times.loop / times.cores:.2f}"],
  ]
  if times.cluster is not None:
    nodes = f"sweep, Ray, {throughput.CORES} nodes of one core"
    rows.append([nodes, f"{times.cluster:.2f}", f"{times.loop / times.cluster:.2f}"])
    overhead = throughput.CORES * (times.cluster - times.cores)
    found.more["cluster_overhead_ms"] = overhead
  text = (
    f"{times.points} points of the winch, {throughput.DURATION:g} s each, peaks equal to the bit."
  )
  if times.cluster is not None:
    text += (
      f" A point costs {found.more['cluster_overhead_ms']:.2f} ms of a core more on the cluster."
    )
  load = f"(load average of the machine when this was written: {os.getloadavg()[0]:.1f})"
  found.text += ["## Sweeps", f"{text} {load}", table(["way", "ms per point", "speed"], rows)]


def _learning(found: Report, rounds: int) -> None:
  rows, curves = [], {}
  for task in sorted(learning.TASKS):
    one = learning.learn(task, rounds)
    curves[task] = one
    near = learning.TASKS[task].near
    rows.append(
      [task, f"{one.idle:.3f}", f"{one.error:.3f} {one.unit}", f"{one.reached:.0%} within {near:g}"]
    )
    found.checks.append(Check(f"{task}: goals reached", one.reached, 0.8, least=True))
    found.more[task] = vars(one)
  head = ["task", "late error, idle", "late error, baseline", "goals reached"]
  found.text += [
    "## Learning",
    f"The baseline (`mujocable.gym.train`, {rounds} rounds), examined on {learning.EXAM} frictions"
    " and goals that it never met; the late error is that of the last third of an episode:",
    table(head, rows),
  ]
  found.figure(
    "learning", "Late error of the baseline after every round", lambda f: _draw(f, curves)
  )


def _draw(file: Path, curves: dict[str, learning.Learned]) -> None:
  from matplotlib.backends.backend_agg import FigureCanvasAgg
  from matplotlib.figure import Figure

  figure = Figure(figsize=(8, 3), layout="constrained")
  FigureCanvasAgg(figure)
  for ax, (task, one) in zip(figure.subplots(1, len(curves)), curves.items(), strict=True):
    ax.semilogy(one.curve, "o-", markersize=3)
    ax.set(title=task.partition("/")[2], xlabel="round", ylabel=f"late error [{one.unit}]")
    ax.grid(alpha=0.3, which="both")
    ax.spines[["top", "right"]].set_visible(False)
  figure.savefig(file, dpi=100)


def _write_page(found: Report, out: Path) -> None:
  text = [INTRODUCTION.rstrip(), *found.text]
  picture = out / found.name / "learning.png"
  if picture.is_file():
    (DOCS / "images" / "learning.png").write_bytes(picture.read_bytes())
    text.append("![Late error of the baseline after every round](images/learning.png)")
  text += ["## Targets", check_table(found.checks)]
  PAGE.write_text("\n\n".join(text) + "\n", encoding="utf-8")
  assert not math.isnan(sum(c.value for c in found.checks))
