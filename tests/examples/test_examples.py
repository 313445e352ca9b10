"""Every example runs, quietly and fast, and shows the law that it is about."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest

import mujocable as mjc

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SCRIPTS = sorted(EXAMPLES.glob("*.py"))


def shown(name):
  """What an example leaves behind: its names."""
  return runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_runs_without_a_word_of_complaint(script):
  done = subprocess.run(
    [sys.executable, "-W", "error", str(script)],
    capture_output=True,
    text=True,
    check=False,
    timeout=60,
    env={**os.environ, "MUJOCO_GL": "off"},
  )
  assert done.returncode == 0, done.stderr
  assert done.stdout and not done.stderr


@pytest.mark.parametrize("file", sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_is_short_and_uses_the_public_surface_only(file):
  if file.suffix not in {".py", ".xml"}:
    return
  text = file.read_text(encoding="utf-8")
  assert len(text.splitlines()) <= 120
  assert "from mujocable" not in text and "import mujocable." not in text


def test_hello_cable_holds_the_ball():
  names = shown("hello_cable")
  weight = names["model"].body_mass[-1] * 9.81
  assert names["hoist"].tension == pytest.approx([weight, weight], rel=1e-3)
  assert names["data"].qpos[-5] == pytest.approx(0.4 + 0.3, abs=0.01)  # height of the ball


def test_derailing_tackle_holds_what_its_flanges_do():
  result = shown("derailing_tackle")["result"]
  left, most = result[False]
  assert left == pytest.approx(result["holds"], abs=0.01)
  # the block falls until the cable is taut: no more energy in it than that, T^2 L / (2 EA) < m g h
  taut, fall = 2.8356, 0.5  # of cable, at most [m]
  assert 3 * 51.5 < most < (2 * 1e5 / taut * 10.5 * 9.81 * fall) ** 0.5
  assert result[True][0] is None


def test_pulley_hoist_obeys_the_capstan_law():
  """T at the winch for a weight W on two parts: W k1 k2 / (1 + k2), k = exp(mu angle)."""
  names = shown("pulley_hoist")
  results, weight = names["results"], names["WEIGHT"]
  for motion in ("lift", "lower"):
    tension, rise = results["turning", motion]
    assert tension == pytest.approx([weight / 2] * 3, rel=0.01)
    assert abs(rise) == pytest.approx(0.175, abs=0.005)  # half of what the winch took in
  # angles by hand: winch at (-1, 0), sheave of radius 0.1 at (0, 2)
  bearing = np.arctan2(2.0, 1.0) + np.arcsin(0.1 / np.hypot(1.0, 2.0))
  first, second = np.exp(0.15 * (np.pi / 2 + bearing)), np.exp(0.15 * np.pi)
  tension, _ = results["seized", "lift"]
  middle = weight * second / (1 + second)
  assert tension == pytest.approx([middle * first, middle, middle / second], rel=1e-3)
  tension, _ = results["seized", "lower"]
  middle = weight / (1 + second)
  assert tension == pytest.approx([middle / first, middle, middle * second], rel=1e-3)


def test_drum_winch_winds_and_feels_the_load():
  names = shown("drum_winch")
  rows = np.array(names["rows"])
  turns, wrapped, length, tension, torque = rows.T
  assert turns.max() > 4.8
  # the payload hangs straight below the rim: half a turn at the start
  assert wrapped == pytest.approx(np.pi + 2 * np.pi * turns, abs=1e-9)
  assert torque == pytest.approx(names["RADIUS"] * tension, rel=1e-12)
  weight = names["MASS"] * 9.81
  # not steady: the first step, in which the motor takes over the load, and the turn in the middle
  steady = np.abs(np.arange(len(turns)) - 6) > 1
  steady[0] = False
  assert tension[steady] == pytest.approx(weight, rel=1e-3)
  # what is on the drum hangs no longer
  assert length == pytest.approx(0.06 * np.pi + 2.2, abs=1e-3)


def test_tension_command_is_obeyed_limited_and_never_negative():
  results = shown("tension_command")["results"]
  assert results[10.0, 10.0][0] == pytest.approx([10.0, 10.0], rel=1e-6)
  assert results[10.0, 10.0][1] == pytest.approx(0.0, abs=1e-9)
  assert results[0.0, 100.0][0] == pytest.approx([0.0, 30.0], rel=1e-6)
  for tension, elbow, torque in results.values():
    assert torque == pytest.approx(2.0 * elbow, abs=1e-3)  # against the spring
    assert np.sign(round(elbow, 6)) == np.sign(tension[1] - tension[0])


def test_over_a_mesh_the_moment_arm_is_the_slope_of_the_length():
  names = shown("over_a_mesh")
  angles, lengths, arms = (np.array(names[key]) for key in ("angles", "lengths", "arms"))
  assert {1, 2} == set(names["touching"])  # one of the two lifts on the way
  # Simpson's rule over two steps; where a contact lifts, the arm has a corner and the rule errs by
  # its change times the step, twice
  mean = (arms[2:] + 4 * arms[1:-1] + arms[:-2]) / 6
  miss = np.abs(lengths[2:] - lengths[:-2] - mean * (angles[2] - angles[0]))
  # elsewhere it is the geodesic's own error, 1e-8 of a tangent over 0.2 m
  assert np.sort(miss)[:-2].max() < 2e-9 and miss.max() < 1e-3 * (angles[2] - angles[0])
  assert names["fit"].deviation < 1e-5


def test_capstan_hauls_slips_and_holds_by_the_exponential():
  names = shown("capstan")
  weight = names["WEIGHT"]
  for turns, angle, hauls, slips, moved in names["rows"]:
    # half a turn, seen along the bollard; the helix turns the rope a little less
    assert angle == pytest.approx(np.pi * (1 + 2 * turns), rel=0.02)
    most = np.exp(0.2 * angle)
    assert hauls == pytest.approx(weight * most, rel=0.01)  # a moving load, a pull that goes on
    assert slips == pytest.approx(weight / most, rel=0.01)
    assert moved < 1e-12


def test_both_hand_written_forms_are_identical():
  names = shown("hand_written")
  explicit, seeded = names["explicit"], names["seeded"]
  assert np.array_equal(explicit, seeded)
  # the fingers came to rest: tensions differ, and by no more than the Capstan law allows
  tension, wrapped = explicit[-1, 3:7], explicit[-1, 7:10]
  friction = np.array([0.1, 0.05, 0.1])
  assert np.all(wrapped[[0, 2]] > 0.3)
  ratio = np.log(tension[1:] / tension[:-1])
  assert np.all(np.abs(ratio) <= friction * wrapped + 1e-9)
  assert np.abs(ratio).max() > 0.03


def test_two_hands_in_a_batch_have_the_bits_of_single_runs():
  names = shown("two_hands")
  model, frictions, batch = names["model"], names["frictions"], names["batch"]
  assert frictions.shape == (8, 40) and batch.nthread == 2
  for sim, friction in enumerate(frictions):
    data = mujoco.MjData(model)
    for cable, mu in zip(mjc.bind(model, data).values(), friction, strict=True):
      cable.friction = mu
    data.ctrl[:] = names["commands"](model)
    mujoco.mj_step(model, data, nstep=names["STEPS"])
    for field in ("qpos", "qvel", "plugin_state"):
      assert np.array_equal(getattr(batch, field)[sim], getattr(data, field)), (sim, field)
  assert np.ptp(batch.qpos, axis=0).max() > 1e-3


def test_attached_twice_the_fingers_are_independent():
  angles = shown("attach_twice")["angles"]
  assert set(angles) == {"index_extensor", "ring_extensor"}
  assert angles["index_extensor"] > 0.8 and angles["ring_extensor"] < 0.2


@pytest.mark.slow
def test_the_finger_learns():
  """Trained, it does better than chance on frictions and goals it never met."""
  names = shown("train_finger")
  trained, idle = names["trained"], names["idle"]
  gain = idle - trained  # the same frictions and goals
  assert gain.mean() > 5 * gain.std(ddof=1) / np.sqrt(len(gain))
  assert trained.mean() < 0.1  # rad, of goals from 0.3 to 3.2: solved
