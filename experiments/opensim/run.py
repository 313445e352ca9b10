"""Run: random rows of surfaces, both paths judged, every difference listed."""

import importlib.util
import platform
from argparse import Namespace
from collections import Counter
from dataclasses import replace
from pathlib import Path as File

import numpy as np

from experiments.opensim import ours, theirs
from experiments.opensim.judge import Path, certify
from experiments.opensim.scenes import Scene, random_scene
from experiments.progress import bar
from experiments.robots import results
from experiments.robots.results import Check, Report

PAGE = File(__file__).resolve().parents[2] / "docs" / "opensim.md"
COUNTS, SEEDS = range(1, 9), 25  # surfaces in a row; scenes of each number and kind of hint
SAME = 1e-8  # OpenSim stops at a path error of 1e-5 rad: its length is off by the square of that

VERDICTS = {
  "same": "the same length",
  "same once led": "ours is shorter; OpenSim finds it too when its hints are our contacts",
  "ours shorter": "ours is shorter",
  "by the hints": "OpenSim's is shorter; it finds ours too when its hints are our contacts",
  "OpenSim shorter": "OpenSim's is shorter",
  "OpenSim has none": "ours is taut, OpenSim's has a corner or cuts a surface, or it gave up",
  "ours has none": "we report no valid path, OpenSim's looks taut",
  "none": "neither has a path",
}


def main(arguments: Namespace) -> int:
  """Solves, judges and writes everything; 0 when every path of ours is certified."""
  if importlib.util.find_spec("opensim") is None:
    print("opensim: left out, the package is not installed; cure: pip install 'mujocable[compare]'")
    return 0
  rows = compare(3 if arguments.quick else SEEDS)
  report = summarize(rows)
  code = results.finish(report, Namespace(out=arguments.out, quick=arguments.quick, docs=False))
  if arguments.docs and not arguments.quick:
    write_page(report)
  return code


def compare(seeds: int) -> list[dict]:
  """One row per scene."""
  rows = []
  with bar("opensim", 2 * len(COUNTS)) as progress:
    for hints in ("near", "any"):
      for count in COUNTS:
        progress.start(f"{count} surfaces, hints {hints}")
        rows += [judged(random_scene(count, seed, hints), hints, seed) for seed in range(seeds)]
        progress.done()
  return rows


def judged(scene: Scene, hints: str, seed: int) -> dict:
  """Both paths over a scene, and which of them wins."""
  mine, other = ours.solve(scene), theirs.solve(scene)
  certificate = certify(scene, mine) if mine else None
  row = {
    "hints": hints,
    "surfaces": len(scene.surfaces),
    "seed": seed,
    "kinds": scene.words,
    "ours_m": mine.length if mine else None,
    "opensim_m": other.length if other else None,
    "opensim_corner_rad": other.corner if other else None,
    "opensim_depth_m": other.depth if other else None,
    "touched": len(mine.touched) if mine else None,
    "ours_corner_rad": certificate.corner if certificate else None,
    "ours_miss_m": certificate.miss if certificate else None,
    "ours_depth_m": certificate.depth if certificate else None,
    "certified": certificate.holds() if certificate else False,
    "led_m": None,
  }
  taut = other is not None and other.is_a_path()
  if mine is None:
    verdict = "ours has none" if taut else "none"
  elif other is not None and abs(other.length - mine.length) <= SAME * mine.length:
    verdict = "same"
  elif other is None or not taut:
    verdict = "OpenSim has none"
  else:
    # two minima: does OpenSim take ours for one as well?
    led = theirs.solve(led_by(scene, mine))
    row["led_m"] = led.length if led else None
    found = led is not None and abs(led.length - mine.length) <= SAME * mine.length
    if other.length < mine.length:
      verdict = "by the hints" if found else "OpenSim shorter"
    else:
      verdict = "same once led" if found else "ours shorter"
  return row | {"verdict": verdict}


def led_by(scene: Scene, path: Path) -> Scene:
  """The scene with its hints where a path touches."""
  surfaces = list(scene.surfaces)
  for k, i in enumerate(path.touched):
    s = surfaces[i]
    middle = 0.5 * (path.entry[k] + path.exit[k])
    surfaces[i] = replace(s, hint=s.local(middle))
  return replace(scene, surfaces=tuple(surfaces))


def summarize(rows: list[dict]) -> Report:
  """Counts, checks and the list of differences."""
  report = Report("opensim", "Random scenes against OpenSim", rows=rows)
  counts = {h: Counter(r["verdict"] for r in rows if r["hints"] == h) for h in ("near", "any")}
  valid = [r for r in rows if r["ours_m"] is not None]
  equal = [r for r in rows if r["verdict"] == "same"]
  led = [r for r in rows if r["verdict"] == "same once led"]
  apart = [abs(r["opensim_m"] / r["ours_m"] - 1) for r in equal]
  apart += [abs(r["led_m"] / r["ours_m"] - 1) for r in led]
  report.more = {
    "scenes": len(rows),
    "verdicts": {h: dict(c) for h, c in counts.items()},
    "valid": len(valid),
    "compared": len(apart),
    "median_difference": float(np.median(apart)) if apart else None,
    "largest_difference": max(apart, default=None),
    "python": platform.python_version(),
  }
  report.checks = [
    Check("valid paths of ours that the judge refuses", sum(not r["certified"] for r in valid), 0),
    Check(
      "scenes where the shorter path is OpenSim's",
      sum(c["OpenSim shorter"] for c in counts.values()),
      0,
    ),
    Check("scenes where both find the same path", len(apart), 0.5 * len(rows), least=True),
  ]
  words = [(text, *(str(counts[h][name]) for h in counts)) for name, text in VERDICTS.items()]
  report.text = [
    f"{len(rows)} rows of one to eight cylinders, spheres, ellipsoids and tori in random order and"
    " pose, each with a hint, solved by MuJoCable and by `Scholz2015GeometryPath` of OpenSim 4.6"
    " from the same hints. A judge of its own integrates every arc of ours anew (order 8,"
    " tolerance 1e-12) and looks for corners and cuts: all that is called valid must be a taut"
    " path to 2e-6. OpenSim tells its length and draws its path; a corner above"
    f" {theirs.CORNER:g} rad or a cut above {1e3 * theirs.DEPTH:g} mm is no path. Where the two"
    " differ, the shorter taut path wins, and OpenSim is asked again with our contacts as hints.",
    results.table(("outcome", "hints on the near side", "hints at random"), words),
    f"Where both find the same path ({len(apart)} scenes) the lengths differ by"
    f" {np.median(apart or [0]):.1e} in the median and {max(apart, default=0):.1e} at most,"
    " relative. A longer path of OpenSim is a stationary one that is not a minimum, or a minimum of"
    " another side.",
  ]
  listed = [r for r in rows if r["verdict"] not in ("same", "same once led", "ours shorter")]
  if listed:
    lines = [
      (
        f"{r['kinds']} ({r['hints']}, {r['surfaces']}/{r['seed']})",
        _number(r["ours_m"]),
        _number(r["opensim_m"]),
        _number(r["opensim_corner_rad"]),
        _number(r["opensim_depth_m"]),
        VERDICTS[r["verdict"]],
      )
      for r in listed
    ]
    head = ("scene", "ours [m]", "OpenSim [m]", "its corner [rad]", "its cut [m]", "outcome")
    report.text += [
      "Every scene in which one of the two has no path, or OpenSim's is the shorter one:",
      results.table(head, lines),
    ]
  return report


def _number(x: float | None) -> str:
  return "" if x is None else f"{x:.6g}"


def write_page(report: Report, page: File = PAGE) -> None:
  """The page of the documentation, whole."""
  body = [f"# {report.title}", f"`python -m experiments {report.name} --docs` writes this page."]
  body += [*report.text, results.check_table(report.checks)]
  page.write_text("\n\n".join(body) + "\n", encoding="utf-8")
