"""Workers: the same jobs in this process, on the cores of this machine, or on a Ray cluster.

    for index, result in run(job, shared, jobs, workers=4): ...

A job is a plain function of what all jobs share and of its own part, both pickled; results come as
they finish and do not depend on where they were made. A worker that dies is replaced, its jobs run
again; a job that kills its worker twice, or raises, comes back as a Failure.
"""

import logging
import multiprocessing
import os
import pickle
import signal
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

from mujocable.errors import BadValue

Function = Callable[[Any, Any], Any]  # shared, own part -> result
_AHEAD = 4  # jobs in flight per worker
_ASK = 100  # jobs after which a cluster is asked how many cores it has
_RETRIES = 3  # of a task whose node is lost


@dataclass(frozen=True)
class Failure:
  """Why a job has no result."""

  reason: str


def cores() -> int:
  """Cores that this process may use."""
  affinity = getattr(os, "sched_getaffinity", None)
  return len(affinity(0)) if affinity else (os.cpu_count() or 1)


def run(
  function: Function,
  shared: Any,
  jobs: Iterable[tuple[int, Any]],
  *,
  workers: int = 1,
  cluster: str | None = None,
) -> Generator[tuple[int, Any], None, None]:
  """Yields (index, result or Failure) as they finish; `jobs` is read as they are needed.

  workers=1 runs in this process; more use processes of their own. `cluster` is the address of a Ray
  cluster, or "auto".
  """
  with Crew(function, shared, workers=workers, cluster=cluster) as crew:
    yield from crew.run(jobs)


class Crew:
  """Workers that stay for many rounds of jobs with the same function and the same shared part."""

  def __init__(
    self, function: Function, shared: Any, *, workers: int = 1, cluster: str | None = None
  ):
    if workers < 1:
      raise BadValue(f"workers must be at least 1, got {workers!r}")
    self._function, self._shared = function, shared
    self._workers, self._cluster = workers, cluster
    self._pool: ProcessPoolExecutor | None = None
    self._packed = b""
    self._place: Any = None  # of the packed function on the cluster

  def __enter__(self) -> "Crew":
    return self

  def __exit__(self, *_) -> None:
    self._drop()

  def run(self, jobs: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """Yields (index, result or Failure) as they finish."""
    if self._cluster is not None:
      yield from self._on_ray(jobs)
    elif self._workers == 1:
      for index, own in jobs:
        yield index, _guarded(self._function, self._shared, own)
    else:
      yield from self._on_cores(jobs)

  def all(self, jobs: Sequence[Any]) -> list[Any]:
    """The results in the order of the jobs."""
    found = dict(self.run(enumerate(jobs)))
    return [found[i] for i in range(len(jobs))]

  def _pack(self) -> bytes:
    self._packed = self._packed or pickle.dumps((self._function, self._shared))
    return self._packed

  # ------------------------------------ cores of this machine

  def _on_cores(self, jobs: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    source = iter(jobs)
    suspects: list[tuple[int, Any]] = []  # in flight when a worker died
    more = True
    while more or suspects:
      # one at a time, so that the guilty one is known
      while suspects:
        index, own = suspects.pop(0)
        yield index, _alone(self._pack(), own)
      if self._pool is None:
        self._pool = _pool(self._pack(), self._workers)
      flying: dict[Future, tuple[int, Any]] = {}
      whole = False
      try:
        while True:
          while more and len(flying) < _AHEAD * self._workers:
            job = next(source, None)
            if job is None:
              more = False
              break
            flying[self._pool.submit(_do, job[1])] = job
          if not flying:
            break
          done, _ = wait(flying, return_when=FIRST_COMPLETED)
          for future in done:
            result = future.result()
            index, _ = flying.pop(future)
            yield index, result
        whole = True
      except BrokenProcessPool:
        finished = [f for f in flying if f.done() and f.exception() is None]
        for future in finished:
          yield flying.pop(future)[0], future.result()
        suspects = sorted(flying.values(), key=lambda job: job[0])
      finally:
        if not whole:
          self._drop()

  def _drop(self) -> None:
    if self._pool is not None:
      _end(self._pool)
      self._pool = None

  # ------------------------------------ a Ray cluster

  def _on_ray(self, jobs: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    ray = _ray(str(self._cluster))
    task: Any = ray.remote(max_retries=_RETRIES, num_cpus=1)(_remote)
    if self._place is None:
      self._place = ray.put(self._pack()), os.urandom(16)
    source, flying, more = iter(jobs), {}, True
    finished = 0
    room = 0
    while True:
      if finished % _ASK == 0:  # nodes come and go
        room = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
      while more and len(flying) < room:
        job = next(source, None)
        if job is None:
          more = False
          break
        flying[task.remote(*self._place, job[1])] = job[0]
      if not flying:
        return
      done, _ = ray.wait(list(flying), num_returns=1)
      for future in done:
        index = flying.pop(future)
        try:
          result = ray.get(future)
        except ray.exceptions.RayError as error:
          result = Failure(f"its worker died {_RETRIES + 1} times: {type(error).__name__}")
        finished += 1
        yield index, result


def _guarded(function: Function, shared: Any, own: Any) -> Any:
  try:
    return function(shared, own)
  except Exception as error:  # a job must not end the others
    return Failure(f"{type(error).__name__}: {error}")


# ------------------------------------ cores of this machine

_held: tuple[Function, Any] | None = None  # in a worker: the function and what is shared


def _begin(packed: bytes) -> None:
  global _held
  signal.signal(signal.SIGINT, signal.SIG_IGN)  # a key press is for the one who gave the jobs
  _held = pickle.loads(packed)


def _do(own: Any) -> Any:
  assert _held is not None
  return _guarded(_held[0], _held[1], own)


def _alone(packed: bytes, own: Any) -> Any:
  pool = _pool(packed, 1)
  try:
    return pool.submit(_do, own).result()
  except BrokenProcessPool:
    return Failure("its worker died, twice")
  finally:
    _end(pool)


def _pool(packed: bytes, workers: int) -> ProcessPoolExecutor:
  context = multiprocessing.get_context("spawn")  # no lock or thread of this process is inherited
  return ProcessPoolExecutor(workers, context, _begin, (packed,))


def _end(pool: ProcessPoolExecutor) -> None:
  # jobs that still run are of no use to anyone
  running = list((getattr(pool, "_processes", None) or {}).values())
  pool.shutdown(wait=False, cancel_futures=True)
  for process in running:
    process.terminate()
  for process in running:
    process.join()


# ------------------------------------ a Ray cluster

_unpacked: dict[bytes, Any] = {}  # in a Ray worker: what is shared, by its key


def _remote(packed: bytes, key: bytes, own: Any) -> Any:
  if key not in _unpacked:
    _unpacked.clear()
    _unpacked[key] = pickle.loads(packed)
  function, shared = _unpacked[key]
  return _guarded(function, shared, own)


def _ray(address: str) -> Any:
  try:
    import ray
  except ImportError as error:
    raise ImportError(f'{error}; a cluster needs Ray: pip install "mujocable[ray]"') from None
  if not ray.is_initialized():
    try:
      ray.init(address=address, log_to_driver=False, logging_level=logging.WARNING)
    except (ConnectionError, RuntimeError, ValueError) as error:
      text = str(error).splitlines()[0] if str(error) else type(error).__name__
      raise BadValue(f"no Ray cluster at {address!r}: {text}") from None
  return ray
