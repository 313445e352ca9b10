"""Worlds: steps of many worlds on a GPU with cables, native tendons and none, interleaved.

  python -m benchmarks.warp_worlds                        # measure, on the device of Warp
  python -m benchmarks.warp_worlds --write out/worlds     # where the engine is: models without it
  MUJOCABLE_LIBRARY=off python -m benchmarks.warp_worlds --read out/worlds   # on a machine without it

World-steps per second, medians of rounds in which all kinds take turns; one CUDA graph each.
"""

import argparse
import json
import pickle
import statistics
import time
from pathlib import Path

import mujoco
import mujoco_warp as mjw
import numpy as np
import warp as wp

import mujocable.warp as mjcw

SCENES = ("arm_friction", "hand")
KINDS = ("none", "native", "cable")


def scenes(names) -> dict:
  """Models by scene and kind: (model without the engine, its cables, controls)."""
  from benchmarks.scenes import SCENES as ALL

  made = {}
  for scene in ALL:
    if scene.name not in names:
      continue
    for kind in scene.kinds:
      model, data = scene.build(kind)
      cables = mjcw.cables_of(model)
      made[scene.name, kind] = model, cables, data.ctrl.copy()
  return made


def write(folder: Path, names) -> None:
  """Models as they travel to a machine without the engine."""
  folder.mkdir(parents=True, exist_ok=True)
  index = []
  from benchmarks import kinds, scenes as module

  for scene in module.SCENES:
    if scene.name not in names:
      continue
    for kind in scene.kinds:
      specs = []
      compiled = mujoco.MjSpec.compile

      def keep(spec, compiled=compiled, specs=specs):
        specs.append(spec)
        return compiled(spec)

      kinds.mujoco.MjSpec.compile = keep  # the last spec that the builder compiles is the model's
      try:
        _, data = scene.build(kind)
      finally:
        kinds.mujoco.MjSpec.compile = compiled
      spec = specs[-1]
      cables = mjcw.cables_of(spec)
      bare = mjcw.strip(spec).compile()
      path = folder / f"{scene.name}_{kind}.mjb"
      mujoco.mj_saveModel(bare, str(path))
      index.append((scene.name, kind, path.name, cables, data.ctrl.copy()))
  (folder / "index.pickle").write_bytes(pickle.dumps(index))


def read(folder: Path) -> dict:
  """What `write` wrote."""
  index = pickle.loads((folder / "index.pickle").read_bytes())
  return {
    (scene, kind): (mujoco.MjModel.from_binary_path(str(folder / path)), cables, ctrl)
    for scene, kind, path, cables, ctrl in index
  }


class Runner:
  """One kind in many worlds, captured."""

  def __init__(self, model, cables, ctrl, worlds: int, steps: int):
    self.worlds, self.steps = worlds, steps
    options = dict(nconmax=8, njmax=96)
    if cables:
      self.m = mjcw.put_model(model, cables)
      self.d = mjcw.put_data(model, nworld=worlds, cables=cables, **options)
    else:
      self.m = mjw.put_model(model)
      self.d = mjw.make_data(model, nworld=worlds, **options)
    if model.nu:
      # half of the stroke, another one in every world
      part = np.random.default_rng(1).uniform(0.5, 1.0, (worlds, 1))
      self.d.ctrl.assign((part * np.broadcast_to(ctrl, (worlds, model.nu))).astype(np.float32))
    mjw.step(self.m, self.d)
    self.graph = None
    if wp.get_device().is_cuda:
      with wp.ScopedCapture() as capture:
        for _ in range(steps):
          mjw.step(self.m, self.d)
      self.graph = capture.graph
    self.run()
    wp.synchronize()

  def run(self) -> None:
    if self.graph is not None:
      wp.capture_launch(self.graph)
    else:
      for _ in range(self.steps):
        mjw.step(self.m, self.d)

  def time(self, rounds: int) -> float:
    wp.synchronize()
    begin = time.perf_counter()
    for _ in range(rounds):
      self.run()
    wp.synchronize()
    return self.worlds * self.steps * rounds / (time.perf_counter() - begin)

  def finite(self) -> bool:
    return bool(np.isfinite(self.d.qpos.numpy()).all())


def measure(models: dict, scene: str, worlds: int, steps: int, rounds: int) -> dict:
  """World-steps per second of every kind of a scene, and memory of its cables per world."""
  runners = {
    kind: Runner(*models[scene, kind], worlds, steps) for kind in KINDS if (scene, kind) in models
  }
  times = {kind: [] for kind in runners}
  for _ in range(rounds):
    for kind, runner in runners.items():
      times[kind].append(runner.time(2))
  row = {kind: statistics.median(values) for kind, values in times.items()}
  row["finite"] = all(runner.finite() for runner in runners.values())
  row["bytes"] = mjcw.cables(runners["cable"].d).bytes_per_world()
  return row


def main() -> None:
  parser = argparse.ArgumentParser(description=__doc__)
  parser.add_argument("--write", type=Path)
  parser.add_argument("--read", type=Path)
  parser.add_argument("--worlds", type=int, nargs="+", default=[8192, 32768])
  parser.add_argument("--scenes", nargs="+", default=list(SCENES))
  parser.add_argument("--steps", type=int, default=20, help="in one graph")
  parser.add_argument("--rounds", type=int, default=9)
  parser.add_argument("--json", type=Path)
  options = parser.parse_args()
  if options.write:
    return write(options.write, options.scenes)
  models = read(options.read) if options.read else scenes(options.scenes)
  rows = []
  print(f"{'scene':14}{'worlds':>8}{'none':>12}{'native':>12}{'cable':>12}{'bytes/world':>13}  finite")
  for scene in options.scenes:
    for worlds in options.worlds:
      row = measure(models, scene, worlds, options.steps, options.rounds)
      rows.append({"scene": scene, "worlds": worlds, **row})
      cells = "".join(f"{row[kind] / 1e6:10.2f} M" if kind in row else f"{'-':>12}" for kind in KINDS)
      print(f"{scene:14}{worlds:8d}{cells}{row['bytes']:13d}  {row['finite']}", flush=True)
  if options.json:
    options.json.write_text(json.dumps(rows, indent=1))
  return None


if __name__ == "__main__":
  main()
