"""Jobs for the tests of workers: importable by processes of their own."""

import os
import signal
import time


def times(shared, own):
  """A product."""
  return shared * own


def stumbling(shared, own):
  """5 kills its process every time, 7 raises; `shared` is a folder, 3 kills its process once."""
  mark = f"{shared}/once"
  if own == 5:
    os.kill(os.getpid(), signal.SIGKILL)
  if own == 3 and not os.path.exists(mark):
    open(mark, "w").close()
    os.kill(os.getpid(), signal.SIGKILL)
  if own == 7:
    raise ValueError("seven is refused")
  return 10 * own


def slowly(shared, own):
  """Tells which node it runs on, after a while."""
  import ray

  time.sleep(shared)
  return own * own, ray.get_runtime_context().get_node_id()
