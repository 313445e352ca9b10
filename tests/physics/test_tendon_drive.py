"""A cable that carries a tendon's pull: what acts on the bodies is what its tensions say.

Spring and damper of the tendon act in MuJoCo's passive stage, its actuators later; friction spreads
the pull along the cable only once. Judge: the tension of the last segment times its direction.
"""

import mujoco
import numpy as np
import pytest
from oracles import build

import mujocable as mjc

SPRING = 10.0  # [N/m], of a tendon of 1 m


def rig(integrator):
  """A cart of 1 kg on a tendon from the wall, over a hook, with a spring, a damper and
  a motor; the cable takes the same way, and rubs at the hook."""
  spec = build.new_spec(timestep=1e-3, integrator=integrator)
  world = spec.worldbody
  build.site(world, "wall", (-0.5, 0, 0))
  build.site(world, "hook", (0, 0, 0))
  cart = build.body(world, "cart", pos=(0, 0, -0.5))
  cart.add_joint(name="rail", type=build.SLIDE, axis=(0, 0, 1))
  build.site(cart, "tip", (0, 0, 0))
  tendon = spec.add_tendon(name="tendon", damping=[20.0, 0, 0])
  tendon.stiffness, tendon.springlength = [SPRING, 0, 0], [0, 0]
  for name in ("wall", "hook", "tip"):
    tendon.wrap_site(name)
  motor = spec.add_actuator(name="motor", target="tendon", gear=[-1, 0, 0, 0, 0, 0])
  motor.trntype = mujoco.mjtTrn.mjTRN_TENDON
  route = [mjc.Anchor("wall"), mjc.Eyelet("hook"), mjc.Anchor("tip")]
  cable = mjc.Cable("cable", route, friction=0.3, take_up=mjc.TendonDrive("tendon"))
  model, data, views = build.compiled(spec, cable)
  return model, data, views["cable"]


@pytest.mark.parametrize("integrator", ["euler", "implicitfast", "discrete", "rk4"])
def test_spring_motor_and_friction_add_up_to_the_tension(integrator):
  model, data, cable = rig(integrator)
  slid = np.zeros(2)
  for step in range(1500):
    data.ctrl[0] = 8.0 * np.sin(0.01 * step)
    mujoco.mj_step(model, data)
    slid += np.maximum([cable.slip[0], -cable.slip[0]], 0)
    mujoco.mj_forward(model, data)
    acting = data.qfrc_passive[0] + data.qfrc_actuator[0]
    assert np.isclose(acting, cable.tension[1], rtol=1e-9)
  assert slid.min() > 0.01  # both ways


def test_a_motor_that_pushes_as_its_spring_pulls_leaves_nothing():
  model, data, cable = rig("euler")
  for _ in range(200):
    mujoco.mj_step(model, data)
  data.ctrl[0] = -2 * SPRING
  mujoco.mj_forward(model, data)
  assert cable.tension.max() == 0
  assert abs(data.qfrc_passive[0]) > 1  # of the stage before
  assert abs(data.qfrc_passive[0] + data.qfrc_actuator[0]) < 1e-12 * SPRING
