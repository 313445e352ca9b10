"""Capstan: a rope around a fixed bollard holds a large load with a small force.

Friction holds the load at any pull between load * exp(-mu phi) and load * exp(mu phi). Pull harder
and harder until the rope slides in: that hauls the load. Ease the tail until it slides out: that is
the least pull which holds it. A little above that the load hangs still for as long as you like.
"""

import mujoco
import numpy as np

import mujocable as mjc

SCENE = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <geom name="bollard" type="cylinder" size=".1 .3" euler="90 0 0"/>
    <site name="above" pos="0 0 .2"/>
    <site name="tail" pos="-.1 -.1 -.8"/>
    <body name="load" pos=".1 .1 -.5">
      <joint name="lift" type="slide" axis="0 0 1" damping="100"/>
      <geom type="box" size=".05 .05 .05" mass="5"/>
      <site name="hook"/>
    </body>
  </worldbody>
</mujoco>
"""
FRICTION, WEIGHT = 0.2, 5 * 9.81
RATE = 0.001  # by which the pull changes in a step, relative


def build(turns: int) -> mujoco.MjModel:
  """The rope from the tail over the bollard, with so many full turns, to the load."""
  spec = mujoco.MjSpec.from_string(SCENE)
  rope = mjc.Cable(
    name="rope",
    route=[mjc.Anchor("tail"), mjc.Wrap("bollard", side="above", turns=turns), mjc.Anchor("hook")],
    axial=mjc.Axial(EA=2e4),
    friction=FRICTION,
    take_up=mjc.TensionCommand(range=(0.0, 1e5)),
  )
  mjc.add_cable(spec, rope)
  return spec.compile()


def until_it_slides(model: mujoco.MjModel, rate: float) -> tuple[mujoco.MjData, float]:
  """Changes the pull, from the load's weight on, until the whole contact slides; that pull [N]."""
  data = mujoco.MjData(model)
  rope, pull = mjc.bind(model, data)["rope"], WEIGHT
  while True:
    data.ctrl[0] = pull
    mujoco.mj_step(model, data)
    if not rope.stuck[0]:
      return data, pull
    pull *= 1 + rate


def main() -> list[tuple[int, float, float, float, float]]:
  """Hauls, eases and holds with up to three turns; returns the rows of the table."""
  rows = []
  print(f"a load of {WEIGHT:.2f} N, friction {FRICTION:g}\n")
  print(
    "turns  wrapped [deg]   hauled at [N]   exp law   slips at [N]   exp law   moved in 5 s [m]"
  )
  for turns in range(4):
    model = build(turns)
    data, hauls = until_it_slides(model, RATE)
    angle = float(mjc.bind(model, data)["rope"].wrap_angle[0])
    _, slips = until_it_slides(model, -RATE)
    # ease it to a little more than that, and wait
    data = mujoco.MjData(model)
    pull = WEIGHT
    while data.time < 10.0:
      data.ctrl[0] = pull = max(1.1 * slips, pull * (1 - RATE))
      mujoco.mj_step(model, data)
      if data.time < 5.0:
        height = float(data.joint("lift").qpos[0])
    moved = abs(float(data.joint("lift").qpos[0]) - height)
    rows.append((turns, angle, hauls, slips, moved))
    most = np.exp(FRICTION * angle)
    print(f"{turns:5}{np.rad2deg(angle):15.1f}{hauls:16.1f}{WEIGHT * most:10.1f}", end="")
    print(f"{slips:15.3f}{WEIGHT / most:10.3f}{moved:19.0e}")
  return rows


if __name__ == "__main__":
  rows = main()
