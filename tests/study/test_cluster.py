"""A cluster of several nodes on this machine: the same bits; a node that is lost loses nothing."""

import os
import threading
import time
from pathlib import Path

import jobs
import pytest

from mujocable.errors import BadValue
from mujocable.models import winch
from mujocable.study.jobs import workers
from mujocable.study.sweep import axis, sweep

ray = pytest.importorskip("ray")


@pytest.fixture(scope="module")
def cluster():
  """Three nodes with one core each; the first only leads."""
  from ray.cluster_utils import Cluster

  patch = pytest.MonkeyPatch()
  paths = [str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
  patch.setenv("PYTHONPATH", os.pathsep.join(paths))  # nodes find `jobs` too
  found = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
  nodes = [found.add_node(num_cpus=1) for _ in range(2)]
  ray.init(address=found.address, log_to_driver=False, logging_level="error")
  yield found, nodes
  ray.shutdown()
  found.shutdown()
  patch.undo()


def test_a_sweep_is_equal_to_the_bit_whatever_ran_where(cluster):
  axes = [axis("hoist.friction=0:0.3:4"), axis("geom:sheave.radius=0.10,-1")]
  given = dict(motion="ramp", duration=0.2)
  here = sweep(winch.build(), axes, **given)
  there = sweep(winch.build(), axes, **given, cluster=cluster[0].address)
  key = repr  # NaN is not equal to itself
  assert [*map(key, there.rows)] == [*map(key, here.rows)] and there.failed == here.failed


def test_a_node_killed_in_the_middle_loses_nothing(cluster):
  found, nodes = cluster
  killed = threading.Event()

  def kill():
    time.sleep(0.8)
    found.remove_node(nodes[1], allow_graceful=False)
    killed.set()

  thread = threading.Thread(target=kill)
  thread.start()
  results = dict(workers.run(jobs.slowly, 0.15, [(i, i) for i in range(16)], cluster=found.address))
  thread.join()
  assert killed.is_set()
  assert {i: r[0] for i, r in results.items()} == {i: i * i for i in range(16)}
  assert len({r[1] for r in results.values()}) == 2  # both nodes had worked


def test_a_cluster_that_is_not_there_is_named(monkeypatch):
  monkeypatch.setattr(ray, "is_initialized", lambda: False)

  def refuse(**_):
    raise ConnectionError("Could not find any running Ray instance.")

  monkeypatch.setattr(ray, "init", refuse)
  with pytest.raises(BadValue, match="no Ray cluster at 'auto': Could not find any running"):
    list(workers.run(jobs.times, 1, [(0, 1)], cluster="auto"))
