"""Recordings: columns are what the views said, CSV and plots show the same."""

import csv

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.viewer import plots
from mujocable.viewer.recording import Recording


def record(spec, hoist):
  mjc.add_cable(spec, hoist)
  model = spec.compile()
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)["hoist"]
  recording, seen = Recording([view]), []
  for step in range(20):
    data.ctrl[0] = 0.01 * step
    mujoco.mj_step(model, data)
    recording.sample(data.time, lift=data.joint("lift").qpos[0])
    seen.append([view.take_up, *view.tension])
  return recording, np.array(seen)


def test_columns_are_the_values_of_the_views(spec, hoist):
  recording, seen = record(spec, hoist)
  assert len(recording) == 20
  assert np.array_equal(recording["hoist.take_up"], seen[:, 0])
  tension = recording.columns("hoist.tension")
  assert list(tension) == [f"hoist.tension[{i}]" for i in range(3)]
  assert np.array_equal(np.stack(list(tension.values()), axis=1), seen[:, 1:])


@pytest.mark.parametrize("field", ["entry", "points", "name", "actuator", "mesh_fit"])
def test_what_fills_no_column_is_refused_at_once(spec, field):
  """Not in the middle of a run, in words of Python."""
  route = [mjc.Anchor("motor"), mjc.Wrap("sheave"), mjc.Anchor("hook")]
  mjc.add_cable(spec, mjc.Cable("tie", route, mjc.Axial(stiffness=100.0)))
  model = spec.compile()
  views = mjc.bind(model, mujoco.MjData(model)).values()
  with pytest.raises(mjc.CableError, match=f"'{field}' is neither a number nor one for each"):
    Recording(views, ["tension", field])
  Recording(views, ["jacobian", "status", "touching"]).sample(0.0)


def test_the_csv_keeps_every_digit(spec, hoist, tmp_path):
  recording, _ = record(spec, hoist)
  recording.write_csv(str(tmp_path / "a.csv"))
  with (tmp_path / "a.csv").open() as file:
    rows = list(csv.DictReader(file))
  for name in recording.names:
    assert np.array_equal([float(row[name]) for row in rows], recording[name])


def test_a_plot_has_a_curve_for_every_segment(spec, hoist, tmp_path):
  recording, seen = record(spec, hoist)
  figure = plots.plot_cable(recording, "hoist", [("lift [m]", {"lift": recording["lift"]})])
  assert [ax.get_ylabel() for ax in figure.axes] == [
    "tension [N]",
    "take-up [m]",
    "lift [m]",
    "slack [mm]",
  ]
  for line, values in zip(figure.axes[0].lines, seen[:, 1:].T, strict=True):
    assert np.array_equal(line.get_ydata(), values)
  plots.save(figure, tmp_path / "a.png")
  assert (tmp_path / "a.png").stat().st_size > 10_000


@pytest.mark.parametrize("count", [3, 9, 30])
def test_a_plot_leaves_no_curve_out(count):
  time = np.linspace(0.0, 1.0, 5)
  curves = {f"segment {i}": i + time for i in range(count)}
  (axes,) = plots.plot_panels(time, [("tension [N]", curves)]).axes
  assert [line.get_ydata()[0] for line in axes.lines] == [*range(count)]
  looks = {(line.get_color(), line.get_linestyle()) for line in axes.lines}
  assert len(looks) == count
  legend = [text.get_text() for text in axes.get_legend().get_texts()]
  assert {"segment 0", f"segment {count - 1}"} <= {*legend} and len(legend) <= 18


def test_labels_are_written_into_a_picture(tmp_path):
  blank = np.full((100, 200, 3), 255, dtype=np.uint8)
  plots.write_picture(tmp_path / "plain.png", blank)
  plots.write_picture(tmp_path / "named.png", blank, [("tension", np.array([50, 50]), (20, 0))])
  from matplotlib.image import imread

  plain, named = imread(tmp_path / "plain.png"), imread(tmp_path / "named.png")
  assert plain.shape[:2] == named.shape[:2] == (100, 200)
  assert np.all(plain[..., :3] == 1) and np.any(named[..., :3] < 0.9)


def test_what_cannot_be_recorded_or_plotted_is_said(spec, hoist):
  recording, _ = record(spec, hoist)
  with pytest.raises(mjc.CableError, match="no sample of a cable 'hoit'"):
    plots.plot_cable(recording, "hoit")
  model = spec.compile()
  cables = mjc.bind(model, mujoco.MjData(model))
  with pytest.raises(mjc.CableError, match=r"give bind\(model, data\)\.values\(\), got 'hoist'"):
    Recording(cables)  # pyright: ignore
  with pytest.raises(mjc.CableError, match="a cable has no 'tenson'; did you mean 'tension'"):
    Recording(cables.values(), ["tenson"])
