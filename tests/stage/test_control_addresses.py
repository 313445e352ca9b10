"""Where a command is in `ctrl`, behind an actuator that has two of its own."""

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.runtime.controls import control_names

SCENE = """
<mujoco><worldbody>
  <site name="wall" pos="0 0 0"/>
  <body pos="1 0 0"> <joint name="slide" type="slide" axis="1 0 0" damping="10"/>
    <geom size=".05"/> <site name="hook"/> </body>
  <body pos="0 1 0"> <joint name="elbow" axis="0 1 0"/> <geom size=".05"/> </body>
</worldbody>
<actuator> <pid name="servo" joint="elbow"/> </actuator></mujoco>"""


@pytest.fixture
def model():
  spec = mujoco.MjSpec.from_string(SCENE)
  route = [mjc.Anchor("wall"), mjc.Anchor("hook")]
  take_up = mjc.TensionCommand(range=(0.0, 50.0))
  mjc.add_cable(spec, mjc.Cable("pull", route, take_up=take_up))
  mjc.add_cable(spec, mjc.Cable("tie", route, mjc.Axial(stiffness=1.0)))
  return spec.compile()


def test_the_command_of_a_view_pulls_its_cable(model):
  data = mujoco.MjData(model)
  cables = mjc.bind(model, data)
  pull = cables["pull"]
  assert model.actuator_ctrlnum[0] == 2 and pull.command != pull.actuator
  data.ctrl[pull.command] = 30.0
  mujoco.mj_forward(model, data)
  assert pull.source_tension == pytest.approx(30.0, rel=1e-12)
  assert cables["tie"].command is None


def test_every_control_has_the_name_of_its_actuator(model):
  names = control_names(model)
  assert names == ["servo[0]", "servo[1]", "pull"]
  data = mujoco.MjData(model)
  assert names[mjc.bind(model, data)["pull"].command] == "pull"
  assert len(names) == data.ctrl.size == np.sum(model.actuator_ctrlnum)
