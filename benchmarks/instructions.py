"""Instructions per step, counted by valgrind's callgrind: the same on a quiet and a busy machine.

One process under valgrind builds the scenes and steps them. Only what runs inside mj_step counts; a
call of a function that no step uses marks where one count ends and the next begins.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import mujoco

from benchmarks.scenes import SCENES, Scene

WARM, STEPS = 30, 20  # steps before the count, and in it
_MARK = "mju_Halton"  # nothing in a step draws such numbers


def count(scenes: Sequence[Scene]) -> dict[str, dict[str, float]]:
  """Instructions per step of each scene and kind; RuntimeError where they cannot be counted."""
  if not shutil.which("valgrind"):
    raise RuntimeError(
      "valgrind is not installed; on Debian and Ubuntu: apt-get install valgrind."
      " Without --instructions the benchmarks need no valgrind"
    )
  with tempfile.TemporaryDirectory() as folder:
    command = [
      "valgrind",
      "--tool=callgrind",
      f"--callgrind-out-file={folder}/count",
      "--toggle-collect=mj_step",
      f"--dump-before={_MARK}",
      sys.executable,
      "-m",
      "benchmarks.instructions",
      *(scene.name for scene in scenes),
    ]
    # this package is found there too, wherever it was found here
    paths = [str(Path(__file__).resolve().parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
      raise RuntimeError(f"counting failed:\n{done.stderr[-2000:]}")
    jobs = [(scene.name, kind) for scene in scenes for kind in scene.kinds]
    results: dict[str, dict[str, float]] = {scene.name: {} for scene in scenes}
    for number, (name, kind) in enumerate(jobs):
      # two marks a job: before its count and after it
      text = Path(folder, f"count.{2 * number + 2}").read_text(encoding="utf-8")
      total = re.search(r"^totals: (\d+)", text, re.MULTILINE)
      if not total or total[1] == "0":
        raise RuntimeError(f"scene {name!r}, {kind}: valgrind saw no mj_step")
      results[name][kind] = int(total[1]) / STEPS
  return results


def _step_all(names: Sequence[str]) -> None:
  # what runs under valgrind
  for scene in SCENES:
    for kind in scene.kinds if scene.name in names else ():
      model, data = scene.build(kind)
      mujoco.mj_step(model, data, nstep=WARM)
      mujoco.mju_Halton(1, 2)
      mujoco.mj_step(model, data, nstep=STEPS)
      mujoco.mju_Halton(1, 2)


if __name__ == "__main__":
  _step_all(sys.argv[1:])
