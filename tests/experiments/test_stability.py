"""The stability experiment: a quick run meets its targets and writes its tables."""

import json
from argparse import Namespace

import numpy as np

from experiments.stability import run


def test_quick_run(tmp_path):
  assert run.main(Namespace(quick=True, out=tmp_path, docs=False)) == 0
  found = json.loads((tmp_path / "stability.json").read_text())
  assert found["met"] and found["native"]["steps_with_contact"] > 1000
  native = [row["native_error"] for row in found["rows"] if row["integrator"] == "Euler"]
  assert np.isnan(native).any()  # what the cable is compared with does fail there
  assert "native tendon" in (tmp_path / "stability.md").read_text()
