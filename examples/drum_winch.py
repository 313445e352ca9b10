"""Drum winch: the cable's end is clamped to a drum that turns, winds five turns and unwinds.

The drum is a Wrap with an Anchor on it: windings, length and the torque on the drum follow from the
route, and no take-up is needed. MuJoCo's own tendons are exact up to half a turn only.
"""

import mujoco
import numpy as np

import mujocable as mjc

SCENE = """
<mujoco>
  <option timestep="0.001" integrator="implicitfast"/>
  <worldbody>
    <site name="top" pos="0 0 .1"/>
    <body name="drum">
      <joint name="drum" axis="0 1 0" armature=".01"/>
      <geom name="drum" type="cylinder" size=".06 .05" euler="90 0 0" mass="2"/>
      <site name="clamp" pos="-.06 0 0"/>
    </body>
    <body name="payload" pos=".06 0 -2.2">
      <joint name="lift" type="slide" axis="0 0 1"/>
      <geom type="sphere" size=".08" mass="3"/>
      <site name="hook"/>
    </body>
  </worldbody>
  <actuator>
    <velocity name="motor" joint="drum" kv="20"/>
  </actuator>
</mujoco>
"""
RADIUS, MASS = 0.06, 3.0


def build() -> mujoco.MjModel:
  """A drum about y; turning by negative angles winds the cable on."""
  spec = mujoco.MjSpec.from_string(SCENE)
  cable = mjc.Cable(
    name="rope",
    route=[mjc.Anchor("clamp"), mjc.Wrap("drum", side="top"), mjc.Anchor("hook")],
    axial=mjc.Axial(stiffness=20000.0, damping=200.0, pretension=MASS * 9.81),
  )
  mjc.add_cable(spec, cable)
  return spec.compile()


def main() -> list[tuple[float, ...]]:
  """Five turns up, five turns down; returns (turns, wrap angle, length, tension, torque) rows."""
  model = build()
  data = mujoco.MjData(model)
  rope = mjc.bind(model, data)["rope"]
  rows = []
  print("  time [s]  turns  wrapped [deg]  length [m]  tension [N]  torque on drum [N m]")
  while data.time < 12.0:
    if round(data.time / model.opt.timestep) % 1000 == 0:
      mujoco.mj_forward(model, data)
      turns, wrapped = -data.joint("drum").qpos[0] / (2 * np.pi), rope.wrap_angle[0]
      row = (turns, wrapped, rope.length, rope.source_tension, rope.load[0])
      rows.append(row)
      print(f"{data.time:10.1f}{turns:7.2f}{np.rad2deg(wrapped):15.1f}", end="")
      print(f"{row[2]:12.4f}{row[3]:13.2f}{row[4]:22.4f}")
    # about 0.9 turns per second, up and then down, with gentle turns
    speed = 2 * np.pi * 0.9 * np.clip((6.0 - data.time) / 0.5, -1, 1) * min(1, data.time / 0.5)
    data.ctrl[0] = -speed
    mujoco.mj_step(model, data)
  return rows


if __name__ == "__main__":
  rows = main()
