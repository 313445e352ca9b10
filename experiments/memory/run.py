"""Run: what the paper's sliding law and friction with memory make of the same rigs."""

import dataclasses
from argparse import Namespace
from typing import cast

import mujoco
import numpy as np

import mujocable as mjc
from experiments.finger import run as finger
from experiments.progress import bar
from experiments.pulleys import atwood, paper, public
from experiments.pulleys import simulate as pulleys
from experiments.pulleys.case import Case
from experiments.robots import results
from experiments.robots.results import Check, Report
from experiments.robots.simulate import simulate
from experiments.spirob11 import published as arm11
from experiments.spirob18 import published as arm18
from mujocable.models import spirob
from mujocable.models.finger import Finger
from mujocable.models.finger import build as build_finger
from mujocable.spec.laws import Sliding

LAWS = ("sliding", "memory")
ARM18 = (0.15, 0.3, 0.6)
RIGS = (paper.FP15, paper.FS15, atwood.AT, public.EYELET45)


def main(arguments: Namespace) -> int:
  """Runs every rig with both laws and writes everything."""
  jobs = [lambda: _arm11(0.2)]
  jobs += [lambda mu=mu: _arm18(mu) for mu in (ARM18[:1] if arguments.quick else ARM18)]
  jobs += [lambda: _finger(finger.HIGH)]
  jobs += [lambda rig=rig: _pulley(rig) for rig in (RIGS[:1] if arguments.quick else RIGS)]
  rows = []
  with bar("memory", len(jobs)) as progress:
    for job in jobs:
      progress.start("both laws")
      rows += job()
      progress.done()
  found = Report("memory", "The same rigs with friction that remembers")
  found.rows = rows
  found.checks = _checks(rows)
  if not arguments.quick:
    finer = float(_pull18(ARM18[-1], "memory", timestep=2.5e-4).bend[-1])
    bend = _value(rows, f"arm of 18 joints, friction {ARM18[-1]:g}", "bend")
    change = abs(finer - bend["memory"]) if bend else np.nan
    what = "bend of the 18-joint arm with memory, change when the step is halved"
    found.checks.append(Check(what, change, 0.1, "deg"))
  found.text = _text(rows)
  return results.finish(found, arguments)


def _friction(mu: float, law: str) -> float | Sliding:
  return mu if law == "memory" else Sliding(mu, mode="forward")


def _rows(rig: str, entries: dict[str, tuple]) -> list[dict]:
  # entries: quantity -> unit, published or None, and what each law gives
  return [
    {"rig": rig, "quantity": what, "unit": unit, "published": known, "sliding": one, "memory": two}
    for what, (unit, known, one, two) in entries.items()
  ]


def _arm11(mu: float) -> list[dict]:
  runs = [
    simulate(spirob.build(spirob.public_11(_friction(mu, law))), arm11.control, arm11.DURATION)
    for law in LAWS
  ]
  bend, tension, *_ = arm11.SWEEP[mu]
  return _rows(
    f"arm of 11 joints, friction {mu:g}",
    {
      "bend": ("deg", bend, *(float(r.bend[-1]) for r in runs)),
      "tension at the end": ("N", tension, *(float(r.tension[-1, 0]) for r in runs)),
    },
  )


def _pull18(mu: float, law: str, **changes):
  params = spirob.Spirob(friction=_friction(mu, law), **changes)
  retraction = arm18.Retraction(params.max_tension, params.timestep)
  return simulate(spirob.build(params), retraction, arm18.RUN)


def _arm18(mu: float) -> list[dict]:
  runs = [_pull18(mu, law) for law in LAWS]
  bend, peak, take_up = arm18.SWEEP[mu]
  return _rows(
    f"arm of 18 joints, friction {mu:g}",
    {
      "bend": ("deg", bend, *(float(r.bend[-1]) for r in runs)),
      "peak tension": ("N", peak, *(r.peak for r in runs)),
      "take-up": ("mm", 1e3 * take_up, *(1e3 * float(r.take_up[-1, 0]) for r in runs)),
    },
  )


def _finger(mu: float) -> list[dict]:
  runs = [
    simulate(build_finger(Finger(friction=_friction(mu, law))), finger.control, finger.DURATION)
    for law in LAWS
  ]
  flexion, force = finger.PAPER[1]
  return _rows(
    f"finger, friction {mu:g}",
    {
      "flexion": ("deg", flexion, *(float(r.bend[-1]) for r in runs)),
      "force at the tip, at the end": ("N", force, *(float(r.segments[-1]) for r in runs)),
    },
  )


class _Remembering:
  """A rig of the pulleys whose cables remember."""

  def __init__(self, case: Case):
    self._case = case

  def __getattr__(self, name):
    return getattr(self._case, name)

  def spec(self) -> mujoco.MjSpec:
    """The rig's, its cables with memory and solved as they come."""
    spec = self._case.spec()
    for cable in list(mjc.read_cables(spec).values()):
      mjc.remove_cable(spec, cable.name)
      friction = cable.coefficient
      mjc.add_cable(spec, dataclasses.replace(cable, friction=friction, integration="auto"))
    return spec


def _pulley(case: Case) -> list[dict]:
  runs = [pulleys.simulate(case).motion, pulleys.simulate(cast(Case, _Remembering(case))).motion]
  rope = next(iter(runs[0].tension))
  weight = next(name for name in ("payload", "load", "right") if name in runs[0].x)
  entries = {
    "tension ratio, largest": ("", None, *(_largest(m.tension[rope]) for m in runs)),
    "tension ratio, at the end": ("", None, *(_ratio(m.tension[rope][-1]) for m in runs)),
    f"way of the {weight}": ("mm", None, *(1e3 * float(m.x[weight][-1]) for m in runs)),
  }
  if case.watch:
    entries["landing"] = ("ms", None, *(1e3 * m.event for m in runs))
  return _rows(f"{case.name}: {case.title}", entries)


def _ratio(tension: np.ndarray) -> float:
  least = max(float(np.min(tension)), 1e-12)
  return float(np.max(tension)) / least


def _largest(tension: np.ndarray) -> float:
  return max(_ratio(row) for row in tension if np.min(row) > 1e-3 * np.max(tension))


def _value(rows: list[dict], rig: str, quantity: str) -> dict | None:
  return next((r for r in rows if r["rig"].startswith(rig) and r["quantity"] == quantity), None)


def _checks(rows: list[dict]) -> list[Check]:
  """What the laws must have in common, and what must tell them apart."""
  found = []
  if landing := _value(rows, "AT", "landing"):
    apart = 100 * abs(landing["memory"] / landing["sliding"] - 1)
    found.append(Check("landing of AT, the laws apart", apart, 0.1, "%"))
  if ratio := _value(rows, "eyelet", "tension ratio, largest"):
    capstan = np.exp(public.EYELET45.friction * np.pi / 2)
    apart = 100 * abs(ratio["memory"] / capstan - 1)
    found.append(Check("largest ratio at the eyelet, against Capstan", apart, 0.01, "%"))
  rest = _value(rows, "FP15", "tension ratio, at the end")
  held = _value(rows, "FP15", "tension ratio, largest")
  if rest and held:
    kept = rest["memory"] / held["memory"]
    found.append(Check("of its largest ratio, what FP15 keeps at rest", kept, 0.95, least=True))
  more = [r["memory"] - r["sliding"] for r in rows if r["quantity"] in ("bend", "flexion")]
  found.append(Check("bend that memory adds, least", min(more), 0.0, "deg", least=True))
  return found


def _text(rows: list[dict]) -> list[str]:
  cells = [
    (
      row["rig"],
      row["quantity"],
      "" if row["published"] is None else f"{row['published']:.4g} {row['unit']}",
      f"{row['sliding']:.5g} {row['unit']}",
      f"{row['memory']:.5g} {row['unit']}",
    )
    for row in rows
  ]
  return [
    "Every table above and in [pulleys](pulleys.md) has the paper's sliding law, as the numbers"
    " beside it. Here the same rigs, commands and parameters also run with the friction that this"
    " project uses everywhere else ([friction](friction.md)).",
    results.table(("rig", "quantity", "published", "sliding law", "with memory"), cells),
    WHY,
  ]


WHY = """Where they agree: while everything moves one way, both laws put the same ratio at every
contact (largest ratios; the landing of AT), and a free sheave is carried along at no loss
(FS15).

Where they differ:

- **At rest.** The sliding law fades out with the speed, or keeps to the direction it was given;
  memory keeps what was there. A hoist that has stopped (FP15) holds its ratio instead of losing
  it. The load at the eyelet comes to rest inside the cone, above the place where the sliding law
  lets it creep to.
- **Arms and finger.** With the direction given, every hole is on its edge for ever, for the turn
  that it has now. With memory the tip keeps the tension that reached it when the holes turned the
  cable less, as long as that lies in the cones: they bend more, by little at small friction, by a
  fifth at 0.6, where the turn is largest. Halving the step does not change it.
- **Take-up.** A cable that rubs has a constant rigidity
  ([theory](theory.md#6-friction-with-memory)): with a third of it taken in, the 18-joint arm's is
  half as stiff again, and stretches less.

The published numbers of arms and finger are those of the sliding law; none of them was measured
on a machine."""
