"""Fits: true values inside their intervals, what the data cannot tell said, bad files refused."""

import csv
import json
import math
from types import SimpleNamespace

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from experiments.answers import hoist
from mujocable.errors import CableError
from mujocable.study.fit.intervals import intervals
from mujocable.study.fit.search import Residual
from mujocable.study.motion import Rows, smooth
from mujocable.study.simulate import simulate

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


def test_a_number_that_its_bounds_stop_is_said(pulled):
  bounds = {"rope.friction": (0.0, 0.1)}
  result = mjc.fit(hoist.build(hoist.WRONG), pulled, list(hoist.TRUTH), bounds=bounds)
  assert not result.values["rope.friction"].told
  (text,) = result.together
  assert text.startswith("rope.friction is at the end of its bounds, 0.1: widen them")


def test_no_friction_at_all_is_an_answer(tmp_path):
  hoist.measure(hoist.build(hoist.TRUTH | {"rope.friction": 0.0}), tmp_path / "a.csv", seed=2)
  one = mjc.fit(hoist.build(hoist.WRONG), tmp_path / "a.csv", list(hoist.TRUTH))
  assert one.told and one.values["rope.friction"].low == 0 < one.values["rope.friction"].high < 0.01


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


@pytest.mark.parametrize("jump", [0.0, 0.2])
def test_a_jump_of_the_simulation_does_not_pass_for_a_slope(jump):
  """Where a contact sticks one step sooner a row jumps; the interval is still that of the slope."""
  random = np.random.default_rng(3)
  rise = random.standard_normal(400)
  rise *= 8 / np.linalg.norm(rise)  # known to 1.97 / 8 of its scale

  def columns(many):
    return [[rise * u[0] + jump * (u[0] > 0) * (np.arange(400) == 7)] for u in many]

  noise = random.standard_normal(400)
  noise -= rise * (rise @ noise) / (rise @ rise)
  problem = SimpleNamespace(
    columns=columns,
    measured=[noise],
    scale=[1.0],
    low=[-9.0],
    high=[9.0],
    is_log=[False],
    parameters=[SimpleNamespace(text="x")],
  )
  at, residual = np.zeros(1), Residual(problem, [1.0])
  ((low, high, told),) = intervals(problem, residual, at, columns([at])[0]).intervals
  spread = np.linalg.norm(noise) / math.sqrt(399)
  assert told and 0.5 * (high - low) == pytest.approx(1.966 * spread / 8, rel=0.2)


def test_the_soft_spring_of_a_finger_is_found(tmp_path):
  """In N m/rad, far below what a cable has in N/m; the start in the model is not moved."""

  def flexed(stiffness):
    spec = mujoco.MjSpec.from_string(f"""
    <mujoco><option timestep="0.002" integrator="implicitfast"/>
      <worldbody> <site name="motor" pos="-.1 0 .01"/>
        <body> <joint name="knuckle" axis="0 -1 0" stiffness="{stiffness}" damping="0.002"/>
          <geom type="capsule" size=".006" fromto="0 0 0 .05 0 0" mass=".02"/>
          <site name="pad" pos=".02 0 .01"/> </body> </worldbody></mujoco>""")
    pulled = mjc.LengthCommand(range=(0.0, 0.01))
    route = [mjc.Anchor("motor"), mjc.Anchor("pad")]
    mjc.add_cable(spec, mjc.Cable("tendon", route, mjc.Axial(stiffness=1e4), take_up=pulled))
    return spec

  time = np.linspace(0, 0.5, 51)
  command = Rows(time, 0.005 * smooth(time / 0.4)[:, None])
  found = simulate(flexed(0.04).compile(), command, 0.5, rate=100).recording
  tension = found["tendon.tension[0]"] + 0.01 * np.random.default_rng(4).standard_normal(51)
  rows = np.column_stack([time, command.values[:, 0], tension])
  path = write(tmp_path / "flex.csv", ["time", "tendon", "tendon.tension[0]"], rows.tolist())
  one = mjc.fit(flexed(0.2), path, ["joint:knuckle.stiffness"]).values["joint:knuckle.stiffness"]
  assert one.start == pytest.approx(0.2) and one.told
  assert one.low <= 0.04 <= one.high and one.high - one.low < 0.004
