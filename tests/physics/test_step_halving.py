"""Trajectories converge at the integrator's order as the step is halved (smooth, taut motion).

Judge: Richardson: successive differences shrink by 2 (semi-implicit Euler, implicitfast) or 16
(RK4); a cable force of lower order, or memory that lags a step, would show here.
"""

import mujoco
import numpy as np
import pytest
from oracles import build

import mujocable as mjc


def swing(timestep, integrator, friction):
  """A taut elastic cable over a post and through a guide; the payload swings, never slack."""
  spec = build.new_spec(timestep=timestep, integrator=integrator)
  build.site(spec.worldbody, "motor", (-0.4, 0, 0.2))
  build.cylinder(spec.worldbody, "post", (0, 0, 0.2), 0.06, axis=(0, 1, 0), half_length=0.2)
  build.site(spec.worldbody, "top", (0, 0, 0.5))
  payload = build.body(spec.worldbody, "payload", pos=(0.3, 0, -0.3), mass=0.4)
  payload.add_joint(name="x", type=build.SLIDE, axis=(1, 0, 0), damping=0.05)
  payload.add_joint(name="z", type=build.SLIDE, axis=(0, 0, 1), damping=0.05)
  build.site(payload, "hook", (0, 0, 0))
  cable = mjc.Cable(
    name="cable",
    route=[mjc.Anchor("motor"), mjc.Wrap("post", side="top"), mjc.Anchor("hook")],
    axial=mjc.Axial(stiffness=60.0, damping=1.0, transition=1e-4, pretension=4.0),
    friction=mjc.Sliding(friction, slip_speed=0.5),
    take_up=mjc.LengthCommand(range=(0.0, 0.2)),
  )
  model, data, _ = build.compiled(spec, cable)
  data.ctrl[0] = 0.03
  for _ in range(round(1.0 / timestep)):
    mujoco.mj_step(model, data)
  return np.concatenate([data.qpos, data.qvel])


@pytest.mark.parametrize("friction", [0.0, 0.2])
@pytest.mark.parametrize(
  ("integrator", "order", "coarse"),
  [("euler", 1, 2e-3), ("implicitfast", 1, 2e-3), ("rk4", 4, 2e-2)],
)
def test_halving_the_step_converges_at_the_integrators_order(integrator, order, coarse, friction):
  ends = [swing(coarse / 2**k, integrator, friction) for k in range(4)]
  steps = [np.linalg.norm(ends[k + 1] - ends[k]) for k in range(3)]
  rates = [np.log2(steps[k] / steps[k + 1]) for k in range(2)]
  print(integrator, friction, steps, rates)
  assert min(rates) > order - 0.3
