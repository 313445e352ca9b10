"""The run time experiment: what it writes; nothing about a clock."""

import json
from argparse import Namespace

from experiments.runtime import run as runtime


def test_quick_run_writes_the_times(tmp_path):
  assert runtime.main(Namespace(quick=True, out=tmp_path, docs=False)) == 0
  found = json.loads((tmp_path / "runtime.json").read_text())
  assert found["ratio"] > 0
  assert min(found["native_us"], found["cable_us"], found["none_us"]) > 0
  assert len(found["runs_us"]["cable"]) == 3
