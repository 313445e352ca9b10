"""Throughput: a sweep of many short points against a plain loop, on cores and on a cluster."""

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np

import mujocable as mjc
from mujocable.models import winch
from mujocable.study.motion import preset
from mujocable.study.sweep import axis, sweep

DURATION = 0.1  # of a point [s]: 200 steps
CORES = 2


@dataclass(frozen=True)
class Times:
  """Wall time per point [ms], and whether all found the same peaks."""

  points: int
  loop: float
  one: float  # a sweep in one process
  cores: float  # on two cores
  cluster: float | None  # on two nodes of one core each; None: not asked, or Ray is not installed
  same: bool


def measure(points: int, cluster: bool = True) -> Times:
  """Runs the same points every way."""
  friction = np.linspace(0.0, 0.3, points)
  begin = time.perf_counter()
  loop = plain(friction)
  spent_loop = time.perf_counter() - begin
  spent_one, one = _sweep(points, 1, None)
  spent_cores, cores = _sweep(points, CORES, None)
  spent_cluster, there = _on_cluster(points) if cluster else (None, None)
  same = loop == one == cores and (there is None or there == one)
  each = 1e3 / points
  return Times(
    points,
    each * spent_loop,
    each * spent_one,
    each * spent_cores,
    None if spent_cluster is None else each * spent_cluster,
    same,
  )


def plain(frictions: np.ndarray) -> list[float]:
  """What one would write by hand: every step read through the view, for peak and heat."""
  model = winch.build().compile()
  steps = round(DURATION / model.opt.timestep)
  command = preset(model, "ramp", DURATION)
  controls = command.table(model.opt.timestep * np.arange(steps))
  peaks = []
  for friction in frictions:
    data = mujoco.MjData(model)
    hoist = mjc.bind(model, data)["hoist"]
    hoist.friction = friction
    peak = heat = 0.0
    for row in controls:
      data.ctrl[:] = row
      mujoco.mj_step(model, data)
      peak = max(peak, hoist.source_tension)
      heat += model.opt.timestep * float(hoist.dissipation.sum())
    peaks.append(peak)
  return peaks


def _sweep(points: int, workers: int, cluster: str | None) -> tuple[float, list[float]]:
  with tempfile.TemporaryDirectory() as folder:
    begin = time.perf_counter()
    found = sweep(
      winch.build(),
      [axis(f"hoist.friction=0:0.3:{points}")],
      motion="ramp",
      duration=DURATION,
      fit_motion=False,
      workers=workers,
      cluster=cluster,
      folder=Path(folder),
    )
    spent = time.perf_counter() - begin
  return spent, [float(row["peak_tension"]) for row in found.rows]


def _on_cluster(points: int) -> tuple[float | None, list[float] | None]:
  try:
    import ray
    from ray.cluster_utils import Cluster
  except ImportError:
    return None, None
  cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
  for _ in range(CORES):
    cluster.add_node(num_cpus=1)
  ray.init(address=cluster.address, log_to_driver=False, logging_level="error")  # type: ignore[arg-type]
  try:
    _sweep(4, 1, cluster.address)  # workers start
    return _sweep(points, 1, cluster.address)
  finally:
    ray.shutdown()
    cluster.shutdown()
