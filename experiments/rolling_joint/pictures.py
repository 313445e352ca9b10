"""Pictures: the joint in its plane, its motion over time, the lengths of its cables."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from experiments.robots.figures import axes_of
from experiments.rolling_joint.simulate import DURATION, Run
from mujocable.models.rolling_joint import RollingJoint

COLORS = {
  "flexor": "#c0392b",
  "extensor": "#2471a3",
  "ligament_a": "#229954",
  "ligament_b": "#b7950b",
}
LINES = {
  "condyles, smooth": ("#1b4f72", "-"),
  "condyles, mesh": ("#e67e22", "--"),
  "two hinges": ("#7d8b99", "-."),
}


def poses(run: Run, p: RollingJoint) -> Figure:
  """Outlines of both bones and all cables at every snapshot."""
  figure = Figure(figsize=(2.4 * len(run.states), 3.9), layout="constrained")
  bone = 1e3 * p.profile.outline(np.deg2rad(2), -9e-3)
  drawn = []
  for i, time in enumerate(sorted(run.states)):
    axes = figure.add_subplot(1, len(run.states), i + 1)
    axes.set_aspect("equal")
    now = np.abs(run.time - time).argmin()
    angle, (along, palmar) = np.deg2rad(run.angle[now]), 1e3 * run.hinge[now]
    c, s = np.cos(angle), np.sin(angle)
    mirrored = bone * [-1, 1]
    turned = mirrored @ np.array([[c, s], [-s, c]]) + [along, palmar]
    for outline in (bone, turned):
      axes.add_patch(Polygon(outline[:, ::-1], fc="#efe6da", ec="#8d7b68", lw=0.9))
    for name, path in run.paths[time].items():
      axes.plot(1e3 * path[:, 1], 1e3 * path[:, 2], color=COLORS[name], lw=1.5, label=_words(name))
    across, along = 1e3 * np.array(p.ring_at[1:])
    hole = 1e3 * (p.ring_hole + p.ring_tube)
    wire = [across - hole, across + hole]
    axes.plot(wire, [along] * 2, "o", color="#555555", ms=2.6, label="ring")
    axes.set_title(f"{time:g} s, {run.angle[now]:.1f}°", fontsize=10)
    axes.set(xlim=(-11, 33), ylim=(-20, 37))
    axes.set_xlabel("palmar [mm]", fontsize=9)
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    if i == 0:
      axes.set_ylabel("along the finger [mm]", fontsize=9)
    drawn.append(axes)
  handles, labels = drawn[0].get_legend_handles_labels()
  figure.legend(handles, labels, loc="outside lower center", ncols=5, frameon=False, fontsize=9)
  return figure


def time_series(runs: Mapping[str, Run]) -> Figure:
  """Flexion, tension of the flexor, force between the condyles."""
  figure = Figure(figsize=(8.2, 6.4), layout="constrained")
  panels = (
    ("flexion [deg]", lambda run: run.angle),
    ("flexor tension [N]", lambda run: run.tension[:, 0] if run.tension.size else None),
    ("contact force [N]", lambda run: run.pressure if run.tension.size else None),
  )
  first = None
  for i, (label, value) in enumerate(panels):
    axes = axes_of(figure, len(panels), 1, i + 1, sharex=first)
    first = first or axes
    for name, run in runs.items():
      color, style = LINES[name]
      if value(run) is not None:
        axes.plot(run.time, value(run), style, color=color, lw=1.6, label=name)
    axes.set_ylabel(label, fontsize=10)
    axes.set_xlim(0, DURATION)
    axes.set_ylim(bottom=0)
    if i < len(panels) - 1:
      axes.tick_params(labelbottom=False)
    else:
      axes.set_xlabel("time [s]", fontsize=10)
  first.legend(fontsize=9, frameon=False, loc="lower right")
  figure.align_ylabels()
  return figure


def lengths(run: Run, judged: np.ndarray) -> Figure:
  """How every cable changes with the flexion, by simulation and by closed form."""
  figure = Figure(figsize=(7.6, 4.3), layout="constrained")
  axes = axes_of(figure, 1, 1, 1)
  for i, (name, color) in enumerate(COLORS.items()):
    home = run.length[0, i]
    change, wide = 1e3 * (run.length[:, i] - home), name == "ligament_a"
    axes.plot(run.angle, change, color=color, lw=4.5 if wide else 1.7, label=_words(name))
    # dots at even angles
    some = [np.abs(run.angle - at).argmin() for at in np.linspace(0, run.angle[-1], 9)]
    axes.plot(run.angle[some], 1e3 * (judged[some, i] - home), "o", color=color, ms=4.5, mfc="w")
  axes.plot([], [], "o", color="#555555", ms=4.5, mfc="w", label="closed form")
  axes.set(xlabel="flexion [deg]", ylabel="change of length [mm]")
  axes.legend(fontsize=9, frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
  return figure


def _words(name: str) -> str:
  return name.replace("_a", " A").replace("_b", " B")
