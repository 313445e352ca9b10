"""The experiment on answers: a quick run meets its targets."""

import json
from argparse import Namespace

from experiments.answers import rope, run
from experiments.answers.hoist import MASS


def test_quick_run(tmp_path):
  assert run.main(Namespace(quick=True, out=tmp_path, docs=False)) == 0
  found = json.loads((tmp_path / "answers.json").read_text())
  assert found["met"] and found["throughput"]["same"]


def test_the_rope_knows_no_capstan_law_and_obeys_it(tmp_path):
  """While all of it slides upward, the motor pulls exp(mu phi) times what arrives at the load."""
  import csv
  import math

  rope.measure(tmp_path / "rope.csv", 0.2, 4000.0, duration=0.3, nodes=60)
  with (tmp_path / "rope.csv").open() as file:
    rows = [{k: float(x) for k, x in row.items()} for row in csv.DictReader(file)]
  turn = math.pi - math.acos(rope.RADIUS / 0.6)
  late = [row for row in rows if 0.2 < row["time"] < 0.3]
  heights = [row["qpos.lift"] for row in rows]
  for row in late[1:-1]:
    k = rows.index(row)
    speed = (heights[k + 1] - heights[k - 1]) / 0.02
    acceleration = (heights[k + 1] - 2 * heights[k] + heights[k - 1]) / 1e-4
    arrives = MASS * (9.81 + acceleration) + rope.DRAG * speed
    ratio = row["rope.tension[0]"] / arrives
    assert abs(ratio / math.exp(0.2 * turn) - 1) < 0.05
