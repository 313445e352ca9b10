"""Jobs: the same results wherever they run; one that dies takes no other along."""

import jobs
import pytest

from mujocable.errors import BadValue
from mujocable.study.jobs import workers
from mujocable.study.jobs.workers import Failure


def test_in_this_process_and_on_cores_the_same_results():
  own = [(i, 0.1 * i) for i in range(20)]
  here = dict(workers.run(jobs.times, 3.0, own))
  there = dict(workers.run(jobs.times, 3.0, own, workers=2))
  assert here == there and len(here) == 20


def test_a_killed_worker_is_replaced_and_the_guilty_job_is_named(tmp_path):
  found = dict(workers.run(jobs.stumbling, str(tmp_path), [(i, i) for i in range(9)], workers=2))
  assert found.pop(5) == Failure("its worker died, twice")
  assert found.pop(7) == Failure("ValueError: seven is refused")
  assert found == {i: 10 * i for i in range(9) if i not in (5, 7)}


def test_jobs_are_read_as_they_are_needed():
  read = []

  def source():
    for i in range(100):
      read.append(i)
      yield i, i

  running = workers.run(jobs.times, 2, source(), workers=2)
  next(running)
  running.close()
  assert len(read) < 30


def test_no_workers_are_refused():
  with pytest.raises(BadValue, match="workers must be at least 1, got 0"):
    list(workers.run(jobs.times, 1, [], workers=0))
