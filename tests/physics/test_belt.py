"""A belt that a drum drives: it creeps by the difference of its strains, and that is its heat."""

import mujoco
import numpy as np
import pytest

import mujocable as mjc

EA, DAMPING, RADIUS, MASS = 1000.0, 0.5, 0.1, {"a": 1.0, "b": 1.8}


def belt(friction, timestep):
  """Two weights over a drum that a motor turns."""
  spec = mujoco.MjSpec.from_string(f"""<mujoco>
    <option timestep="{timestep}" integrator="implicitfast"/><worldbody>
      <site name="top" pos="0 0 .15"/>
      <body><joint name="drum" axis="0 1 0" armature="10"/>
        <geom name="drum" type="cylinder" size="{RADIUS} .05" euler="90 0 0"/></body>
      <body pos="{-RADIUS} 0 -4"><joint type="slide" axis="0 0 1" damping="2"/>
        <geom size=".01" mass="{MASS["a"]}"/><site name="a"/></body>
      <body pos="{RADIUS} 0 -4"><joint type="slide" axis="0 0 1" damping="2"/>
        <geom size=".01" mass="{MASS["b"]}"/><site name="b"/></body>
    </worldbody><actuator><velocity joint="drum" kv="1e6"/></actuator></mujoco>""")
  route = [mjc.Anchor("a"), mjc.Wrap("drum", side="top"), mjc.Anchor("b")]
  mjc.add_cable(
    spec, mjc.Cable("belt", route, mjc.Axial(EA=EA, damping=DAMPING), friction=friction)
  )
  model = spec.compile()
  data = mujoco.MjData(model)
  return model, data, mjc.bind(model, data)["belt"]


@pytest.mark.parametrize("friction", [0.3, 1.0])
@pytest.mark.parametrize("timestep", [1e-3, 2.5e-4])
@pytest.mark.parametrize("rate", [1.0, 3.0, -2.0])
def test_heat_of_a_creeping_belt(friction, timestep, rate):
  """Strains differ along the arc by that much in the end, and the belt slides by it."""
  model, data, view = belt(friction, timestep)
  for _ in range(round(2 / timestep)):
    mujoco.mj_step(model, data)
  data.ctrl[:] = rate
  for _ in range(round(4 / timestep)):  # the weights come to rest on the belt
    mujoco.mj_step(model, data)
  steps, heat, viscous, tensions = round(0.7 / timestep), 0.0, 0.0, np.zeros(2)
  for _ in range(steps):
    mujoco.mj_step(model, data)
    heat += view.dissipation[0] / steps
    tensions += view.tension / steps
    # both strands are strained evenly while they become longer and shorter
    stretching = view.tension / EA * data.qvel[1:]
    viscous += DAMPING * (stretching**2 @ (view.length / (4 - data.qpos[1:]))) / steps
  one, two = tensions
  assert abs(two - one) > 5
  creep = abs(rate) * RADIUS * (two - one) ** 2 / (2 * EA)
  # to the order of the strain, at most 0.02; damping takes a part on the arc too, little of it
  assert heat + viscous == pytest.approx(creep, rel=0.03)
