"""Runner: steps each scene with cables, native tendons and none, interleaved; medians of many.

Machines are shared and noisy: read the ratios, taken inside one run, not the single times; or count
instructions, which do not depend on what else runs.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import beside, instructions, page
from benchmarks.scenes import SCENES, Scene
from benchmarks.timing import machine, measure, ratios

_HEADER = f"{'none':>10}{'native':>10}{'cable':>10}{'cable/native':>14}{'added':>8}"


def line(name: str, values: dict, spread: float | None, before: dict | None) -> str:
  """One line of the table; `added`: what cables add to no cables, over what tendons add."""
  cells = [f"{name:14}"]
  for kind in ("none", "native", "cable"):
    cells.append(f"{values[kind]:10.4g}" if kind in values else f"{'-':>10}")
  whole, added = ratios(values)
  cells.append(f"{whole:14.3f}" if whole else f"{'-':>14}")
  cells.append(f"{added:8.2f}" if added else f"{'-':>8}")
  if spread is not None:
    cells.append(f"{100 * spread:9.1f}%")
  if before:
    change = values["cable"] / values["none"] / (before["cable"] / before["none"])
    cells.append(f"{change:10.3f}")
  return "".join(cells)


def time_scenes(scenes: Sequence[Scene], options, before: dict) -> dict:
  """Times, prints and returns the rows."""
  print(f"{'us per step':14}{_HEADER}{'spread':>10}{'vs saved' if before else '':>10}")
  rows = {}
  for scene in scenes:
    row = rows[scene.name] = measure(scene, options.rounds, options.steps)
    old = before.get(scene.name, {}).get("times")
    print(line(scene.name, row["times"], row["spread"]["cable"], old), flush=True)
  return rows


def count_scenes(scenes: Sequence[Scene], before: dict) -> dict:
  """Counts, prints and returns the rows."""
  print(f"{'instr. a step':14}{_HEADER}{'vs saved' if before else '':>10}")
  rows = {name: {"instructions": row} for name, row in instructions.count(scenes).items()}
  for name, row in rows.items():
    old = before.get(name, {}).get("instructions")
    print(line(name, row["instructions"], None, old), flush=True)
  return rows


def beside_scenes(scenes: Sequence[Scene], options) -> int:
  """Times this checkout and others, and prints each over this one."""
  here = Path(__file__).resolve().parents[1]
  names = [scene.name for scene in scenes]
  times = beside.compare([here, *options.beside], names, options.rounds, options.steps)
  labels = "".join(f"{folder.resolve().name[-12:]:>14}" for folder in options.beside)
  print(f"{'us per step':14}{'here':>10}{labels}   (over here)")
  for name, (own, *others) in times.items():
    cells = "".join(f"{other:8.4g} {other / own:5.3f}" for other in others)
    print(f"{name:14}{own:10.4g}{cells}")
  return 0


def main() -> int:
  """Parses, runs, prints, saves."""
  parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
  parser.add_argument("scenes", nargs="*", help="names; default: all")
  parser.add_argument("--list", action="store_true", help="show the scenes and stop")
  parser.add_argument("--rounds", type=int, default=61, help="interleaved rounds (default 61)")
  parser.add_argument("--steps", type=int, default=300, help="steps per round (default 300)")
  parser.add_argument(
    "--instructions", action="store_true", help="count instead of time (valgrind)"
  )
  parser.add_argument("--save", type=Path, help="write the results into this JSON file")
  parser.add_argument("--compare", type=Path, help="show the change against a saved file")
  parser.add_argument(
    "--beside",
    type=Path,
    nargs="+",
    metavar="CHECKOUT",
    help="folders of other checkouts, built: steps with cables here and there, in turns",
  )
  parser.add_argument(
    "--page", type=Path, help="write docs/benchmarks.md from a saved file and stop"
  )
  options = parser.parse_args()
  known = {scene.name: scene for scene in SCENES}
  unknown = set(options.scenes) - set(known)
  if unknown:
    parser.error(f"no scene {', '.join(sorted(unknown))}; scenes: {', '.join(known)}")
  if options.list:
    for scene in SCENES:
      print(f"{scene.name:14}{', '.join(scene.kinds):22}{scene.what}")
    return 0
  if options.page:
    print(f"wrote {page.write(options.page)}")
    return 0
  chosen = [scene for scene in SCENES if not options.scenes or scene.name in options.scenes]
  before = json.loads(options.compare.read_text()) if options.compare else {}
  old_rows = before.get("scenes", {})
  try:
    if options.beside:
      return beside_scenes(chosen, options)
    if options.instructions:
      rows = count_scenes(chosen, old_rows)
    else:
      rows = time_scenes(chosen, options, old_rows)
  except RuntimeError as error:
    print(f"benchmarks: {error}", file=sys.stderr)
    return 1
  if options.save:
    save(options.save, rows)
    print(f"saved to {options.save}")
  return 0


def save(path: Path, rows: dict) -> None:
  """Adds the rows to what the file holds already: times and counts may come from two runs."""
  saved = json.loads(path.read_text()) if path.exists() else {}
  scenes = saved.setdefault("scenes", {})
  saved["machine"] = machine()
  for name, row in rows.items():
    scenes[name] = scenes.get(name, {}) | row
  order = [scene.name for scene in SCENES if scene.name in scenes]
  saved["scenes"] = {name: scenes[name] for name in order}
  path.write_text(json.dumps(saved, indent=2) + "\n")


if __name__ == "__main__":
  sys.exit(main())
