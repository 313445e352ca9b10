"""Profile: microseconds of every kernel in a step of many worlds, ours and MuJoCo Warp's.

  python -m benchmarks.warp_profile --scenes arm_friction --worlds 32768
  MUJOCABLE_LIBRARY=off python -m benchmarks.warp_profile --read out/worlds    # see warp_worlds

Kernels run one by one here, not from a graph; needs a CUDA device.
"""

import argparse
from collections import defaultdict
from pathlib import Path

import mujoco_warp as mjw
import numpy as np
import warp as wp

from benchmarks import warp_worlds

_STEPS = 10  # measured


def times(runner: warp_worlds.Runner) -> dict[str, tuple[float, float]]:
  """By kernel: microseconds and launches of one step."""
  wp.timing_begin(cuda_filter=wp.TIMING_KERNEL | wp.TIMING_MEMSET | wp.TIMING_MEMCPY)
  for _ in range(_STEPS):
    mjw.step(runner.m, runner.d)
  found = defaultdict(lambda: [0.0, 0])
  for result in wp.timing_end():
    found[result.name][0] += 1e3 * result.elapsed / _STEPS
    found[result.name][1] += 1 / _STEPS
  return {name: (value[0], value[1]) for name, value in found.items()}


def main() -> None:
  parser = argparse.ArgumentParser(description=__doc__)
  parser.add_argument("--read", type=Path)
  parser.add_argument("--worlds", type=int, nargs="+", default=[32768])
  parser.add_argument("--scenes", nargs="+", default=list(warp_worlds.SCENES))
  parser.add_argument("--kinds", nargs="+", default=["none", "cable"])
  parser.add_argument("--warm", type=int, default=10, help="graphs of 20 steps before")
  parser.add_argument("--rows", type=int, default=16)
  options = parser.parse_args()
  read, prepare = warp_worlds.read, warp_worlds.prepare
  models = read(options.read) if options.read else prepare(options.scenes)
  for scene in options.scenes:
    for worlds in options.worlds:
      for kind in options.kinds:
        runner = warp_worlds.Runner(*models[scene, kind], worlds, 20)
        for _ in range(options.warm):
          runner.run()
        found = times(runner)
        total = sum(value for value, _ in found.values())
        niter, nefc = runner.d.solver_niter.numpy(), runner.d.nefc.numpy()
        print(
          f"{scene} {kind} {worlds} worlds: {total:.0f} us in {len(found)} kernels; solver"
          f" {np.mean(niter):.1f} iterations (most {niter.max()}), rows {nefc.max()}"
        )
        for name, (value, count) in sorted(found.items(), key=lambda x: -x[1][0])[: options.rows]:
          print(f"  {value:8.1f} us {count:5.1f} x {name}")


if __name__ == "__main__":
  main()
