"""Stress: random worlds with random parameters and commands that jump, for many steps.

  python -m benchmarks.warp_stress                                # on the device of Warp
  MUJOCABLE_LIBRARY=off python -m benchmarks.warp_stress --read out/worlds    # see warp_worlds

Every world has its own stiffness, damping, friction, pretension and home length, far beyond what a
robot has; commands jump every 50 steps, and a tenth of the worlds is reset then. What must hold: no
number is not finite, no cable pushes, no contact gains energy. And a graph that was captured before
parameters changed and worlds were reset gives the bits of one that was captured after, and of steps
without a graph. Exits with 1 where something does not hold.
"""

import argparse
import copy
import json
import sys
from pathlib import Path

import mujoco
import mujoco_warp as mjw
import numpy as np
import warp as wp

import mujocable.warp as mjcw
from benchmarks import warp_worlds

_EVERY = 50  # steps between two commands
_SPREAD = {"stiffness": (-1.0, 1.5), "damping": (-1.0, 1.0)}  # powers of ten, times the model's


def randomize(cables: mjcw.CableWorlds, rng: np.random.Generator) -> None:
  """Parameters of every world."""
  for name, (low, high) in _SPREAD.items():
    array = cables.array(name)
    array.assign((array.numpy() * 10 ** rng.uniform(low, high, array.shape)).astype(np.float32))
  friction = cables.array("friction")
  friction.assign(rng.uniform(0.0, 1.0, friction.shape).astype(np.float32))
  length = cables.array("home_length")
  length.assign((length.numpy() * rng.uniform(0.98, 1.02, length.shape)).astype(np.float32))


def capture(m, d, steps: int, graph: bool = True):
  """Something that steps when it is called: a graph where there are any."""
  if not graph or not wp.get_device().is_cuda:
    return lambda: [mjw.step(m, d) for _ in range(steps)]
  with wp.ScopedCapture() as captured:
    for _ in range(steps):
      mjw.step(m, d)
  return lambda: wp.capture_launch(captured.graph)


def other_bits(models: dict, scene: str, worlds: int = 256) -> int:
  """How many of the worlds that were reset differ from those of a fresh build, with a graph or
  without one. Without constraints, whose rows MuJoCo Warp takes in any order."""
  model, known, ctrl = models[scene, "cable"]
  model = copy.copy(model)
  model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
  ends = []
  chosen = np.random.default_rng(5).random(worlds) < 0.5
  for used, graph in ((True, True), (False, True), (False, False)):
    m = mjcw.put_model(model, known)
    d = mjcw.put_data(model, nworld=worlds, cables=known, **warp_worlds.options_of(model))
    commands = np.random.default_rng(6).uniform(0.0, 1.0, (worlds, model.nu)) * ctrl
    mjw.step(m, d)  # loads what the capture needs
    run = capture(m, d, _EVERY, graph)
    if used:
      d.ctrl.assign((0.5 * commands).astype(np.float32))
      run()
    randomize(mjcw.cables(d), np.random.default_rng(7))
    mjcw.reset(m, d, wp.array(chosen if used else np.ones(worlds, bool), dtype=bool))
    d.ctrl.assign(commands.astype(np.float32))
    run()
    state = (d.qpos, d.qvel, mjcw.cables(d).array("tension"))
    ends.append(np.column_stack([array.numpy() for array in state])[chosen])
  return int(sum((end != ends[0]).any(1).sum() for end in ends[1:]))


def stress(models: dict, scene: str, worlds: int, steps: int, timestep: float) -> dict:
  """Steps a scene; what was found in it."""
  model, known, ctrl = models[scene, "cable"]
  model.opt.timestep = timestep
  rng = np.random.default_rng(3)
  m = mjcw.put_model(model, known)
  d = mjcw.put_data(model, nworld=worlds, cables=known, **warp_worlds.options_of(model))
  cables = mjcw.cables(d)
  randomize(cables, rng)
  mjw.step(m, d)
  run = capture(m, d, _EVERY)
  found = {"scene": scene, "worlds": worlds, "steps": 0, "timestep": timestep}
  found |= {"not finite": 0, "pushes": 0, "gains": 0, "fastest": 0.0}
  found["other bits"] = other_bits(models, scene, min(worlds, 256))
  while found["steps"] < steps:
    part = rng.uniform(-0.5, 2.0, (worlds, model.nu))
    d.ctrl.assign((part * ctrl).astype(np.float32))
    run()
    found["steps"] += _EVERY
    tension, velocity = cables.array("tension").numpy(), d.qvel.numpy()
    finite = np.isfinite(tension).all(1) & np.isfinite(velocity).all(1)
    finite &= np.isfinite(d.qpos.numpy()).all(1)
    found["not finite"] += int((~finite).sum())
    found["pushes"] += int((tension[finite] < 0).sum())
    found["gains"] += int((cables.array("dissipation").numpy()[finite] < 0).sum())
    found["fastest"] = max(found["fastest"], float(np.abs(velocity[finite]).max(initial=0.0)))
    mjcw.reset(m, d, wp.array((rng.random(worlds) < 0.1) | ~finite, dtype=bool))
  return found


def main() -> None:
  parser = argparse.ArgumentParser(description=__doc__)
  parser.add_argument("--read", type=Path)
  parser.add_argument("--worlds", type=int, default=10000)
  parser.add_argument("--steps", type=int, default=10000)
  parser.add_argument("--timestep", type=float, nargs="+", default=[2e-3])
  parser.add_argument("--scenes", nargs="+", default=list(warp_worlds.SCENES))
  parser.add_argument("--json", type=Path)
  options = parser.parse_args()
  read, prepare = warp_worlds.read, warp_worlds.prepare
  models = read(options.read) if options.read else prepare(options.scenes)
  rows = []
  for scene in options.scenes:
    for timestep in options.timestep:
      rows.append(stress(models, scene, options.worlds, options.steps, timestep))
      print(rows[-1], flush=True)
  if options.json:
    options.json.write_text(json.dumps(rows, indent=1))
  sys.exit(
    any(row[name] for row in rows for name in ("not finite", "pushes", "gains", "other bits"))
  )


if __name__ == "__main__":
  main()
