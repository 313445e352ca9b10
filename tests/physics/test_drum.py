"""A drum with its Anchor on it winds five turns and unwinds: length exact to 1e-9 at every angle.

Judge: the closed form r * angle + free tangent (a helix where the hook is off to one side along
the axis). Public drums jump after a turn or so; native tendons are wrong past half a turn.
"""

import mujoco
import numpy as np
import pytest
from oracles import build
from oracles.winding import wound_length

import mujocable as mjc

RADIUS = 0.05
TURNS = 5


def winch(rise=0.0, source="drum", far=0.6, gravity=0.0, **wrap):
  """Drum about +y at the origin, its knot at the far side; a hook on a slide along x, to the right.

  At angle 0 the cable leaves the knot at 180 degrees, runs over the top by a quarter turn and
  more, and goes to the hook. Turning about +y by negative angles winds more cable on.
  """
  spec = build.new_spec(gravity=(gravity, 0, 0))
  drum = build.body(spec.worldbody, "drum", inertia=1e-3)
  drum.add_joint(name="axle", type=build.HINGE, axis=(0, 1, 0))
  build.cylinder(drum, "barrel", (0, 0, 0), RADIUS, axis=(0, 1, 0), half_length=0.5)
  build.site(drum, "knot", (-RADIUS, 0, 0))
  build.site(spec.worldbody, "top", (0, 0, 2 * RADIUS))
  load = build.body(spec.worldbody, "load", pos=(far, rise, 0), mass=0.4)
  load.add_joint(name="slide", type=build.SLIDE, axis=(1, 0, 0))
  build.site(load, "hook", (0, 0, 0))
  route = [mjc.Anchor("knot"), mjc.Wrap("barrel", side="top", **wrap), mjc.Anchor("hook")]
  if source == "hook":
    route.reverse()
  cable = mjc.Cable(
    name="hoist", route=route, axial=mjc.Axial(stiffness=500.0, damping=5.0, transition=1e-4)
  )
  return spec, cable


def wound(angle, hook):
  """Polar angle of the arc when the drum stands at `angle` and the hook at (x, z)."""
  reach = np.hypot(*hook)
  # measured at the hook's bearing: from the knot (180 deg) over the top down to the tangent point
  bearing = np.arctan2(hook[1], hook[0])
  return np.pi - angle - bearing - np.arccos(RADIUS / reach)


def judge(view, angle, hook, rise):
  want, turning = wound_length(RADIUS, np.hypot(*hook), rise, wound(angle, hook))
  assert build.is_valid(view), angle
  assert view.touching[0]
  assert view.length == pytest.approx(want, rel=1e-9), angle
  assert view.wrap_angle[0] == pytest.approx(turning, abs=1e-8), angle


SWEEP = np.concatenate(
  [np.linspace(0, -2 * np.pi * TURNS, 301), np.linspace(-2 * np.pi * TURNS, 0.4, 301)]
)


@pytest.mark.parametrize("source", ["drum", "hook"])
@pytest.mark.parametrize("rise", [0.0, 0.1])
def test_winding_step_by_step_is_exact(rise, source):
  """The drum is set to each angle (6 degrees apart) and stepped there."""
  spec, cable = winch(rise, source)
  model, data, views = build.compiled(spec, cable)
  for angle in SWEEP:
    build.settle(model, data, [angle, 0.0])
    judge(views["hoist"], angle, (0.6, 0.0), rise)


@pytest.mark.parametrize("source", ["drum", "hook"])
@pytest.mark.parametrize("rise", [0.0, 0.1])
def test_winding_by_forward_kinematics_alone_is_exact(rise, source):
  """Only mj_forward, never a step: angles anywhere within five turns, in order and at random."""
  spec, cable = winch(rise, source)
  model, data, views = build.compiled(spec, cable)
  rng = np.random.default_rng(0)
  for angle in np.concatenate([SWEEP, rng.uniform(-2 * np.pi * TURNS, 0.4, 100)]):
    data.qpos[:] = (angle, 0.0)
    mujoco.mj_forward(model, data)
    judge(views["hoist"], angle, (0.6, 0.0), rise)


@pytest.mark.parametrize("integrator", ["euler", "implicitfast", "rk4"])
def test_a_servo_winds_and_unwinds_five_turns(integrator):
  """Stepped with a velocity servo and a load that moves too; exact at every step."""
  spec, cable = winch(far=2.5, gravity=9.81)  # gravity along +x
  motor = spec.add_actuator(name="servo", target="axle")
  motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
  motor.set_to_velocity(kv=2.0)
  spec.option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
  model, data, views = build.compiled(spec, cable)
  view = views["hoist"]
  lowest = 0.0
  for step in range(9000):
    data.ctrl[0] = -8.0 if step < 4500 else 8.0
    mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    angle, x = data.qpos
    if angle > 0.3:
      break
    judge(view, angle, (2.5 + x, 0.0), 0.0)
    lowest = min(lowest, angle)
  assert lowest < -2 * np.pi * TURNS
  assert data.qpos[0] > -1.0  # and came back


def test_the_drum_feels_tension_times_radius():
  spec, cable = winch()
  model, data, views = build.compiled(spec, cable)
  for angle in np.linspace(0, -2 * np.pi * TURNS, 101):
    build.settle(model, data, [angle, 0.0])
    tension = views["hoist"].source_tension
    torque = views["hoist"].load[0]
    # pulled back toward unwinding, which is +y
    assert torque == pytest.approx(tension * RADIUS, rel=1e-12)


def test_restoring_a_wound_drum_keeps_its_windings():
  """Save after three turns, restore into fresh data: same length and tension, bit for bit."""
  spec, cable = winch()
  model, data, views = build.compiled(spec, cable)
  for angle in np.linspace(0, -6 * np.pi, 100):
    build.settle(model, data, [angle, 0.0])
  full = int(mujoco.mjtState.mjSTATE_INTEGRATION)
  state = np.zeros(mujoco.mj_stateSize(model, full))
  mujoco.mj_getState(model, data, state, full)
  fresh = mujoco.MjData(model)
  mujoco.mj_setState(model, fresh, state, full)
  mujoco.mj_forward(model, fresh)
  again = mjc.bind(model, fresh)["hoist"]
  assert again.length == views["hoist"].length
  assert again.source_tension == views["hoist"].source_tension
  assert again.rest_length == views["hoist"].rest_length


def test_a_knot_on_the_bottom_of_a_groove_never_derails():
  """Rounding puts it a hair inside at some angles: it still lies on the wheel."""
  spec, cable = winch(groove=0.005)
  model, data, views = build.compiled(spec, cable)
  view = views["hoist"]
  for angle in np.linspace(0, -2 * np.pi * TURNS, 1001):
    build.settle(model, data, [angle, 0.0])
    judge(view, angle, (0.6, 0.0), 0.0)
  assert view.derailments == 0
