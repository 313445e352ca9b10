"""Attach twice: one finger with its cable, attached to a palm twice with prefixes."""

import mujoco
import numpy as np

import mujocable as mjc

FINGER = """
<mujoco model="finger">
  <default>
    <geom contype="0" conaffinity="0"/>
  </default>
  <worldbody>
    <body name="base">
      <site name="motor" pos="-.05 0 .009"/>
      <geom type="capsule" fromto="-.05 0 0 0 0 0" size=".006"/>
      <body name="link">
        <joint name="knuckle" axis="0 1 0" stiffness=".05" springref="80" damping=".002"/>
        <geom type="capsule" fromto="0 0 0 .05 0 0" size=".006" mass=".02"/>
        <geom name="pulley" type="cylinder" size=".01 .006" euler="90 0 0" mass=".002"/>
        <site name="above" pos="0 0 .02"/>
        <site name="tip" pos=".05 0 .006"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


def finger() -> mujoco.MjSpec:
  """One finger that a spring curls, and the cable over its back that extends it."""
  spec = mujoco.MjSpec.from_string(FINGER)
  extensor = mjc.Cable(
    name="extensor",
    route=[mjc.Anchor("motor"), mjc.Wrap("pulley", side="above"), mjc.Anchor("tip")],
    axial=mjc.Axial(stiffness=5000.0, damping=2.0),
    friction=0.1,
    take_up=mjc.LengthCommand(range=(-0.02, 0.0)),
  )
  mjc.add_cable(spec, extensor)
  return spec


def build() -> mujoco.MjModel:
  """A palm with two fingers; every name gets a prefix, also the names in the routes."""
  palm = mujoco.MjSpec()
  palm.option.gravity = [0, 0, 0]
  for prefix, y in (("index_", -0.02), ("ring_", 0.02)):
    frame = palm.worldbody.add_frame(pos=[0, y, 0])
    palm.attach(finger(), prefix=prefix, frame=frame)
  return palm.compile()


def main() -> dict[str, float]:
  """Pays out cable of the index finger only; returns the angle of each knuckle [rad]."""
  model = build()
  data = mujoco.MjData(model)
  cables = mjc.bind(model, data)
  while data.time < 1.0:
    data.actuator("index_extensor").ctrl = -0.01
    mujoco.mj_step(model, data)
  angles = {}
  for name, cable in cables.items():
    knuckle = name.replace("extensor", "knuckle")
    angles[name] = float(data.joint(knuckle).qpos[0])
    print(f"{name:<15} tension {cable.source_tension:6.3f} N", end=", ")
    print(f"knuckle {np.rad2deg(angles[name]):6.2f} deg")
  return angles


if __name__ == "__main__":
  angles = main()
