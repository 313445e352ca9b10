"""Take-up kinds: what they accept and what they refuse."""

import math

import numpy as np
import pytest

from mujocable.errors import BadValue
from mujocable.runtime.tables import table
from mujocable.spec.takeup import (
  TAKE_UPS,
  LengthCommand,
  SpoolAngle,
  SpoolJoint,
  SpoolRate,
  TensionCommand,
  filtered,
)


def test_the_kinds_are_those_of_the_engine():
  (accepted,) = [row[3] for row in table("attributes") if row[0] == "take_up"]
  assert ["fixed", *TAKE_UPS] == accepted.split(", ")


def test_values_are_plain_floats():
  take_up = LengthCommand(range=np.array([0, 1]), lag=np.float32(0.5))
  assert take_up == LengthCommand((0.0, 1.0), 0.5)
  assert [type(x) for x in (*take_up.range, take_up.lag)] == [float] * 3


def test_a_filter_is_needed_for_lag_or_rate_limit():
  assert not filtered(LengthCommand((0, 1)))
  assert filtered(LengthCommand((0, 1), lag=0.1))
  assert filtered(SpoolAngle(0.1, (0, 1), rate_limit=2.0))
  assert not filtered(SpoolRate(0.1, (0, 1)))


def make_range(kind, value):
  return kind(0.1, value) if kind in (SpoolAngle, SpoolRate) else kind(value)


@pytest.mark.parametrize("kind", [LengthCommand, SpoolAngle, SpoolRate, TensionCommand])
@pytest.mark.parametrize(
  "value", [(1, 0), (0, 0), (0, math.inf), (math.nan, 1), (0,), (0, 1, 2), 3, "01", (False, True)]
)
def test_bad_ranges(kind, value):
  with pytest.raises(BadValue, match=f"{kind.__name__}: range must be"):
    make_range(kind, value)


def test_no_range_means_no_limits():
  assert LengthCommand(range=None).range is None


def test_a_cable_cannot_push():
  with pytest.raises(BadValue, match="TensionCommand: range must not go below 0"):
    TensionCommand(range=(-1, 1))


@pytest.mark.parametrize("value", [0, -0.1, math.nan, math.inf, True, "1"])
def test_bad_radius(value):
  with pytest.raises(BadValue, match="radius must be a finite number > 0"):
    SpoolAngle(value, (0, 1))
  if value != -0.1:
    with pytest.raises(BadValue, match="radius must be a finite number other than 0"):
      SpoolJoint("j", value)


def test_a_spool_of_the_model_may_be_wound_either_way():
  assert SpoolJoint("j", -0.1).radius == -0.1


def test_bad_lag_and_rate_limit():
  with pytest.raises(BadValue, match="LengthCommand: lag must be a finite number >= 0, got -1"):
    LengthCommand((0, 1), lag=-1)
  with pytest.raises(BadValue, match=r"LengthCommand: rate_limit must be a number > 0"):
    LengthCommand((0, 1), rate_limit=0)


def test_joint_is_a_name():
  with pytest.raises(BadValue, match="SpoolJoint: joint must be a name"):
    SpoolJoint("", 0.1)
