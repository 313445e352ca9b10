"""Derailing tackle: a 2:1 tackle whose block is pulled aside until the cable leaves a sheave.

Both sheaves have a groove. Its flanges hold the cable up to a fleet angle of acos(r / (r + depth)),
measured where it crosses their edge. Beyond, it climbs out: the status says so in that step, and
the cable runs along the path that is left: slack at first, until the block has fallen into it. A
sheave with a keeper (`permanent`) holds it.
"""

import math

import mujoco
import numpy as np

import mujocable as mjc

RADIUS, DEPTH = 0.05, 0.003  # of the sheaves and of their grooves [m]
HOLDS = math.acos(RADIUS / (RADIUS + DEPTH))  # [rad]
SCENE = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <site name="winch" pos="-1 0 2.05"/>
    <site name="beam" pos=".15 0 2.2"/>
    <site name="over" pos="0 0 2.3"/>
    <geom name="fixed" type="cylinder" size=".05 .02" euler="90 0 0" pos="0 0 2" mass="1"/>
    <body name="block" pos=".1 0 1.3">
      <joint type="slide" axis="1 0 0" damping="5"/>
      <joint name="aside" type="slide" axis="0 1 0" damping="5"/>
      <joint name="lift" type="slide" axis="0 0 1" damping="5"/>
      <geom type="box" size=".05 .05 .05" pos="0 0 -.2" mass="10"/>
      <site name="under" pos="0 0 -.15"/>
      <geom name="moving" type="cylinder" size=".05 .02" euler="90 0 0" mass=".5"/>
    </body>
  </worldbody>
</mujoco>
"""


def build(keeper: bool) -> mujoco.MjSpec:
  """The tackle; with a keeper on the fixed sheave or without."""
  spec = mujoco.MjSpec.from_string(SCENE)
  route = [
    mjc.Anchor("winch"),
    mjc.Wrap("fixed", side="over", groove=DEPTH, permanent=keeper),
    mjc.Wrap("moving", side="under", groove=DEPTH, permanent=True),
    mjc.Anchor("beam"),
  ]
  mjc.add_cable(spec, mjc.Cable("tackle", route, mjc.Axial(EA=1e5, damping=300.0, pretension=51.5)))
  return spec


def step(model: mujoco.MjModel, data: mujoco.MjData, cable: mjc.CableView) -> None:
  """One step: the block is pulled aside, more and more, until the cable has left a sheave."""
  data.joint("aside").qfrc_applied[0] = 0.0 if cable.derailments else 40.0 * data.time
  mujoco.mj_step(model, data)


def run(keeper: bool) -> tuple[float | None, float]:
  """Pulls the block aside: the fleet angle at which it derails [rad], the largest tension [N]."""
  model = build(keeper).compile()
  data = mujoco.MjData(model)
  mjc.hush(model, data)  # MuJoCo would warn of what is shown here
  cable = mjc.bind(model, data)["tackle"]
  fleet, most = 0.0, 0.0
  while data.time < 3.0:
    # after the event it pulls on: the block hangs on what is left of its route
    step(model, data, cable)
    most = max(most, cable.source_tension)
    if not cable.derailments:
      leg = cable.entry[1] - cable.exit[0]
      fleet = math.asin(abs(leg[1]) / np.linalg.norm(leg))
  return fleet if cable.derailments else None, most


def main() -> dict:
  """With and without a keeper."""
  results = {"holds": HOLDS}
  print(f"a groove of {1e3 * DEPTH:.0f} mm holds {math.degrees(HOLDS):.1f} degrees at its edge")
  for keeper in (False, True):
    left, most = results[keeper] = run(keeper)
    word = "never derails" if left is None else f"derails at {math.degrees(left):.1f} degrees"
    print(f"{'with' if keeper else 'without'} a keeper it {word}; tension up to {most:.0f} N")
  return results


if __name__ == "__main__":
  result = main()
