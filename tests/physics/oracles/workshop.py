"""One model with every kind of cable at once, and the ways to drive and compare it."""

from __future__ import annotations

import mujoco
import numpy as np

import mujocable as mjc
from oracles import build

FULL = int(mujoco.mjtState.mjSTATE_INTEGRATION)


def spec_of(integrator="implicitfast", timestep=1e-3):
  """Winch over a free sheave, spool over two posts, arm on a tension, drum, passive net, lag."""
  spec = build.new_spec(timestep=timestep, integrator=integrator)
  world = spec.worldbody

  # a winch lifts a free payload over a free sheave and through a guide, with friction
  build.site(world, "motor", (-0.3, 0, 0.32))
  sheave = build.body(world, "sheave", pos=(0, 0, 0.3), mass=0.1, inertia=2e-4)
  sheave.add_joint(name="axle", type=build.HINGE, axis=(0, 1, 0), damping=1e-4)
  build.cylinder(sheave, "rim", (0, 0, 0), 0.05, axis=(0, 1, 0), half_length=0.05)
  build.site(world, "rim_side", (0, 0, 0.5))
  build.site(world, "guide", (0.2, 0.01, 0.25))
  payload = build.body(world, "payload", pos=(0.2, 0, -0.1), mass=0.3, com=(0.01, 0, 0.02))
  payload.add_joint(name="payload", type=build.FREE)
  build.site(payload, "hook", (0, 0, 0.03))

  # a massless spool takes in a cable over two posts in one span
  build.site(world, "spool", (-0.3, 0.5, 0.2))
  build.cylinder(world, "post1", (-0.05, 0.5, 0.2), 0.05, axis=(0.1, 1, 0), half_length=0.3)
  build.sphere(world, "post2", (0.2, 0.5, 0.21), 0.06)
  build.site(world, "post1_side", (-0.05, 0.5, 0.4))
  build.site(world, "post2_side", (0.2, 0.5, 0.0))
  cart = build.body(world, "cart", pos=(0.5, 0.5, 0.22), mass=0.4)
  cart.add_joint(name="cart_x", type=build.SLIDE, axis=(1, 0, 0), stiffness=400.0, damping=0.5)
  cart.add_joint(name="cart_z", type=build.SLIDE, axis=(0, 0, 1), stiffness=400.0, damping=0.5)
  build.site(cart, "cart", (0, 0, 0))

  # an arm with a ball joint pulled by a tension
  upper = build.body(world, "upper", pos=(0, -0.5, 0.3), mass=0.5, com=(0.1, 0, 0.01))
  upper.add_joint(name="shoulder", type=build.HINGE, axis=(0, 1, 0.2), damping=0.02)
  lower = build.body(upper, "lower", pos=(0.3, 0, 0), mass=0.3, com=(0.1, 0.02, 0))
  lower.add_joint(name="elbow", type=build.BALL, damping=0.02)
  build.site(world, "arm_base", (-0.2, -0.5, 0.35))
  build.cylinder(upper, "knuckle", (0.3, 0, 0), 0.04, axis=(0, 1, 0), half_length=0.2)
  build.site(upper, "knuckle_side", (0.3, 0, 0.1))
  build.site(lower, "tip", (0.2, 0, 0.02))

  # a drum with its anchor on it and a weight
  drum = build.body(world, "drum", pos=(0.8, 0, 0.3), mass=0.2, inertia=3e-4)
  drum.add_joint(name="drum", type=build.HINGE, axis=(0, 1, 0), damping=0.01)
  build.cylinder(drum, "barrel", (0, 0, 0), 0.04, axis=(0, 1, 0), half_length=0.1)
  build.site(drum, "knot", (-0.04, 0, 0))
  build.site(world, "barrel_side", (0.8, 0, 0.5))
  weight = build.body(world, "weight", pos=(0.84, 0, -0.2), mass=0.1)
  weight.add_joint(name="weight", type=build.SLIDE, axis=(0, 0, 1))
  build.site(weight, "weight", (0, 0, 0))

  # a lagging motor on a second line of the payload
  build.site(world, "lag_motor", (0.6, 0.1, 0.4))

  for cable in cables():
    mjc.add_cable(spec, cable)
  return spec


def cables():
  return [
    mjc.Cable(
      name="hoist",
      route=[
        mjc.Anchor("motor"),
        mjc.Wrap("rim", side="rim_side"),
        mjc.Eyelet("guide", friction=0.1),
        mjc.Anchor("hook"),
      ],
      axial=mjc.Axial(stiffness=2000.0, damping=3.0, pretension=3.0, max_tension=60.0),
      friction=0.15,
      take_up=mjc.LengthCommand(range=(-0.05, 0.1)),
    ),
    mjc.Cable(
      name="spool",
      route=[
        mjc.Anchor("spool"),
        mjc.Wrap("post1", side="post1_side"),
        mjc.Wrap("post2", side="post2_side"),
        mjc.Anchor("cart"),
      ],
      axial=mjc.Axial(stiffness=800.0, damping=2.0, pretension=4.0),
      friction=0.1,
      take_up=mjc.SpoolRate(radius=0.03, range=(-5.0, 5.0)),
    ),
    mjc.Cable(
      name="arm",
      route=[
        mjc.Anchor("arm_base"),
        mjc.Wrap("knuckle", side="knuckle_side"),
        mjc.Anchor("tip"),
      ],
      friction=0.1,
      take_up=mjc.TensionCommand(range=(0.0, 30.0)),
    ),
    mjc.Cable(
      name="drum",
      route=[mjc.Anchor("knot"), mjc.Wrap("barrel", side="barrel_side"), mjc.Anchor("weight")],
      axial=mjc.Axial(stiffness=500.0, damping=2.0, pretension=0.9),
    ),
    mjc.Cable(
      name="lag",
      route=[mjc.Anchor("lag_motor"), mjc.Anchor("hook")],
      axial=mjc.Axial(EA=300.0, damping=1.0),
      take_up=mjc.LengthCommand(range=(0.0, 0.2), lag=0.05, rate_limit=0.5),
    ),
  ]


def commands(step):
  """A repeatable command for every actuator, by name."""
  t = 1e-3 * step
  return {
    "hoist": 0.02 * (1 - np.cos(5 * t)),
    "spool": 2.0 * np.sin(3 * t),
    "arm": 12 + 8 * np.sin(7 * t),
    "lag": 0.03 * (1 - np.cos(2 * t)),
  }


def ctrl_of(model, step):
  ctrl = np.zeros(model.nu)
  for name, value in commands(step).items():
    ctrl[model.actuator_ctrladr[model.actuator(name).id]] = value
  return ctrl


def run(model, data, begin, end, between=None):
  for step in range(begin, end):
    data.ctrl[:] = ctrl_of(model, step)
    if between is not None:
      between(model, data)
    mujoco.mj_step(model, data)


def state_of(model, data, spec=FULL):
  state = np.zeros(mujoco.mj_stateSize(model, spec))
  mujoco.mj_getState(model, data, state, spec)
  return state


def restored(model, state, spec=FULL):
  data = mujoco.MjData(model)
  mujoco.mj_setState(model, data, state, spec)
  return data


def same(model, a, b):
  """Bit-equal integration states and sensors."""
  return np.array_equal(state_of(model, a), state_of(model, b)) and np.array_equal(
    a.sensordata, b.sensordata
  )
