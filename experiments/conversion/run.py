"""Run: every model of `myo-sim`, and the known robots, converted, compared, timed and stepped."""

import importlib
import importlib.util
import time
import warnings
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

import mujoco
import numpy as np

import mujocable as mjc
from experiments.progress import bar
from experiments.robots import results
from experiments.robots.results import Check, Report
from mujocable.study.convert.conversion import Conversion
from mujocable.study.convert.cost import step_cost

PAGE = Path(__file__).resolve().parents[2] / "docs" / "conversions.md"
ROBOTS = ("adaptive_hand", "tendon_finger", "muscle_arm", "exosuit", "soft_foot")
BODIES = (
  "elbow",
  "myoelbow_2dof",
  "myoelbow_exo",
  "finger",
  "hand",
  "myoarm",
  "osl",
  "myolegs",
  "myolegs26",
  "myotorso",
  "myotorso_arms",
  "myofullbody",
)
QUICK = ("elbow", "finger")
FRICTION = 0.1
DURATION = 1.0  # of a trajectory [s]
NUDGE = 1e-16  # what one of two native runs is disturbed by, relative to 1


def main(arguments: Namespace) -> int:
  """Converts, compares and writes everything; 0 when every check is met."""
  jobs: dict[str, Callable[[], mujoco.MjSpec]] = {name: _robot(name) for name in ROBOTS}
  if importlib.util.find_spec("myo_sim") is None:
    print("myo-sim is not installed: robots of the package only; cure: pip install myo-sim")
  else:
    jobs |= {f"myo-sim {name}": _body(name) for name in (QUICK if arguments.quick else BODIES)}
  rows = []
  with bar("conversion", len(jobs)) as progress, warnings.catch_warnings():
    warnings.simplefilter("ignore")  # myo-sim attaches with empty prefixes
    for name, load in jobs.items():
      progress.start(name)
      rows.append(row(name, load()))
      progress.done()
  report = summarize(rows)
  code = results.finish(report, Namespace(out=arguments.out, quick=arguments.quick, docs=False))
  if arguments.docs and not arguments.quick:
    write_page(report)
  return code


def _robot(name: str) -> Callable[[], mujoco.MjSpec]:
  return lambda: importlib.import_module(f"mujocable.models.{name}").native()


def _body(name: str) -> Callable[[], mujoco.MjSpec]:
  return lambda: importlib.import_module("myo_sim").load_spec(name)


def row(name: str, spec: mujoco.MjSpec) -> dict:
  """One model: converted without and with friction, compared, timed and stepped."""
  native = spec.compile()
  begin = time.perf_counter()
  plain = mjc.convert(spec, limits="native")
  seconds = time.perf_counter() - begin
  rough = mjc.convert(spec, friction=FRICTION, poses=1).spec.compile()
  smooth = plain.spec.compile()
  cost = step_cost({"native": native, "smooth": smooth, "rough": rough})
  apart, chaos = _travel(native, smooth)
  return {
    "model": name,
    "tendons": len(plain.converted) + len(plain.kept),
    "converted": len(plain.converted),
    "refusals": {kind: len(names) for kind, names in plain.refusals().items()},
    "differing": sum(one.differing for one in plain.converted) / max(1, _looks(plain)),
    "length_m": _middle(plain, "length_error"),
    "arm_m": _middle(plain, "arm_error"),
    "reasons": plain.reasons(),
    "seconds": seconds,
    "apart": apart,
    "chaos": chaos,
    "native_us": 1e6 * cost["native"],
    "smooth": cost["smooth"] / cost["native"],
    "rough": cost["rough"] / cost["native"],
  }


def _looks(conversion: Conversion) -> int:
  return conversion.poses * len(conversion.converted)


def _middle(conversion: Conversion, what: str) -> float:
  # largest over the tendons that run as before in every pose
  same = [getattr(one, what) for one in conversion.converted if not one.differing]
  return float(max(same, default=0.0))


def _travel(native: mujoco.MjModel, cables: mujoco.MjModel) -> tuple[float, float]:
  """Largest distance in qpos over a second of the same commands: cables from native, and one native
  run from another that starts a rounding error away."""
  models = [native, cables, native]
  datas = [mujoco.MjData(model) for model in models]
  for data in datas:
    if native.nkey:
      data.qpos[:] = native.key_qpos[0]
  datas[2].qpos[:] += NUDGE * np.maximum(1.0, np.abs(datas[2].qpos))
  rng = np.random.default_rng(1)
  control, goal = np.zeros(native.nu), np.zeros(native.nu)
  low, high = native.actuator_ctrlrange.T
  span = np.where(native.actuator_ctrllimited, high - low, 0.0)
  apart = chaos = 0.0
  for step in range(round(DURATION / native.opt.timestep)):
    if step % 50 == 0:
      goal = low + rng.uniform(0, 0.3, native.nu) * span
    control += 0.05 * (goal - control)
    for model, data in zip(models, datas, strict=True):
      data.ctrl[:] = control
      mujoco.mj_step(model, data)
    apart = max(apart, float(np.abs(datas[0].qpos - datas[1].qpos).max()))
    chaos = max(chaos, float(np.abs(datas[0].qpos - datas[2].qpos).max()))
  return apart, chaos


# ------------------------------------ words


def summarize(rows: list[dict]) -> Report:
  """Tables and checks."""
  total, became = (sum(row[key] for row in rows) for key in ("tendons", "converted"))
  refused: dict[str, int] = {}
  for one in rows:
    for kind, count in one["refusals"].items():
      refused[kind] = refused.get(kind, 0) + count
  report = Report("conversion", "Conversion of public bodies and known robots", rows)
  report.more = {"tendons": total, "converted": became, "refusals": refused}
  report.checks = [
    Check("length, tendons that run as before", max(r["length_m"] for r in rows), 1e-8, "m"),
    Check("moment arm, the same", max(r["arm_m"] for r in rows), 1e-8, "m/rad"),
    Check("share of tendons converted", became / max(1, total), 0.8, "", least=True),
  ]
  report.text = [*_tables(rows, total, became, refused)]
  return report


def _tables(rows: list[dict], total: int, became: int, refused: dict[str, int]):
  kinds = ", ".join(f"{kind} {count}" for kind, count in refused.items()) or "none"
  yield f"{became} of {total} spatial tendons became cables. Refused: {kinds}."
  head = (
    "| model | tendons | converted | refused | differ | length [m] | moment arm [m/rad] | [s] |"
  )
  lines = [head, "|---|--:|--:|---|--:|--:|--:|--:|"]
  for r in rows:
    why = ", ".join(f"{kind} {count}" for kind, count in r["refusals"].items())
    lines.append(
      f"| {r['model']} | {r['tendons']} | {r['converted']} | {why} | {r['differing']:.2%}"
      f" | {r['length_m']:.1e} | {r['arm_m']:.1e} | {r['seconds']:.2f} |"
    )
  yield "\n".join(lines)
  yield (
    "*differ*: poses of tendons in which the cable runs elsewhere than MuJoCo's tendon; length and"
    " moment arm are the largest differences of the tendons that never do. [s] is the time that"
    " the conversion took."
  )
  head = "| model | after 1 s | two native runs | native step [µs] | cables | friction 0.1 |"
  lines = [head, "|---|--:|--:|--:|--:|--:|"]
  for r in rows:
    lines.append(
      f"| {r['model']} | {r['apart']:.1e} | {r['chaos']:.1e} | {r['native_us']:.0f}"
      f" | {r['smooth']:.2f} | {r['rough']:.2f} |"
    )
  yield "\n".join(lines)
  yield (
    "*after 1 s*: largest distance in `qpos` between the native model and its cables without"
    " friction, driven alike; *two native runs*: the same between two native ones that start 1e-16"
    " apart. The last columns are steps in native steps."
  )
  causes: dict[str, int] = {}
  for r in rows:
    for reason, count in r["reasons"].items():
      words = reason.split("'")[0::2]
      causes["…".join(words)] = causes.get("…".join(words), 0) + count
  if causes:
    lines = ["| why a cable runs elsewhere | poses of tendons |", "|---|--:|"]
    lines += [f"| {why} | {count} |" for why, count in sorted(causes.items(), key=lambda i: -i[1])]
    yield "\n".join(lines)


def write_page(report: Report) -> None:
  """Writes the page of the documentation."""
  parts = [
    "# Conversion of public bodies",
    "`python -m experiments conversion --docs` writes this page.",
    "Every model of `myo-sim` and the known robots of the package, converted by `mujocable.convert`"
    " and compared with themselves: at home, in their keyframes and in 64 random poses that limits"
    " and equalities allow.",
    *report.text,
  ]
  PAGE.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
