"""Page: tables of the stability experiment, and docs/stability.md."""

import numpy as np

from experiments.robots.results import DOCS, Report, check_table, table
from experiments.stability import convergence, friction, swing

PAGE = DOCS / "stability.md"
WORDS = {
  "passive": "cable",
  "commanded": "cable, commanded",
  "explicit": "cable, explicit",
  "native": "native tendon",
}
INTRODUCTION = """# Stiff cables

Real cables are stiff and links are light: 1e6 N/m on 5 g oscillates at 2 kHz, and as an explicit
force it needs steps of 0.1 ms. Where a cable is stiff for the step, its tension is therefore
found together with the motion of the bodies, with all other such cables of the model, and with
contacts, limits and equalities ([theory](theory.md#10-stiff-cables)). Any stiffness is then
stable at any step. Where a cable rests is not changed. A vibration that the step resolves keeps
its amplitude, one that it cannot resolve is brought to rest.

Friction is part of it: see [below](#friction). So is the direction of the tension:
[segments that swing](#segments-that-swing).

This is automatic. `Cable(integration="explicit")`, or the key `integration` in MJCF, brings back
the force of the present state alone: for studies of the law itself, and for
[what implicit tensions cannot do](limitations.md#read-outs-and-integration).
"""

FRICTION = """## Friction

A contact that sticks is a spring: the piece of cable between two contacts, stiffer than the whole
cable by as much as it is shorter. On a light sheave, or in the holes of a long light arm, such
pieces are stiff for any practical step, so the sum over all of them decides which cables are
solved together with the motion ([theory](theory.md#10-stiff-cables), (22)). Commanded tensions
are included. [Friction](friction.md) holds the same loads at every step, and no contact ever
gains energy."""


SWING = """## Segments that swing

A tension holds the ends of a segment sideways too, like a spring: stiffly where the segment is
short and what it holds is light, as at the tip of a tentacle. And it takes light ends past each
other within a step. Where the step does not resolve that, the tension pulls along the direction at
the end of the step, but for `discrete` ([theory](theory.md#12-segments-that-swing), (24)). It takes
energy and moves no equilibrium; what slides along a cable, or carries both ends of a segment, feels
nothing of it. Native tendons flutter there."""


def text(found: Report) -> list[str]:
  """Tables of the results."""
  rough = friction.text(found.more["sheaves"], found.more["arm"])
  rough += convergence.text(found.more["pulled"])
  rough += [SWING, *swing.text(found.more["swing"])]
  return [*_grid(found), *_order(found), _native(found), FRICTION, *rough]


def write(found: Report) -> None:
  """docs/stability.md."""
  body = [INTRODUCTION, f"`python -m experiments --docs {found.name}` writes what follows."]
  body += [*found.text, check_table(found.checks)]
  PAGE.write_text("\n\n".join(part.strip() for part in body) + "\n", encoding="utf-8")


def _grid(found: Report) -> list[str]:
  rows = found.rows
  masses, stiffnesses, steps = (
    sorted({row[key] for row in rows}) for key in ("mass", "stiffness", "timestep")
  )
  intro = (
    f"A link of {1e3 * masses[0]:g} to {1e3 * masses[-1]:g} g falls 1 cm, is caught by a cable of "
    f"{stiffnesses[0]:.0e} to {stiffnesses[-1]:.0e} N/m and comes to rest, with steps of "
    f"{1e3 * steps[0]:g} to {1e3 * steps[-1]:g} ms: stable combinations, and the largest relative "
    "error of the stretch at rest among them (weight over stiffness)."
  )
  lines = []
  for integrator in dict.fromkeys(row["integrator"] for row in rows):
    here = [row for row in rows if row["integrator"] == integrator]
    cells = [integrator]
    for kind in WORDS:
      errors = np.array([row[f"{kind}_error"] for row in here])
      stable = np.isfinite(errors)
      worst = f", {errors[stable].max():.1e}" if stable.any() else ""
      cells.append(f"{stable.sum()} of {len(here)}{worst}")
    lines.append(cells)
  summary = table(("integrator", *WORDS.values()), lines)

  head = ("mass, stiffness", *(f"{1e3 * step:g} ms" for step in steps))
  lines = []
  for mass in masses:
    for stiffness in stiffnesses:
      cells = [f"{1e3 * mass:g} g, {stiffness:.0e} N/m"]
      for step in steps:
        key = {"integrator": "implicitfast", "mass": mass, "stiffness": stiffness, "timestep": step}
        row = next(row for row in rows if key.items() <= row.items())
        marks = (np.isfinite(row[f"{kind}_error"]) for kind in ("passive", "explicit", "native"))
        cells.append(" ".join("yes" if mark else "-" for mark in marks))
      lines.append(cells)
  detail = "Stable under implicitfast: cable, explicit cable, native tendon."
  return [intro, summary, detail, table(head, lines)]


def _order(found: Report) -> list[str]:
  intro = (
    "A link of 1 g on 1e3 N/m sinks in oil until the cable holds it: largest error against the "
    "closed form, relative to the stretch at rest. It shrinks with the step; where an explicit "
    "step is stable with a margin (22), the cable is the explicit one, to the last bit."
  )
  lines = [
    (
      f"{row['integrator']}, {1e3 * row['timestep']:g} ms",
      *(f"{row[kind]:.5f}" for kind in ("passive", "explicit", "native")),
    )
    for row in found.more["order"]
  ]
  words = (WORDS[kind] for kind in ("passive", "explicit", "native"))
  return [intro, table(("integrator, step", *words), lines)]


def _native(found: Report) -> str:
  native = found.more["native"]
  return (
    "Under `discrete` a box swings on a cable and drags over a ball and the floor, "
    f"{native['steps']} steps of 5 ms, {native['steps_with_contact']} of them with contacts: cable "
    "and native tendon of 1e4, 1e5 and 1e6 N/m are at most "
    f"{native['apart']:.1e} apart in any position or velocity."
  )
