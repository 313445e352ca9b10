"""Timing: processor time of interleaved rounds, medians and spread."""

import platform
import statistics
import time
from pathlib import Path

import mujoco

import mujocable
from benchmarks.scenes import Scene

# where memory falls decides over a percent or two: each scene is built this often, side by side
BUILDS = 8


def measure(scene: Scene, rounds: int, steps: int) -> dict:
  """Microseconds per step of each kind: median and (q3 - q1) / median of the rounds."""
  steps = max(2, round(steps * scene.share))
  builds = [{kind: scene.build(kind) for kind in scene.kinds} for _ in range(min(BUILDS, rounds))]
  times: dict[str, list[float]] = {kind: [] for kind in scene.kinds}
  for turn in range(-len(builds), rounds):
    for kind, (model, data) in builds[turn % len(builds)].items():
      start = time.thread_time()  # of the processor: others that run meanwhile do not count
      mujoco.mj_step(model, data, nstep=steps)
      elapsed = (time.thread_time() - start) / steps * 1e6
      if turn >= 0:  # the first round of each build warms up
        times[kind].append(elapsed)
  row: dict = {"times": {}, "spread": {}}
  for kind, values in times.items():
    low, median, high = statistics.quantiles(values, n=4)
    row["times"][kind] = round(median, 3)
    row["spread"][kind] = round((high - low) / median, 3)
  return row


def ratios(values: dict) -> tuple[float | None, float | None]:
  """Whole step with cables over whole step with tendons; and what they add over what those add."""
  if "native" not in values:
    return None, None
  cable, native, none = values["cable"], values["native"], values["none"]
  return cable / native, (cable - none) / (native - none) if native > none else None


def machine() -> dict[str, str]:
  """What the numbers were taken with."""
  processor = platform.processor() or platform.machine()
  info = Path("/proc/cpuinfo")
  if info.is_file():
    names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
    processor = names[0].partition(":")[2].strip() if names else processor
  return {
    "processor": processor,
    "system": platform.system(),
    "mujoco": mujoco.mj_versionString(),
    "mujocable": mujocable.__version__,
  }
