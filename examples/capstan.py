"""Capstan: three turns around a fixed bollard hold a large load with a small force.

The tail of the rope is on an arm that walks around the bollard; every turn is counted. While the
rope is hauled in (`forward`) friction eats the pull: the load gets tail * exp(-mu phi). While it is
held or eased out (`reverse`) friction helps: the tail carries load * exp(-mu phi) only.
"""

import mujoco
import numpy as np

import mujocable as mjc

SCENE = """
<mujoco>
  <option gravity="0 0 0"/>
  <worldbody>
    <geom name="bollard" type="cylinder" size=".1 .3"/>
    <body name="walker">
      <joint name="walk" axis="0 0 1" damping="1"/>
      <geom type="sphere" size=".05" pos="-.8 .1 .1" mass="1"/>
      <site name="tail" pos="-.8 .1 .1"/>
    </body>
    <body name="boat" pos="2 .1 -.1">
      <joint name="drift" type="slide" axis="1 0 0" damping="500"/>
      <geom type="box" size=".3 .2 .1" mass="1000"/>
      <site name="bow" pos="-.3 0 0"/>
    </body>
    <site name="near" pos="0 .2 0"/>
  </worldbody>
</mujoco>
"""
FRICTION, PULL = 0.2, 50.0


def build(direction: str) -> mujoco.MjModel:
  """The rope from the tail around the bollard to the boat; the tail's pull is commanded."""
  spec = mujoco.MjSpec.from_string(SCENE)
  rope = mjc.Cable(
    name="rope",
    route=[mjc.Anchor("tail"), mjc.Wrap("bollard", side="near"), mjc.Anchor("bow")],
    friction=FRICTION,
    friction_mode=direction,
    take_up=mjc.TensionCommand(range=(0.0, 1000.0)),
  )
  mjc.add_cable(spec, rope)
  return spec.compile()


def main() -> list[tuple[str, float, float, float]]:
  """Walks around three times in both directions of friction; returns the rows of the table."""
  rows = []
  print(f"tail pulled with {PULL:g} N, friction {FRICTION:g}\n")
  print("friction   turns  wrapped [deg]   at the boat [N]   exp law [N]")
  for direction, sign in (("forward", -1), ("reverse", 1)):
    model = build(direction)
    data = mujoco.MjData(model)
    rope = mjc.bind(model, data)["rope"]
    for turns in range(4):
      data.joint("walk").qpos = 2 * np.pi * turns
      data.ctrl[0] = PULL
      mujoco.mj_forward(model, data)
      wrapped, boat = float(rope.wrap_angle[0]), float(rope.tension[-1])
      law = PULL * np.exp(sign * FRICTION * wrapped)
      rows.append((direction, wrapped, boat, law))
      print(f"{direction:<11}{turns:3}{np.rad2deg(wrapped):16.1f}{boat:17.3f}{law:15.3f}")
  return rows


if __name__ == "__main__":
  rows = main()
