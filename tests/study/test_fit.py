"""Fits: true values inside their intervals, what the data cannot tell said, bad files refused."""

import csv
import json

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from experiments.answers import hoist
from mujocable.errors import CableError

pytest.importorskip("scipy")


@pytest.fixture(scope="module")
def pulled(tmp_path_factory):
  """Measured on a machine whose parameters are known."""
  path = tmp_path_factory.mktemp("fit") / "pull.csv"
  hoist.measure(hoist.build(hoist.TRUTH), path, seed=1)
  return path


def test_true_values_are_inside_the_intervals_from_a_wrong_start(pulled):
  """`python -m experiments answers` does it a hundred times."""
  result = mjc.fit(hoist.build(hoist.WRONG), pulled, list(hoist.TRUTH))
  for name, truth in hoist.TRUTH.items():
    one = result.values[name]
    assert one.told and one.low <= truth <= one.high
    assert one.high - one.low < 0.2 * truth
  assert result.told and "All 3 parameters are determined" in result.verdict
  # what is left over is the noise that was put in
  for column in result.columns:
    assert column.rms == pytest.approx(hoist.NOISE[column.name], rel=0.2)
  assert mjc.read_cables(result.spec)["rope"].friction == result.values["rope.friction"].value


def test_two_frictions_that_the_data_cannot_tell_apart_are_said(tmp_path):
  """Two eyelets side by side, one tension before and one load behind: only their sum shows."""
  truth = hoist.build(hoist.TRUTH, eyelets=2)
  hoist.measure(truth, tmp_path / "pull.csv", seed=2)
  result = mjc.fit(truth, tmp_path / "pull.csv", ["rope.friction[0]", "rope.friction[1]"])
  assert not result.told and "cannot tell" in result.verdict
  (text,) = result.together
  assert "rope.friction[0] and rope.friction[1] cannot be told apart" in text
  # together they are known: the bends weigh them
  model = truth.compile()
  data = mujoco.MjData(model)
  mujoco.mj_forward(model, data)
  bends = mjc.bind(model, data)["rope"].wrap_angle[:2]
  found = [one.value for one in result.values.values()]
  assert bends @ found == pytest.approx(hoist.TRUTH["rope.friction"] * bends.sum(), rel=0.02)


def test_what_has_no_effect_is_said(pulled):
  result = mjc.fit(hoist.build(hoist.TRUTH), pulled, ["rope.friction", "rope.max_tension"])
  assert result.values["rope.friction"].told and not result.values["rope.max_tension"].told
  assert any("rope.max_tension has no effect" in text for text in result.together)


def write(path, header, rows):
  with path.open("w", newline="") as file:
    csv.writer(file).writerows([header, *rows])
  return path


@pytest.mark.parametrize(
  ("header", "rows", "message"),
  [
    (["time", "rope"], [[0, 0], [1, 1], [2, 2]], "nothing was measured"),
    (["time", "qpos.lift"], [[0, 0], [1, 1], [2, 2]], "no command is in the file"),
    (["time", "rope", "qpos.lft"], [[0, 0, 0]], "column 'qpos.lft' is no actuator .* did you mean"),
    (["time", "rope", "rope.tension[7]"], [[0, 0, 0]], "column .rope.tension.7.. is no actuator"),
    (["time", "rope", "qpos.lift"], [[0, 0, 0], [1, 1, 1]], "2 rows are too few"),
  ],
)
def test_bad_files_are_refused(header, rows, message, tmp_path):
  with pytest.raises(CableError, match=message):
    mjc.fit(hoist.build(hoist.TRUTH), write(tmp_path / "a.csv", header, rows), ["rope.friction"])


@pytest.mark.parametrize(
  ("asked", "message"),
  [
    ({"parameters": []}, "nothing is asked for"),
    ({"parameters": ["rope.frction"]}, "did you mean 'friction'"),
    ({"start": {"rope.lag": 1.0}}, "start of 'rope.lag', which is not fitted"),
    ({"start": {"rope.friction": 9.0}}, "must lie in 0 to 3, got 9"),
    ({"bounds": {"rope.friction": (0.5, 0.1)}}, "must be low < high"),
    ({"noise": {"qpos.x": 1.0}}, "which is no measured column"),
    ({"noise": {"qpos.lift": 0.0}}, "must be finite and > 0"),
  ],
)
def test_bad_questions_are_refused(asked, message, pulled):
  given = {"parameters": ["rope.friction"]} | asked
  with pytest.raises(CableError, match=message):
    mjc.fit(hoist.build(hoist.TRUTH), pulled, **given)


def test_the_verb_writes_model_report_and_data(pulled, tmp_path, monkeypatch, capsys):
  from mujocable.cli.__main__ import main

  monkeypatch.chdir(tmp_path)
  (tmp_path / "hoist.xml").write_text(hoist.build(hoist.TRUTH).to_xml())
  arguments = ["fit", "hoist.xml", str(pulled), "--find", "rope.friction", "--folds", "2"]
  assert main([*arguments, "--json"]) == 0
  data = json.loads(capsys.readouterr().out)
  assert data["told"] and data["held_out"] == pytest.approx(1, abs=0.3)
  assert np.shape(data["correlation"]) == (1, 1)
  folder = tmp_path / "out" / "fit"
  assert {"fitted.xml", "fit.json", "report.html", "fit.svg"} <= {p.name for p in folder.iterdir()}
  assert main([*arguments, "--start", "rope.friction=x"]) == 2
  assert "'x' is not a number" in capsys.readouterr().err
