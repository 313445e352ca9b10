"""A frictionless cable pulled with a given tension moves a robot exactly as a native tendon does.

Judge: a native spatial tendon with a motor of the same force. 5 s of a swinging two-link arm.
Tolerance 1e-9 m/rad (theory section 9): the arm is not chaotic over 5 s (joint damping), so
round-off differences stay small.
"""

import mujoco
import numpy as np
import pytest
from oracles import build

import mujocable as mjc


def arm(integrator):
  spec = build.new_spec(timestep=1e-3, integrator=integrator)
  world = spec.worldbody
  upper = build.body(world, "upper", pos=(0, 0, 1), mass=0.6, inertia=4e-3, com=(0.15, 0.01, 0))
  upper.add_joint(name="shoulder", type=build.HINGE, axis=(0, 1, 0), damping=0.25, stiffness=8)
  lower = build.body(upper, "lower", pos=(0.3, 0, 0), mass=0.4, inertia=2e-3, com=(0.12, 0, 0.01))
  lower.add_joint(name="elbow", type=build.HINGE, axis=(0, 1, 0.1), damping=0.1, stiffness=2)
  build.site(world, "start", (-0.15, 0, 1.02))
  build.site(upper, "guide", (0.1, 0.01, 0.06))
  build.site(lower, "end", (0.18, 0, 0.03))
  build.cylinder(upper, "knuckle", (0.3, 0, 0), 0.04, axis=(0, 1, 0), half_length=0.2)
  build.sphere(world, "boss", (-0.05, 0.005, 0.99), 0.03)
  build.site(upper, "knuckle_side", (0.3, 0, 0.08))
  build.site(world, "boss_side", (-0.05, 0.005, 1.08))
  return spec


def native(spec):
  tendon = spec.add_tendon(name="cable")
  tendon.wrap_site("start")
  tendon.wrap_geom("boss", "boss_side")
  tendon.wrap_site("guide")
  tendon.wrap_geom("knuckle", "knuckle_side")
  tendon.wrap_site("end")
  motor = spec.add_actuator(name="cable", target="cable")
  motor.trntype = mujoco.mjtTrn.mjTRN_TENDON
  motor.gear = [-1, 0, 0, 0, 0, 0]
  return spec.compile()


def ours(spec):
  mjc.add_cable(
    spec,
    mjc.Cable(
      name="cable",
      route=[
        mjc.Anchor("start"),
        mjc.Wrap("boss", side="boss_side"),
        mjc.Eyelet("guide"),
        mjc.Wrap("knuckle", side="knuckle_side"),
        mjc.Anchor("end"),
      ],
      axial=mjc.Axial(max_tension=100.0),
      take_up=mjc.TensionCommand(range=(0.0, 50.0)),
    ),
  )
  return spec.compile()


@pytest.mark.parametrize("integrator", ["euler", "implicitfast", "rk4"])
def test_five_seconds_follow_the_native_motor(integrator):
  models = [native(arm(integrator)), ours(arm(integrator))]
  datas = [mujoco.MjData(model) for model in models]
  view = mjc.bind(models[1], datas[1])["cable"]
  touching = []
  for step in range(5000):
    force = 9.0 + 8.0 * np.sin(2 * np.pi * step / 800)
    for model, data in zip(models, datas, strict=True):
      data.ctrl[0] = force
      mujoco.mj_step(model, data)
    assert np.abs(datas[0].qpos - datas[1].qpos).max() < 1e-9, step
    for model, data in zip(models, datas, strict=True):
      mujoco.mj_forward(model, data)  # RK4 leaves ten_length at its last stage
    assert view.length == pytest.approx(datas[0].ten_length[0], rel=1e-9)
    assert view.source_tension == pytest.approx(force, rel=1e-12)
    touching.append(np.asarray(view.touching, bool).copy())
  touching = np.array(touching)
  # contacts come and go on the way
  assert touching.any() and not touching.all()
