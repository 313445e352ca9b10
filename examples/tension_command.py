"""Tension command: two cables pull an arm against each other, each with a commanded tension.

An antagonistic pair, as in tendon-driven joints: the difference of the tensions turns the arm, not
their sum. A cable cannot push: a negative command is zero, and max_tension is never exceeded.
"""

import mujoco
import numpy as np

import mujocable as mjc

SCENE = """
<mujoco>
  <worldbody>
    <site name="front" pos="-.3 -.04 0"/> <site name="front_side" pos="0 -.06 0"/>
    <site name="back" pos="-.3 .04 0"/>   <site name="back_side" pos="0 .06 0"/>
    <geom name="pulley" type="cylinder" size=".03 .01"/>
    <body name="arm">
      <joint name="elbow" axis="0 0 1" stiffness="2" damping=".1"/>
      <geom type="capsule" fromto=".05 0 0 .3 0 0" size=".01" mass=".2"
            contype="0" conaffinity="0"/>
      <site name="flexor" pos=".1 -.02 0"/> <site name="extensor" pos=".1 .02 0"/>
    </body>
  </worldbody>
</mujoco>
"""


def build() -> mujoco.MjModel:
  """The arm with its two cables over one fixed pulley."""
  spec = mujoco.MjSpec.from_string(SCENE)
  for name, source in (("flexor", "front"), ("extensor", "back")):
    route = [
      mjc.Anchor(source),
      mjc.Wrap("pulley", side=f"{source}_side"),
      mjc.Anchor(name),
    ]
    motor = mjc.TensionCommand(range=(0.0, 40.0), lag=0.02)
    mjc.add_cable(spec, mjc.Cable(name, route, mjc.Axial(max_tension=30.0), take_up=motor))
  return spec.compile()


def main() -> dict:
  """Holds four pairs of commands [N] until the arm rests."""
  model = build()
  results = {}
  print("command [N]      tension [N]      elbow [deg]  torque of the cables [N m]")
  for pair in ((10.0, 10.0), (20.0, 10.0), (30.0, 20.0), (0.0, 100.0)):
    data = mujoco.MjData(model)
    cables = mjc.bind(model, data)
    data.ctrl[:] = pair
    while data.time < 4.0:
      mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    tension = [cables[name].source_tension for name in ("flexor", "extensor")]
    torque = sum(cable.load[0] for cable in cables.values())
    elbow = data.joint("elbow").qpos[0]
    results[pair] = (tension, elbow, torque)
    print(f"{pair[0]:5.0f} {pair[1]:5.0f}    {tension[0]:7.2f} {tension[1]:7.2f}", end="")
    print(f"{np.rad2deg(elbow):17.3f}{torque:17.5f}")
  return results


if __name__ == "__main__":
  results = main()
