"""The log-spiral sweeps: static solver, published rows, and quick runs of both experiments."""

import json
from argparse import Namespace

import numpy as np
import pytest

from experiments.robots import statics
from experiments.spirob11 import run as spirob11
from experiments.spirob11.published import FRICTIONS, JOINTS, SWEEP
from experiments.spirob18 import run as spirob18


@pytest.mark.parametrize("mu", FRICTIONS)
def test_static_solver_meets_the_published_rows(mu):
  shape = spirob11.equilibrium(mu)
  bend, tension, _, turn, largest = SWEEP[mu]
  angles = np.rad2deg(shape.angles)
  # half a unit of the last digit printed, and what it loses in the sum
  assert angles.sum() == pytest.approx(bend, abs=1e-3)
  assert shape.source == pytest.approx(tension, abs=1e-6)
  assert angles.max() == pytest.approx(largest, abs=1e-3)
  # behind its last hole the cable runs along the arm again, as before its first; no joint feels it
  last = statics.spiral_arm(12, 4.95e-3, [0.0] * 11, 0.0).base_turn
  assert shape.turn + last == pytest.approx(turn, abs=1e-4)
  if mu in JOINTS:
    assert angles == pytest.approx(JOINTS[mu], abs=1e-3)


@pytest.mark.parametrize("degrees", [0, 10, 20, 28, 30])
def test_span_of_the_largest_joint(degrees):
  """In complex numbers, along the arm + i across; the lever is the slope of the length."""
  joint = statics.spiral_arm(19, 4.5e-3, [1.0] * 18, 0.0).joints[0]
  leave, enter, before, behind = (
    complex(v[1], v[0]) for v in (joint.leave, joint.enter, joint.before, joint.behind)
  )
  angle, h = np.deg2rad(degrees), 1e-6

  def gap(turned):
    return enter * np.exp(1j * turned) - leave

  length, lever, *turns = joint.span(angle)
  assert length == pytest.approx(abs(gap(angle)), rel=1e-12)
  # a central difference is good to h^2 and to rounding over h
  assert lever == pytest.approx((abs(gap(angle - h)) - abs(gap(angle + h))) / (2 * h), abs=1e-9)
  kinks = np.angle(gap(angle) / before), np.angle(behind * np.exp(1j * angle) / gap(angle))
  assert turns == pytest.approx(np.abs(kinks), abs=1e-12)


def test_static_solver_is_in_balance_by_virtual_work():
  # without friction the work of the source is the work of the springs
  stiffness = 0.0235 * 0.66 ** np.arange(18)
  arm = statics.spiral_arm(19, 4.5e-3, stiffness, friction=0.0)
  pull, step = 0.4, 1e-5
  low, high = arm.bend(pull - step), arm.bend(pull + step)
  springs = 0.5 * (stiffness * (high.angles**2 - low.angles**2)).sum()
  # a central difference of 1e-5: its square, and rounding over it
  assert pull * (high.shortening - low.shortening) == pytest.approx(springs, rel=1e-6)


def test_static_solver_of_a_hold_is_the_axial_law():
  arm = statics.spiral_arm(12, 4.95e-3, [0.0015] * 11, friction=0.1)
  axial = statics.Axial(180.0, 1.5e-4, 1e-4)
  shape = statics.hold(arm, axial, 0.02)
  # the root is sought to 1e-13
  assert shape.source == pytest.approx(axial.tension(0.02, shape.shortening), abs=1e-10)
  assert statics.hold(arm, axial, 0.0).source == 0


@pytest.fixture(scope="module")
def out(tmp_path_factory):
  return tmp_path_factory.mktemp("reproduce")


def run(experiment, out):
  arguments = Namespace(quick=True, out=out, docs=False)
  return experiment.main(arguments)


def test_quick_spirob11(out):
  assert run(spirob11, out) == 0
  found = json.loads((out / "spirob11.json").read_text())
  assert found["met"] and [row["mu"] for row in found["rows"]] == [0.0, 0.2]
  for row in found["rows"]:
    assert {"mu", "bend_deg", "tension_N", "peak_tension_N", "take_up_m", "joint_deg"} <= set(row)
    bend, tension, *_ = SWEEP[row["mu"]]
    # the arm is read before it is quite at rest: the targets of the page
    assert row["bend_deg"] == pytest.approx(bend, abs=0.01)
    assert row["tension_N"] == pytest.approx(tension, abs=1e-4)
    assert row["joint_deg"] == pytest.approx(JOINTS[row["mu"]], abs=0.02)
  for name in ("shapes", "joints", "time", "tension"):
    assert (out / "spirob11" / f"{name}.png").stat().st_size > 5000
  assert (out / "spirob11.csv").exists() and (out / "spirob11.md").exists()


def test_quick_spirob18(out):
  assert run(spirob18, out) == 0
  found = json.loads((out / "spirob18.json").read_text())
  first, last = found["rows"]
  assert (first["mu"], last["mu"]) == (0.0, 0.6)
  assert set(found["native"]) >= {"bend_deg", "peak_tension_N", "take_up_m"}
  assert last["bend_deg"] < 0.8 * first["bend_deg"]
  assert last["peak_tension_N"] > 4 * first["peak_tension_N"]
  for row, static in zip(found["rows"], found["static"], strict=True):
    # as above
    assert row["joint_deg"] == pytest.approx(static["joint_deg"], abs=0.05)
    assert row["tension_N"] == pytest.approx(static["tension_N"], rel=5e-3)
  # one and the same motion, rounded differently
  assert found["equal_tension"]["max_joint_difference_deg"] < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("experiment", [spirob11, spirob18], ids=["spirob11", "spirob18"])
def test_whole_sweep(experiment, tmp_path):
  assert experiment.main(Namespace(quick=False, out=tmp_path, docs=False)) == 0
