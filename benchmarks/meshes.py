"""Meshes by number of faces: time to load, first and from the cache, how near, work of a step.

python -m benchmarks.meshes [egg | pill] [splits ...]: an ellipsoid or a capsule of about 8 splits^2
faces each, as a table.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SPLITS = (12, 25, 36, 50)  # 1,152 to 20,000 faces
_WARM, _STEPS = 30, 20
_MARK = "mju_Halton"  # nothing in a step draws such numbers


def load(splits: int, shape: str) -> dict:
  """Compiles one model in this process: seconds, cell and deviation relative to the body."""
  import mujocable as mjc  # the library counts in neither time
  from benchmarks.wraps import mesh

  build = mesh(splits, shape)
  start = time.perf_counter()
  model, data = build("cable")
  seconds = time.perf_counter() - start
  (fit,) = mjc.bind(model, data)["cable"].mesh_fit
  assert fit
  return {"faces": fit.faces, "seconds": seconds, "cell": fit.cell, "rms": fit.rms}


def _step(splits: int, shape: str) -> None:
  # what runs under valgrind
  import mujoco

  from benchmarks.wraps import mesh

  model, data = mesh(splits, shape)("cable")
  mujoco.mj_step(model, data, nstep=_WARM)
  mujoco.mju_Halton(1, 2)
  mujoco.mj_step(model, data, nstep=_STEPS)
  mujoco.mju_Halton(1, 2)


def _child(*words: str, cache: str, before: tuple = ()) -> str:
  environment = {**os.environ, "MUJOCABLE_CACHE": cache, "MUJOCABLE_PROGRESS": "off"}
  paths = [str(Path(__file__).resolve().parents[1]), os.environ.get("PYTHONPATH", "")]
  environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
  command = [*before, sys.executable, "-m", "benchmarks.meshes", *words]
  return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


def measure(splits: int, folder: str, shape: str = "egg") -> dict:
  """One row, each load in a process of its own; instructions where valgrind is installed."""
  row = json.loads(_child("--load", str(splits), shape, cache=folder))
  row["cached"] = json.loads(_child("--load", str(splits), shape, cache=folder))["seconds"]
  if shutil.which("valgrind"):
    count = (
      "valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/count",
      "--toggle-collect=mj_step", f"--dump-before={_MARK}",
    )  # fmt: skip
    _child("--step", str(splits), shape, cache=folder, before=count)
    text = Path(folder, "count.2").read_text(encoding="utf-8")
    total = re.search(r"^totals: (\d+)", text, re.MULTILINE)
    row["instructions"] = int(total[1]) / _STEPS if total else None
  return row


def main(words: list[str]) -> None:
  """Prints the table."""
  if words[:1] == ["--load"]:
    print(json.dumps(load(int(words[1]), words[2])))
    return
  if words[:1] == ["--step"]:
    _step(int(words[1]), words[2])
    return
  shape = words.pop(0) if words[:1] in (["egg"], ["pill"]) else "egg"
  print("| faces | first load [s] | from the cache [s] | cell [mm] | rms [um] | instructions |")
  print("|---|---|---|---|---|---|")
  for splits in map(int, words or SPLITS):
    with tempfile.TemporaryDirectory() as folder:
      row = measure(splits, folder, shape)
    count = row.get("instructions")
    print(
      f"| {row['faces']:,} | {row['seconds']:.2f} | {row['cached']:.3f} | {1e3 * row['cell']:.2f}"
      f" | {1e6 * row['rms']:.2g} | {f'{count:,.0f}' if count else '-'} |",
      flush=True,
    )


if __name__ == "__main__":
  main(sys.argv[1:])
