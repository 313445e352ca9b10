"""Worlds: steps of many worlds on a GPU with cables, native tendons and none, interleaved.

  python -m benchmarks.warp_worlds                       # measure, on the device of Warp
  python -m benchmarks.warp_worlds --write out/worlds    # where the engine is: models without it
  MUJOCABLE_LIBRARY=off python -m benchmarks.warp_worlds --read out/worlds    # on another machine
  python -m benchmarks.warp_worlds --page benchmarks/warp_worlds.json    # the table of docs/gpu.md

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
from mujocable.warp.room import rows_of

SCENES = ("arm_friction", "spirob", "hand")
KINDS = ("none", "native", "cable")
PAGE = Path(__file__).resolve().parents[1] / "docs" / "gpu.md"
_BEGIN, _END = "<!-- speed -->", "<!-- end of speed -->"


def specs(names) -> dict:
  """By scene and kind: a spec, and its controls. Scenes of the benchmarks on the CPU, and the arm
  of the package, whose cables follow a length."""
  from benchmarks.scenes import SCENES as ALL
  from mujocable.models import spirob

  made = {}
  for scene in ALL:
    if scene.name in names:
      for kind in scene.kinds:
        made[scene.name, kind] = scene.build.spec(kind)
  if "spirob" in names:
    for kind, drive in (("none", "none"), ("native", "native"), ("cable", "length")):
      ctrl = [0.03, -0.03] if kind == "cable" else [1.0, 0.0]
      made["spirob", kind] = spirob.build(spirob.Spirob(friction=0.3, drive=drive)), ctrl
  return made


def prepare(names) -> dict:
  """Models without the engine: (model, its cables, controls)."""
  made = {}
  for key, (spec, ctrl) in specs(names).items():
    model = mjcw.strip(spec).compile()
    made[key] = model, mjcw.cables_of(spec), np.array(ctrl[: model.nu], float)
  return made


def write(folder: Path, models: dict) -> None:
  """Models as they travel to a machine without the engine."""
  folder.mkdir(parents=True, exist_ok=True)
  index = []
  for (scene, kind), (model, cables, ctrl) in models.items():
    mujoco.mj_saveModel(model, str(folder / f"{scene}_{kind}.mjb"))
    index.append((scene, kind, cables, ctrl))
  (folder / "index.pickle").write_bytes(pickle.dumps(index))


def read(folder: Path) -> dict:
  """What `write` wrote."""
  index = pickle.loads((folder / "index.pickle").read_bytes())
  return {
    (scene, kind): (
      mujoco.MjModel.from_binary_path(str(folder / f"{scene}_{kind}.mjb")),
      cables,
      ctrl,
    )
    for scene, kind, cables, ctrl in index
  }


def options_of(model: mujoco.MjModel) -> dict[str, int]:
  """Room for constraints, the same for all kinds."""
  return rows_of(model) or dict(nconmax=8, njmax=96)


class Runner:
  """One kind in many worlds, captured."""

  def __init__(self, model, cables, ctrl, worlds: int, steps: int):
    self.worlds, self.steps = worlds, steps
    options = options_of(model)
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


def write_page(file: Path) -> None:
  """The table of docs/gpu.md, from what --json wrote."""
  lines = [
    "| scene | worlds | no cables | native tendons, no friction | cables, friction with memory |"
    " memory of the cables |",
    "|---|--:|--:|--:|--:|--:|",
  ]
  for row in json.loads(file.read_text()):
    speeds = " | ".join(f"{row[kind] / 1e6:.2f}" for kind in KINDS)
    memory = f"{row['bytes'] / 1e3:.1f} kB a world"
    lines.append(f"| {row['scene']} | {row['worlds']:,} | {speeds} | {memory} |")
  before, rest = PAGE.read_text().split(_BEGIN)
  _, after = rest.split(_END)
  PAGE.write_text(before + _BEGIN + "\n" + "\n".join(lines) + "\n" + _END + after)


def main() -> None:
  parser = argparse.ArgumentParser(description=__doc__)
  parser.add_argument("--write", type=Path)
  parser.add_argument("--read", type=Path)
  parser.add_argument("--worlds", type=int, nargs="+", default=[8192, 32768])
  parser.add_argument("--scenes", nargs="+", default=list(SCENES))
  parser.add_argument("--steps", type=int, default=20, help="in one graph")
  parser.add_argument("--rounds", type=int, default=9)
  parser.add_argument("--json", type=Path)
  parser.add_argument("--page", type=Path)
  options = parser.parse_args()
  if options.page:
    return write_page(options.page)
  models = read(options.read) if options.read else prepare(options.scenes)
  if options.write:
    return write(options.write, models)
  rows = []
  print(
    f"{'scene':14}{'worlds':>8}{'none':>12}{'native':>12}{'cable':>12}{'bytes/world':>13}  finite"
  )
  for scene in options.scenes:
    for worlds in options.worlds:
      row = measure(models, scene, worlds, options.steps, options.rounds)
      rows.append({"scene": scene, "worlds": worlds, **row})
      cells = "".join(
        f"{row[kind] / 1e6:10.2f} M" if kind in row else f"{'-':>12}" for kind in KINDS
      )
      print(f"{scene:14}{worlds:8d}{cells}{row['bytes']:13d}  {row['finite']}", flush=True)
  if options.json:
    options.json.write_text(json.dumps(rows, indent=1))
  return None


if __name__ == "__main__":
  main()
