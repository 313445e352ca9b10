"""Run: matched 18-joint arms stepped in turns on one core; medians of the time per step."""

import platform
from argparse import Namespace
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from statistics import median
from time import thread_time

import mujoco
import numpy as np

from experiments.progress import bar
from experiments.robots import results
from experiments.robots.results import Report
from mujocable.models import spirob

PULL = 0.644  # [N]: native tendon and frictionless cable move alike
PAPER = {"native_us": 34.25, "cable_us": 41.96, "ratio": 41.96 / 34.25}
ROUNDS, DURATION = 7, 6.0  # runs of each arm, [s]
SLICES = 24  # of a run, between which the arms take turns

# what is timed: its parameters, its controls
ARMS = {
  "native": (spirob.Spirob(drive="native"), (PULL, 0.0)),
  "cable": (spirob.Spirob(drive="tension"), (PULL, 0.0)),
  "none": (spirob.Spirob(drive="none"), ()),
  # half of what curls it up: beyond, at once, the step does not resolve the tip (limitations)
  "cable_with_friction": (spirob.Spirob(friction=0.15), (0.05, -0.05)),
}


def main(arguments: Namespace) -> int:
  """Times everything and writes everything; nothing is asserted about a clock."""
  rounds, duration = (3, 0.6) if arguments.quick else (ROUNDS, DURATION)
  return results.finish(report(measure(rounds, duration)), arguments)


def measure(rounds: int = ROUNDS, duration: float = DURATION) -> dict[str, list[float]]:
  """Processor time per step of every arm, run by run [us].

  Every round has a process of its own: where a process puts its code and data changes its times by
  a few percent, for as long as it lives. Within a round the arms take turns, a slice each, so that
  what disturbs the machine disturbs all.
  """
  times: dict[str, list[float]] = {name: [] for name in ARMS}
  fresh = get_context("spawn")
  with bar("runtime", rounds) as progress:
    for turn in range(rounds):
      progress.start(f"round {turn + 1}")
      with ProcessPoolExecutor(1, mp_context=fresh) as process:
        spent, ends = process.submit(_fresh_round, duration).result()
      for name in ARMS:
        times[name].append(spent[name])
      # the two that are compared have done the same work
      np.testing.assert_allclose(ends["cable"], ends["native"], rtol=0, atol=1e-9)
      progress.done()
  return times


def _fresh_round(duration: float):
  models = {name: spirob.build(params).compile() for name, (params, _) in ARMS.items()}
  _round(models, duration / 4)  # to warm up
  return _round(models, duration)


def _round(models: dict[str, mujoco.MjModel], duration: float):
  datas = {name: mujoco.MjData(model) for name, model in models.items()}
  for name, data in datas.items():
    data.ctrl[:] = ARMS[name][1]
  spent = dict.fromkeys(models, 0.0)
  steps = round(duration / 5e-4 / SLICES)
  for _ in range(SLICES):
    for name, model in models.items():
      begin = thread_time()
      mujoco.mj_step(model, datas[name], nstep=steps)
      spent[name] += thread_time() - begin
  per_step = {name: 1e6 * seconds / (steps * SLICES) for name, seconds in spent.items()}
  return per_step, {name: data.qpos.copy() for name, data in datas.items()}


def report(times: dict[str, list[float]]) -> Report:
  """Medians, and their spread."""
  found = Report("runtime", "Run time: cables and native tendons on the 18-joint arm")
  middle = {name: median(runs) for name, runs in times.items()}
  ratios = [c / n for c, n in zip(times["cable"], times["native"], strict=True)]
  found.more = {
    "native_us": middle["native"],
    "cable_us": middle["cable"],
    "none_us": middle["none"],
    "ratio": middle["cable"] / middle["native"],
    "ratio_of_rounds": [min(ratios), median(ratios), max(ratios)],
    "cable_with_friction_us": middle["cable_with_friction"],
    "real_time_factor": 500.0 / middle["cable"],
    "cable_alone_us": middle["cable"] - middle["none"],
    "native_alone_us": middle["native"] - middle["none"],
    "runs_us": times,
    "paper": PAPER,
    "machine": platform.processor() or platform.machine(),
    "mujoco": mujoco.mj_versionString(),
  }
  found.text = _text(found.more)
  _figure(found, times)
  return found


def _text(more: dict) -> list[str]:
  rows = [
    ("no cables", f"{more['none_us']:.1f}", "", ""),
    ("MuJoCo's own tendons", f"{more['native_us']:.1f}", "1", "34.25"),
    ("cables", f"{more['cable_us']:.1f}", f"{more['ratio']:.3f}", "41.96 (1.225)"),
    (
      f"cables with friction, {1e3 * ARMS['cable_with_friction'][1][0]:g} mm taken in",
      f"{more['cable_with_friction_us']:.1f}",
      f"{more['cable_with_friction_us'] / more['native_us']:.3f}",
      "",
    ),
  ]
  low, _, high = more["ratio_of_rounds"]
  table = results.table(("arm", "time per step [us]", "/ native", "paper [us]"), rows)
  return [
    f"The same bodies, joints and sites; two cables through 38 holes each; {ROUNDS} runs of"
    f" {DURATION:g} s (steps of 0.5 ms), each in a process of its own, in which the arms take"
    " turns, one thread, medians of its processor time."
    " The native and the frictionless arm follow the same trajectory.",
    table,
    f"Ratio round by round: {low:.3f} to {high:.3f}. The two cables cost"
    f" {more['cable_alone_us']:.1f} us of a step, the two tendons {more['native_alone_us']:.1f} us."
    f" The arm with cables runs {more['real_time_factor']:.0f} times faster than real time."
    " Times are of the machine that wrote this page; the paper does not name its own.",
  ]


def _figure(found: Report, times: dict[str, list[float]]) -> None:
  # matplotlib is loaded late: numbers need none of it
  from matplotlib.figure import Figure

  from experiments.robots import figures

  def draw(file):
    figure = Figure(figsize=(7.2, 2.9), layout="constrained")
    axes = figures.axes_of(figure, 1, 1, 1)
    names = ("none", "native", "cable", "cable_with_friction")
    labels = ("no cables", "native tendons", "cables", "cables with friction,\nby length")
    for y, (name, color) in enumerate(
      zip(names, ("#9aa5b1", "#d98324", "#12355b", "#2a9d8f"), strict=True)
    ):
      axes.barh(y, median(times[name]), color=color, height=0.55)
      axes.plot(times[name], [y] * len(times[name]), "|", color="black", ms=12)
      top = max(times[name])
      axes.annotate(
        f"{median(times[name]):.1f}",
        (top, y),
        (8, 0),
        textcoords="offset points",
        va="center",
        fontsize=9,
      )
    axes.set_yticks(range(len(names)), labels, fontsize=9)
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.set_xlim(left=0)
    axes.set_xlabel("processor time per step [µs]: median (bar) and every run (ticks)")
    figures.save(figure, file)

  found.figure("times", "Time per step of the 18-joint arm.", draw)
