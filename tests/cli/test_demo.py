"""The first job: what `make demo` prints and writes, and whether its numbers obey mechanics.

Judges: the payload's weight and acceleration, the torque balance of the sheave, the Capstan bound,
the kinematics of a rolling sheave. None of them asks the cable.
"""

import csv
import os
import re
import subprocess
import sys

import numpy as np
import pytest

from mujocable.cli import winch_job
from mujocable.models.winch import Winch
from mujocable.viewer import offscreen

WINCH = Winch()
GRAVITY = 9.81


def run_demo(out, *options):
  """The demo in a process of its own; returns what it printed."""
  done = subprocess.run(
    [sys.executable, "-m", "mujocable.cli", "demo", "--out", str(out), *options],
    capture_output=True,
    text=True,
    check=False,
    timeout=300,
    cwd=out.parent,
    env={**os.environ, "COLUMNS": "100"},
  )
  assert done.returncode == 0, done.stderr
  return done.stdout


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
  """One run: its folder and its text."""
  out = tmp_path_factory.mktemp("demo") / "out"
  return out, run_demo(out, "--video", "--fps", "1")


@pytest.fixture(scope="module")
def rows(demo):
  """The CSV as columns."""
  with (demo[0] / "demo.csv").open() as file:
    lines = list(csv.DictReader(file))
  return {name: np.array([float(line[name]) for line in lines]) for name in lines[0]}


def between(rows, start, end):
  """The columns within an interval of time [s]."""
  inside = (rows["time"] >= start) & (rows["time"] <= end)
  return {name: values[inside] for name, values in rows.items()}


# ---- what is printed and written -----------------------------------------------------------------


def test_the_table_shows_what_was_asked_for(demo):
  text = demo[1]
  for word in ("time", "take-up", "motor", "hook", "sheave", "slack", "status", "[s]", "[rad/s]"):
    assert word in text
  assert len(re.findall(r"valid", text)) >= 18


def test_progress_is_shown(demo):
  assert re.search(r"simulating .*100%", demo[1])


def test_pictures_are_drawn_or_the_package_is_named(demo):
  out, text = demo
  assert (out / "plot.png").stat().st_size > 10_000
  drawn = ["picture.png", "video.mp4"]
  if "no picture" in text:
    assert "libegl1" in text and "libosmesa6" in text
    assert not any((out / name).exists() for name in drawn)
  else:
    assert (out / "picture.png").read_bytes()[1:4] == b"PNG"
    assert (out / "video.mp4").read_bytes()[4:8] == b"ftyp"
    assert all((out / name).stat().st_size > 10_000 for name in drawn)


def test_table_and_picture_come_before_the_video(demo):
  text = demo[1]
  if "no picture" not in text:
    places = [text.index(word) for word in ("lifted", "picture.png", "plot.png", "video.mp4")]
    assert places == sorted(places)


def test_a_video_is_drawn_on_request_only(ask, tmp_path, monkeypatch):
  monkeypatch.setattr(offscreen, "switch_on", lambda: "egl")
  monkeypatch.setattr(winch_job, "_write_picture", lambda *_: None)
  monkeypatch.setattr(offscreen, "write_video", lambda *_: pytest.fail("drawn"))
  code, text, _ = ask("demo", "--out", tmp_path / "out")
  assert code == 0 and "a video of it: the same with --video" in text


@pytest.mark.parametrize(
  ("asked", "words"), [("off", ["MUJOCO_GL=off"]), (None, ["libegl1", "libosmesa6"])]
)
def test_without_offscreen_drawing_the_rest_is_written(asked, words, ask, tmp_path, monkeypatch):
  """Turned off, or with no back-end that works: the packages are named."""
  monkeypatch.delenv("MUJOCO_GL", raising=False)
  if asked:
    monkeypatch.setenv("MUJOCO_GL", asked)
  monkeypatch.setattr(offscreen, "works", lambda backend: False)
  code, text, _ = ask("demo", "--out", tmp_path / "out")
  assert code == 0 and all(word in text for word in words)
  assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["demo.csv", "plot.png"]


# ---- whether it is mechanics ---------------------------------------------------------------------


def test_every_path_is_valid(rows):
  assert np.all(rows["hoist.status"] == 0)


def test_the_cable_is_loose_first_and_last_and_then_pulls_nothing(rows):
  assert rows["hoist.slack"][0] == pytest.approx(WINCH.slack)
  assert rows["hoist.slack"][-1] > 0.9 * WINCH.slack
  loose = rows["hoist.slack"] > 0
  assert np.all(rows["hoist.tension[0]"][loose] == 0)
  assert np.all(rows["hoist.tension[1]"][loose] == 0)


def test_the_hook_carries_weight_and_inertia(rows):
  """T = m (g + a) with the acceleration from second differences of the height.

  A second difference is the mean acceleration of its two intervals, the middle counting most; of a
  polygon that is 1/6, 4/6, 1/6 of its corners. The tension is averaged in the same way: it bends
  where the bearing of the sheave breaks loose.
  """
  lifted = between(rows, 1.8, 7.2)
  step = lifted["time"][1] - lifted["time"][0]
  height = lifted["payload_height"]
  acceleration = (height[2:] - 2 * height[1:-1] + height[:-2]) / step**2
  want = WINCH.payload_mass * (GRAVITY + acceleration)
  tension = lifted["hoist.tension[1]"]
  mean = (tension[:-2] + 4 * tension[1:-1] + tension[2:]) / 6
  assert mean == pytest.approx(want, rel=0.002)


def test_the_sheave_is_turned_by_the_difference_of_the_tensions(rows):
  """(T0 - T1) r = I alpha + bearing torque while it lifts, less the bearing torque as it lowers."""
  radius = WINCH.sheave_radius + WINCH.cable_radius
  inertia = 0.5 * WINCH.sheave_mass * WINCH.sheave_radius**2
  for start, end, sign in ((2.0, 3.7, 1), (5.5, 7.2, -1)):
    moving = between(rows, start, end)
    alpha = np.gradient(moving["sheave_speed"], moving["time"])
    pull = (moving["hoist.tension[0]"] - moving["hoist.tension[1]"]) * radius
    want = inertia * alpha + sign * WINCH.bearing_torque
    assert pull[1:-1] == pytest.approx(want[1:-1], abs=0.005 * WINCH.bearing_torque)


def test_friction_stays_within_the_capstan_bound(rows):
  taut = rows["hoist.tension[0]"] > 0
  ratio = np.log(rows["hoist.tension[1]"][taut] / rows["hoist.tension[0]"][taut])
  assert np.all(np.abs(ratio) <= WINCH.friction * rows["hoist.wrap_angle[0]"][taut] * (1 + 1e-12))
  assert np.all(rows["hoist.dissipation[0]"] >= 0)


def test_the_sheave_rolls_with_the_cable(rows):
  """Rim and drum differ by the stretch of the cable between them alone: its strain, its rate."""
  radius = WINCH.sheave_radius + WINCH.cable_radius
  lift = between(rows, 2.4, 3.4)
  speed = np.gradient(lift["hoist.take_up"], lift["time"])[1:-1]
  rim = radius * lift["sheave_speed"][1:-1]
  tension = lift["hoist.tension[0]"]
  strain = tension / (WINCH.stiffness * lift["hoist.rest_length"])
  rate = np.abs(np.gradient(tension, lift["time"])) / WINCH.stiffness
  stretch = (strain * np.abs(np.gradient(lift["hoist.take_up"], lift["time"])) + rate)[1:-1]
  assert np.all(np.abs(rim - speed) < stretch)
  assert np.all(stretch < 0.01 * speed)


def test_at_rest_both_segments_carry_the_weight(rows):
  hold = between(rows, 4.8, 5.0)
  for segment in (0, 1):
    weight = WINCH.payload_mass * GRAVITY
    assert hold[f"hoist.tension[{segment}]"] == pytest.approx(weight, rel=1e-3)
