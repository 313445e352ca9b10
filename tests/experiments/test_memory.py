"""The memory experiment: a quick run meets its targets and shows both laws."""

import json
from argparse import Namespace

from experiments.memory import run


def test_quick_run(tmp_path):
  assert run.main(Namespace(out=tmp_path, quick=True, docs=False)) == 0
  found = json.loads((tmp_path / "memory.json").read_text())
  rows = {(row["rig"].split(":")[0], row["quantity"]): row for row in found["rows"]}
  rest = rows["FP15", "tension ratio, at the end"]
  # at rest the sliding law has faded out, memory holds
  assert abs(rest["sliding"] - 1) < 1e-3
  assert rest["memory"] > 1.2
  assert "with memory" in (tmp_path / "memory.md").read_text()
