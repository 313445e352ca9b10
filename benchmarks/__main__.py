"""Runner: steps each scene with cables, native tendons and none, interleaved; medians of many.

Machines are shared and noisy: read the ratios, taken inside one run, not the single times.
"""

import argparse
import json
import statistics
import sys
import time
from pathlib import Path

import mujoco

from benchmarks.scenes import SCENES, Scene


def measure(scene: Scene, rounds: int, steps: int) -> dict:
  """Microseconds per step of each kind: median and quartiles over interleaved rounds."""
  ready = {kind: scene.build(kind) for kind in scene.kinds}
  times: dict[str, list[float]] = {kind: [] for kind in scene.kinds}
  for turn in range(rounds + 1):
    for kind, (model, data) in ready.items():
      start = time.perf_counter()
      mujoco.mj_step(model, data, nstep=steps)
      elapsed = (time.perf_counter() - start) / steps * 1e6
      if turn:  # the first round warms up
        times[kind].append(elapsed)
  row: dict = {"what": scene.what}
  for kind, values in times.items():
    low, median, high = statistics.quantiles(values, n=4)
    row[kind] = {"median_us": median, "quartiles_us": [low, high]}
  if "native" in row:
    cable, native, none = (row[kind]["median_us"] for kind in ("cable", "native", "none"))
    row["cable_to_native"] = cable / native
    row["overhead_cable_to_native"] = (cable - none) / (native - none)
  return row


def report(name: str, row: dict, before: dict | None) -> str:
  """One line of the table."""
  cells = [f"{name:14}"]
  for kind in ("none", "native", "cable"):
    cells.append(f"{row[kind]['median_us']:9.2f}" if kind in row else f"{'-':>9}")
  ratio = row.get("cable_to_native")
  cells.append(f"{ratio:13.3f}" if ratio else f"{'-':>13}")
  if before:
    change = row["cable"]["median_us"] / row["none"]["median_us"]
    change /= before["cable"]["median_us"] / before["none"]["median_us"]
    cells.append(f"{change:14.3f}")
  return "".join(cells)


def main() -> int:
  """Parses, runs, prints, saves."""
  parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
  parser.add_argument("scenes", nargs="*", help="names; default: all")
  parser.add_argument("--rounds", type=int, default=21, help="interleaved rounds (default 21)")
  parser.add_argument("--steps", type=int, default=1000, help="steps per round (default 1000)")
  parser.add_argument("--save", type=Path, help="write the results to this JSON file")
  parser.add_argument("--compare", type=Path, help="show the change against a saved file")
  options = parser.parse_args()
  known = {scene.name: scene for scene in SCENES}
  unknown = set(options.scenes) - set(known)
  if unknown:
    parser.error(f"no scene {', '.join(sorted(unknown))}; scenes: {', '.join(known)}")
  before = json.loads(options.compare.read_text()) if options.compare else {}
  header = f"{'us per step':14}{'none':>9}{'native':>9}{'cable':>9}{'cable/native':>13}"
  print(header + (f"{'vs saved':>14}" if before else ""))
  results = {}
  for name in options.scenes or known:
    results[name] = measure(known[name], options.rounds, options.steps)
    print(report(name, results[name], before.get(name)), flush=True)
  if options.save:
    options.save.write_text(json.dumps(results, indent=2) + "\n")
    print(f"saved to {options.save}")
  return 0


if __name__ == "__main__":
  sys.exit(main())
