"""Drums that start with turns on them: Wrap(turns=n).

Judges: closed forms (wound length, planar belt), and the same turns wound on by motion.
"""

import mujoco
import numpy as np
import pytest
from oracles import build
from oracles.belt import belt
from oracles.winding import wound_length

import mujocable as mjc

RADIUS, FAR = 0.05, 0.6


def winch(turns, rise=0.0, beyond=()):
  """A drum about y, its knot at the left, over the top to a hook on the right."""
  spec = build.new_spec(gravity=(0, 0, 0))
  drum = build.body(spec.worldbody, "drum", inertia=1e-3)
  drum.add_joint(name="axle", type=build.HINGE, axis=(0, 1, 0))
  build.cylinder(drum, "barrel", (0, 0, 0), RADIUS, axis=(0, 1, 0), half_length=0.5)
  build.site(drum, "knot", (-RADIUS, 0, 0))
  build.site(spec.worldbody, "top", (0, 0, 2 * RADIUS))
  build.site(spec.worldbody, "hook", (FAR, rise, 0))
  route = [mjc.Anchor("knot"), mjc.Wrap("barrel", side="top", turns=turns)]
  for add in beyond:
    route.append(add(spec))
  cable = mjc.Cable(
    name="hoist", route=[*route, mjc.Anchor("hook")], axial=mjc.Axial(stiffness=500.0)
  )
  return build.compiled(spec, cable)


def wound(angle, turns):
  return np.pi - angle - np.arccos(RADIUS / FAR) + 2 * np.pi * turns


@pytest.mark.parametrize("turns", [0, 1, 5, 1000])
@pytest.mark.parametrize("rise", [0.0, 0.1])
def test_a_wound_drum_is_exact_while_it_winds_and_unwinds(turns, rise):
  model, data, views = winch(turns, rise)
  view = views["hoist"]
  home, _ = wound_length(RADIUS, FAR, rise, wound(0.0, turns))
  assert view.rest_length == pytest.approx(home, rel=1e-12)
  for angle in np.concatenate([np.linspace(0, -8, 60), np.linspace(-8, 6.2 * min(turns, 5), 200)]):
    build.settle(model, data, [angle])
    want, turning = wound_length(RADIUS, FAR, rise, wound(angle, turns))
    assert build.is_valid(view)
    assert view.length == pytest.approx(want, rel=1e-9)
    assert view.wrap_angle[0] == pytest.approx(turning, rel=1e-8)


def test_turns_come_back_after_a_reset():
  model, data, views = winch(3)
  before = views["hoist"].length
  for angle in np.linspace(0, 9, 40):
    build.settle(model, data, [angle])
  assert views["hoist"].length < before - 0.4
  mujoco.mj_resetData(model, data)
  mujoco.mj_forward(model, data)
  assert views["hoist"].length == before


def ellipsoid(spec):
  build.ellipsoid(spec.worldbody, "egg", (0.35, 0, -0.04), (0.06, 0.08, 0.07))
  return mjc.Wrap("egg", side=(0.0, 0.0, 0.2))


def ring(spec):
  build.site(spec.worldbody, "eye", (0.35, 0.02, 0.09))
  spec.site("eye").quat = [np.sqrt(0.5), 0, np.sqrt(0.5), 0]  # its axis along x
  return mjc.Ring("eye", radius=0.02, tube=0.005)


def sheave(spec):
  build.cylinder(spec.worldbody, "sheave", (0.45, 0, 0.02), 0.05, axis=(0.1, 1, 0), half_length=0.3)
  build.site(spec.worldbody, "over_sheave", (0.45, 0, 0.2))
  return mjc.Wrap("sheave", side="over_sheave")


@pytest.mark.parametrize("beyond", [(ellipsoid,), (ring,), (sheave,), (ring, sheave)])
@pytest.mark.parametrize("turns", [1, 4])
def test_authored_turns_are_those_that_motion_winds(turns, beyond):
  """A drum turned by full turns looks as it did, with that much more cable on it."""
  _, _, views = winch(turns, 0.05, beyond)
  authored = views["hoist"]
  assert build.is_valid(authored)
  moved_model, moved_data, moved_views = winch(0, 0.05, beyond)
  for angle in np.linspace(0, -2 * np.pi * turns, 60 * turns):
    build.settle(moved_model, moved_data, [angle])
    assert build.is_valid(moved_views["hoist"])
    assert (moved_views["hoist"].wrap_angle >= 0).all()
  moved = moved_views["hoist"]
  assert authored.length == pytest.approx(moved.length, rel=1e-11)
  assert authored.wrap_angle == pytest.approx(moved.wrap_angle, abs=1e-8)


@pytest.mark.parametrize("neighbors", [0, 1])
@pytest.mark.parametrize("side", [1, -1])
def test_a_string_that_passed_by_is_wound_around(side, neighbors):
  """At first the bollard is not touched at all; with a turn it is, most of the way round."""
  spec = build.new_spec(gravity=(0, 0, 0))
  build.idle_joint(spec)
  build.site(spec.worldbody, "start", (-0.3, 0, 0.08 * side))
  build.cylinder(spec.worldbody, "bollard", (0, 0, 0), RADIUS, axis=(0, 1, 0), half_length=0.5)
  build.site(spec.worldbody, "side", (0, 0, 0.1 * side))
  build.site(spec.worldbody, "end", (0.5, 0, 0.02 * side))
  route = [mjc.Anchor("start"), mjc.Wrap("bollard", side="side", turns=1)]
  circles = [((0.0, 0.0), RADIUS, -side)]
  if neighbors:
    at = (0.25, -0.03 * side)
    build.cylinder(
      spec.worldbody, "sheave", (at[0], 0, at[1]), 0.08, axis=(0, 1, 0), half_length=0.5
    )
    build.site(spec.worldbody, "over", (at[0], 0, 0.2 * side))
    route.append(mjc.Wrap("sheave", side="over"))
    circles.append((at, 0.08, -side))
  cable = mjc.Cable(
    name="rope", route=[*route, mjc.Anchor("end")], axial=mjc.Axial(stiffness=100.0)
  )
  _, _, views = build.compiled(spec, cable)
  want, _, _, angles = belt((-0.3, 0.08 * side), circles, (0.5, 0.02 * side))
  assert build.is_valid(views["rope"])
  assert views["rope"].wrap_angle == pytest.approx(angles, abs=1e-8)
  assert views["rope"].length == pytest.approx(want, rel=1e-10)
  assert 3 < angles[0] < 2 * np.pi


def test_turns_hold_by_friction_from_the_start():
  """Three turns and friction 0.2: the drum's slack end carries e^(-mu angle) of the load."""
  spec = build.new_spec(gravity=(0, 0, 0))
  build.idle_joint(spec)
  build.site(spec.worldbody, "hand", (-RADIUS, 0, -0.5))
  build.cylinder(spec.worldbody, "bollard", (0, 0, 0), RADIUS, axis=(0, 1, 0), half_length=0.5)
  build.site(spec.worldbody, "top", (0, 0, 0.1))
  build.site(spec.worldbody, "load", (RADIUS, 0, -0.5))
  cable = mjc.Cable(
    name="rope",
    route=[mjc.Anchor("hand"), mjc.Wrap("bollard", side="top", turns=3), mjc.Anchor("load")],
    axial=mjc.Axial(stiffness=1e4, pretension=100.0),
    friction=mjc.Sliding(0.2, mode="forward"),
  )
  _, _, views = build.compiled(spec, cable)
  angle = np.pi + 6 * np.pi
  assert views["rope"].wrap_angle[0] == pytest.approx(angle, rel=1e-12)
  assert views["rope"].tension[1] == pytest.approx(100.0 * np.exp(-0.2 * angle), rel=1e-12)
