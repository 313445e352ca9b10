"""What was learned on a GPU in single precision holds on the engine, in double precision."""

import json
import runpy
from pathlib import Path

import numpy as np
import pytest

from mujocable.learn.policy import Policy

LEARNING = Path(__file__).resolve().parents[2] / "examples" / "learning"


@pytest.mark.parametrize(("task", "count"), [("finger", 16), ("spiral", 8)])
def test_a_trained_policy_passes_an_exam_on_the_engine(task, count):
  folder = LEARNING / "trained" / task
  curve = json.loads((folder / "curve.json").read_text())
  exam = runpy.run_path(str(LEARNING / "show.py"))["exam"]
  found = exam(task, Policy.load(folder / "policy.npz"), count)
  assert np.mean(found < curve["near"]) > 0.8 and found.mean() < 0.7 * curve["near"]
  # as well as in the worlds that it was trained in, where actions are drawn at random around it
  assert found.mean() < 1.5 * curve["rows"][-1]["late_error"]
