"""Beside: this checkout and others step the same scenes in turns, each in processes of its own.

A checkout is a folder with `src`, `benchmarks` and a built library somewhere below `build`.
"""

import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.scenes import SCENES
from benchmarks.timing import measure

TURNS = 5  # processes of each checkout


def compare(checkouts: Sequence[Path], names: Sequence[str], rounds: int, steps: int) -> dict:
  """Microseconds per step of each scene in each checkout: medians over its processes."""
  times: dict[str, list[list[float]]] = {name: [[] for _ in checkouts] for name in names}
  for _ in range(TURNS):
    for column, checkout in enumerate(checkouts):
      for name, time in _run(checkout, names, rounds, steps).items():
        times[name][column].append(time)
  return {name: [statistics.median(one) for one in columns] for name, columns in times.items()}


def library_of(checkout: Path) -> Path:
  """The newest library that was built in a checkout; RuntimeError where there is none."""
  found = [*checkout.glob("build/*/libmujocable*.so"), *checkout.glob("build/libmujocable*.so")]
  if not found:
    raise RuntimeError(f"{checkout} has no build/*/libmujocable*.so; run: make build")
  return max(found, key=lambda file: file.stat().st_mtime)


def _run(checkout: Path, names: Sequence[str], rounds: int, steps: int) -> dict[str, float]:
  environment = {
    **os.environ,
    "MUJOCABLE_LIBRARY": str(library_of(checkout).resolve()),
    "PYTHONPATH": os.pathsep.join([str(checkout / "src"), str(checkout)]),
  }
  # this file, whatever the other checkout has; its scenes and its package are its own
  command = [sys.executable, str(Path(__file__).resolve()), str(rounds), str(steps), *names]
  done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
  if done.returncode:
    raise RuntimeError(f"{checkout}:\n{done.stderr[-2000:]}")
  rows = (line.split() for line in done.stdout.splitlines())
  return {name: float(time) for name, time in rows}


if __name__ == "__main__":
  for scene in SCENES:
    if scene.name in sys.argv[3:]:
      row = measure(scene, int(sys.argv[1]), int(sys.argv[2]))
      print(scene.name, row["times"]["cable"], flush=True)
