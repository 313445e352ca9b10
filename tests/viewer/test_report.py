"""The report: every read-out beside what it is made of."""

import importlib
from pathlib import Path

import mujoco
import numpy as np
import pytest

import mujocable as mjc
import mujocable.models
from mujocable.errors import BadValue
from mujocable.models import hand
from mujocable.study.simulate import simulate
from mujocable.viewer.offscreen import snapshot
from mujocable.viewer.recording import Recording
from mujocable.viewer.report import report

SCENE = """
<mujoco model="elbow">
  <option gravity="0 0 0"/>
  <worldbody>
    <site name="motor" pos="-.2 0 .05"/>
    <site name="near" pos="-.04 0 .05"/>
    <body>
      <joint name="elbow" axis="0 -1 0" range="0 80" stiffness=".5" damping=".05"/>
      <joint name="free" axis="1 0 0" stiffness="9" damping=".05"/>
      <geom type="capsule" fromto="0 0 0 .2 0 0" size=".01" mass=".1"/>
      <site name="far" pos=".1 0 .05"/>
      <site name="end" pos=".15 0 .02"/>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.fixture(scope="module")
def pulled():
  spec = mujoco.MjSpec.from_string(SCENE)
  cable = mjc.Cable(
    "pull",
    [mjc.Anchor("motor"), mjc.Eyelet("near"), mjc.Eyelet("far", friction=0.4), mjc.Anchor("end")],
    mjc.Axial(stiffness=500.0, damping=1.0, pretension_offset=-0.004),
    friction=mjc.Sliding(0.1, mode="forward"),
    take_up=mjc.LengthCommand(range=(0.0, 0.1)),
  )
  mjc.add_cable(spec, cable)
  model = spec.compile()
  data = mujoco.MjData(model)
  recording, states = Recording(mjc.bind(model, data).values()), []
  for step in range(1500):
    data.ctrl[0] = min(0.02 * step / 500, 0.02)
    if step % 10 == 0:
      mujoco.mj_forward(model, data)
      recording.sample(data.time)
      states.append(snapshot(model, data))
    mujoco.mj_step(model, data)
  return model, data, recording, np.array(states)


def test_stroke_peak_efficiency_and_the_worst_guide(pulled):
  model, _, recording, _ = pulled
  one = report(model, recording).cables["pull"]
  tension = np.array(list(recording.columns("pull.tension[").values())).T
  assert one.stroke == pytest.approx(0.02)
  assert one.peak == tension[:, 0].max() > 1
  row = tension[tension[:, 0].argmax()]
  assert one.ratio == pytest.approx(row[-1] / row[0])
  assert np.isnan(one.efficiency)  # samples do not know the work between them
  near, far = one.guides
  assert (near.name, far.name) == ("near", "far")
  for guide, mu in ((near, 0.1), (far, 0.4)):
    assert guide.behind / guide.before == pytest.approx(np.exp(-mu * guide.turn), rel=1e-9)
    assert guide.loss == pytest.approx(1 - np.exp(-mu * guide.turn), rel=1e-9)
  assert one.worst is far and one.valid == 1


def test_slack_is_an_event(pulled):
  model, _, recording, _ = pulled
  (event,) = report(model, recording).cables["pull"].slack
  slack = recording["pull.slack"]
  assert event.begin == 0 and event.most == slack.max() == pytest.approx(0.004)
  assert event.end == recording["time"][slack > 0].max()


def test_moment_arms_are_the_slope_of_the_stroke(pulled):
  model, _, recording, _ = pulled
  (sweep,) = report(model, recording).cables["pull"].sweeps  # `free` has no range
  assert sweep.joint == "elbow" and sweep.position[[0, -1]] == pytest.approx(np.deg2rad([0, 80]))
  slope = np.gradient(sweep.length, sweep.position)
  assert sweep.arm[1:-1] == pytest.approx(-slope[1:-1], rel=2e-3)
  assert sweep.stroke == pytest.approx(np.ptp(sweep.length)) and sweep.stroke > 0.03


def test_states_recording_and_data_say_the_same(pulled):
  model, data, recording, states = pulled
  by_states = report(model, states).cables["pull"]
  by_recording = report(model, recording).cables["pull"]
  assert np.array_equal(by_states.tension, by_recording.tension)
  assert by_states.guides == by_recording.guides
  now = report(model, data).cables["pull"]
  assert now.tension.shape == (1, 3) and now.stroke == 0
  assert now.peak == pytest.approx(by_states.tension[-1, 0], rel=1e-2)


def test_reporting_changes_nothing(pulled):
  model, data, _, _ = pulled
  before = snapshot(model, data)
  report(model, data)
  assert np.array_equal(before, snapshot(model, data))


def test_table_plots_and_page(pulled, tmp_path):
  model, _, recording, _ = pulled
  found = report(model, recording)
  text = str(found)
  for word in ("cables of elbow", "pull", "stroke [mm]", "worst guide", "far", "elbow", "slack"):
    assert word in text
  assert set(found.plots()) == {
    "pull: over time",
    "pull: along the cable",
    "pull: moment arms",
  }
  page = found.write(tmp_path / "deep" / "report.html").read_text(encoding="utf-8")
  assert page.startswith("<!DOCTYPE html>") and page.count("data:image/png;base64,") == 3
  assert "<h2>pull</h2>" in page and "Cables of elbow" in page


def test_bad_sources_and_names_are_named(pulled):
  model, data, _, _ = pulled
  with pytest.raises(BadValue, match=r"states of shape \(samples, \d+\)"):
    report(model, np.zeros((3, 4)))
  with pytest.raises(
    mjc.CableError, match=r"cable 'push' is not in this model; cables here: 'pull'"
  ):
    report(model, data, ["push"])
  with pytest.raises(BadValue, match="has no sample"):
    report(model, Recording(mjc.bind(model, data).values()))
  other = hand.build()
  with pytest.raises(BadValue, match="made for another model"):
    report(other.compile(), data)
  with pytest.raises(BadValue, match="must be an MjModel, got MjSpec"):
    report(other, data)  # pyright: ignore


def test_joints_that_an_equality_ties_together_are_swept_together():
  params = hand.Hand(digits=[hand.FINGERS[0]], friction=0.0)
  model = hand.build(params).compile()
  extensor = report(model, mujoco.MjData(model), steps=9).cables["index_extensor"]
  for sweep, radius in zip(extensor.sweeps, params.digits[0].radii, strict=True):
    # both hinges of a rolling joint turn by the same angle: the arm counts twice
    assert sweep.joint.endswith(":1")
    assert sweep.arm[2:] == pytest.approx(-2 * (radius + params.cable_radius), abs=1e-9)
    grown = np.gradient(sweep.length, sweep.position)
    assert sweep.arm[3:-1] == pytest.approx(-grown[3:-1], abs=1e-9)


MODELS = sorted(
  file.parent.name for file in Path(mujocable.models.__file__).parent.glob("*/__init__.py")
)


@pytest.mark.parametrize("name", MODELS)
def test_every_model_has_its_report(name, tmp_path):
  spec = importlib.import_module(f"mujocable.models.{name}").build()
  model = spec.compile()
  data = mujoco.MjData(model)
  data.ctrl[:] = 0.3 * np.maximum(model.actuator_ctrlrange[:, 1], 0)
  mujoco.mj_step(model, data, nstep=20)
  found = report(model, data, steps=5)
  assert list(found.cables) == list(mjc.bind(model, data))
  for name, one in found.cables.items():
    assert one.valid == 1
    assert [g.name for g in one.guides] == guide_names(spec, name)
  assert all(name in str(found) for name in found.cables)
  some = report(model, data, list(found.cables)[:1], steps=5)
  page = some.write(tmp_path / "report.html").read_text(encoding="utf-8")
  assert "<table" in page and all(f"<h2>{name}</h2>" in page for name in some.cables)


def guide_names(spec, cable):
  """From the tuple that add_cable wrote: sites and geoms between the ends, no hints."""
  written = next(t for t in spec.tuples if t.name == cable)
  rows = zip(written.objname, written.objprm, strict=True)
  return [name for name, role in rows if role in (0, 3, 5, 6, 7)][1:-1]


def test_joints_that_follow_a_follower_are_swept_with_it():
  """Knuckle, middle, last joint coupled one to the next: the slope of the length is the arm."""
  spec = mujoco.MjSpec.from_string("""
  <mujoco>
    <worldbody> <site name="motor" pos="-.1 0 .02"/>
      <body> <joint name="mcp" axis="0 -1 0" range="0 80"/> <geom size=".01"/>
        <site name="one" pos=".02 0 .015"/>
        <body pos=".04 0 0"> <joint name="pip" axis="0 -1 0" range="0 90"/> <geom size=".01"/>
          <body pos=".03 0 0"> <joint name="dip" axis="0 -1 0" range="0 70"/> <geom size=".01"/>
            <site name="end" pos=".01 0 .01"/> </body> </body> </body>
    </worldbody>
    <equality>
      <joint joint1="pip" joint2="mcp" polycoef="0 1.1 .2 0 0"/>
      <joint joint1="dip" joint2="pip" polycoef="0 .7 0 0 0"/>
    </equality>
  </mujoco>""")
  route = [mjc.Anchor("motor"), mjc.Eyelet("one"), mjc.Anchor("end")]
  mjc.add_cable(spec, mjc.Cable("flexor", route, mjc.Axial(stiffness=1e4)))
  model = spec.compile()
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)["flexor"]
  (sweep,) = [s for s in report(model, data).cables["flexor"].sweeps if s.joint == "mcp"]
  lengths = []
  for angle in sweep.position:
    middle = 1.1 * angle + 0.2 * angle**2
    data.qpos[:] = angle, middle, 0.7 * middle
    mujoco.mj_forward(model, data)
    lengths.append(view.length)
  assert sweep.length == pytest.approx(lengths, abs=1e-12)
  slope = np.gradient(lengths, sweep.position)
  assert sweep.arm[1:-1] == pytest.approx(-slope[1:-1], abs=1e-4)


def test_a_peak_between_two_rows_is_told_from_the_rows(tmp_path):
  """Rows are 0.1 s apart, the pull is over in 0.05 s: each figure stands by the time it is of."""
  spec = mujoco.MjSpec.from_string(SCENE)
  route = [mjc.Anchor("motor"), mjc.Eyelet("near"), mjc.Eyelet("far"), mjc.Anchor("end")]
  motor = mjc.LengthCommand(range=(0.0, 0.1))
  mjc.add_cable(
    spec, mjc.Cable("pull", route, mjc.Axial(stiffness=500.0), friction=0.1, take_up=motor)
  )
  model = spec.compile()

  def command(time):
    return np.array([0.01 + 0.02 * np.exp(-(((time - 0.45) / 0.02) ** 2))])

  run = simulate(model, command, 1.0, rate=10)
  found = report(model, run.recording, accounts=run.accounts)
  page = found.write(tmp_path / "report.html").read_text(encoding="utf-8")
  one, account = found.cables["pull"], run.accounts["pull"]
  assert one.peak == account.peak_tension > 1.5 * one.tension[:, 0].max()
  assert one.ratio == pytest.approx(account.end_tension / account.peak_tension)
  row = run.recording["time"].tolist().index(one.row_time)
  assert one.guides[0].before == one.tension[row, 0]

  assert f"guides at {one.row_time:.3g} s, the row" in page
