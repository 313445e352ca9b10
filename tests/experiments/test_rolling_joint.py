"""The rolling joint experiment: its judge by an older construction, and a quick run."""

import json
from argparse import Namespace
from math import cos, pi, sin, sqrt

import numpy as np
import pytest

from experiments.rolling_joint import kinematics
from experiments.rolling_joint import run as rolling_joint
from experiments.rolling_joint.kinematics import Circle
from mujocable.models.rolling_joint import RollingJoint


def test_string_over_a_quarter_of_a_circle():
  length = kinematics.string(-2 + 1j, [Circle(0, 1.0, -1)], 1 - 3j)
  assert length == pytest.approx(2 + pi / 2 + 3, abs=1e-14)  # a closed form, rounded


def test_string_that_crosses_between_equal_circles():
  # inner tangent of circles 4 apart: sqrt(4^2 - 2^2), 60 degrees off the line of centers
  circles = [Circle(0, 1.0, -1), Circle(4, 1.0, 1)]
  top = kinematics.string(-1 - 0j, circles, 5 + 0j)
  # the ends lie on the circles: their tangents are the root of a rounded zero
  assert top == pytest.approx(sqrt(12) + 2 * (pi - pi / 3), abs=1e-7)


def test_string_over_arcs_with_one_tangent():
  # half around the large circle, then a quarter of the small one that it touches from inside
  circles = [Circle(0, 2.0, -1), Circle(1, 1.0, -1)]
  length = kinematics.string(-2 - 3j, circles, 1 - 1j)
  assert length == pytest.approx(3 + pi * 2 + pi / 2, abs=1e-7)


def test_string_leaves_out_what_it_does_not_touch():
  assert kinematics.string(0j, [Circle(1 - 2j, 1.0, -1)], 2 + 0j) == pytest.approx(2, abs=1e-14)


def test_rolling_keeps_the_touching_arcs_equal():
  for angle in (0.1, 0.7, 1.4):
    pose = kinematics.roll(angle, 12.0)
    contact = pose.hinge / 2
    assert abs(contact) == pytest.approx(6, abs=1e-14)
    # seen from the distal bone, the contact has moved by the same arc
    seen = (contact - pose.hinge) * complex(cos(angle), -sin(angle))
    arc = np.angle(-seen)
    assert -6 * arc == pytest.approx(6 * np.angle(contact), abs=1e-13)


def test_rolling_gives_the_older_tables():
  # shortening [mm] straight from end to end, and over a point on top of the rib, as computed from
  # the public geometry, whose arcs are centered 0.07 mm palmar of its origin
  tables = {
    (): {10: 2.22, 20: 4.69, 30: 7.40, 40: 10.33, 50: 13.45, 52.481: 14.26, 60: 16.75},
    (-0.05 + 10.0j,): {10: 1.83, 20: 3.66, 30: 5.48, 40: 7.23, 50: 8.86, 52.481: 9.25, 60: 10.34},
  }
  start, end = -18 + 11.93j, 18 + 11.93j
  for points, table in tables.items():
    cable = kinematics.Cable(start, end, tuple(Circle(point, 0.0, 1) for point in points))
    home = cable.length(kinematics.roll(0.0, 12.0))
    for angle, want in table.items():
      shorter = home - cable.length(kinematics.roll(np.deg2rad(angle), 12.0))
      assert shorter == pytest.approx(want, abs=0.01)  # the digits of the tables


def test_height_of_the_ring_sets_the_angle():
  def angle(higher):
    x, y, z = RollingJoint().rib
    return rolling_joint.judged_angle(0.01, RollingJoint(rib=(x, y + higher, z)))

  assert angle(5e-4) < angle(0.0) < angle(-5e-4)
  # a tenth of it: the slope is not constant
  assert angle(-5e-4) - angle(5e-4) == pytest.approx(5, abs=0.5)


def test_quick_run(tmp_path):
  assert rolling_joint.main(Namespace(quick=True, out=tmp_path, docs=False)) == 0
  found = json.loads((tmp_path / "rolling_joint.json").read_text())
  assert 50 <= found["cable_deg"] <= 55
  # twice 25 degrees, to what the servo gives way: the target of the page
  assert found["hinge_deg"] == pytest.approx(50, abs=0.05)
  assert found["valid_fraction"] == found["contact_fraction"] == 1
  assert found["max_smoothness_rad"] < 1e-9 and found["max_penetration_m"] < 1e-9


@pytest.mark.slow
def test_whole_run(tmp_path):
  assert rolling_joint.main(Namespace(quick=False, out=tmp_path, docs=False)) == 0
  found = json.loads((tmp_path / "rolling_joint.json").read_text())
  # chosen: what a mesh of 2 degree facets may differ by; a wrong ring is off by 5 degrees
  assert found["mesh"]["cable_deg"] == pytest.approx(found["cable_deg"], abs=0.2)
  assert found["mesh"]["valid_fraction"] == found["mesh"]["contact_fraction"] == 1
