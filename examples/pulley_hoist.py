"""Pulley hoist: a 2:1 tackle, with sheaves that turn and with sheaves that are seized.

The cable runs from the winch over a fixed sheave, under the sheave of a moving block, and up to the
beam. Two parts carry the load. Friction acts where cable and sheave slip: hardly on a sheave that
turns, fully on one that does not, and then the pull to lift is larger than the pull to lower.
"""

import mujoco

import mujocable as mjc

SCENE = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <site name="winch" pos="-1 0 0"/>
    <site name="beam" pos=".2 0 2.2"/>
    <site name="over" pos="0 0 2.3"/>
    <body name="fixed" pos="0 0 2">
      {axle}
      <geom name="fixed" type="cylinder" size=".1 .02" euler="90 0 0" mass="1"/>
    </body>
    <body name="block" pos=".15 0 1">
      <joint name="lift" type="slide" axis="0 0 1"/>
      <geom type="box" size=".05 .05 .05" pos="0 0 -.2" mass="10"/>
      <site name="under" pos="0 0 -.15"/>
      <body name="moving">
        {axle}
        <geom name="moving" type="cylinder" size=".05 .02" euler="90 0 0" mass=".5"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
WEIGHT = 10.5 * 9.81  # of the block with its sheave [N]
SPEED = 0.2  # of the winch [m/s]


def build(turning: bool) -> mujoco.MjModel:
  """The tackle; without `turning` both sheaves are seized."""
  axle = '<joint axis="0 1 0" frictionloss=".01"/>' if turning else ""
  spec = mujoco.MjSpec.from_string(SCENE.format(axle=axle))
  cable = mjc.Cable(
    name="tackle",
    route=[
      mjc.Anchor("winch"),
      mjc.Wrap("fixed", side="over"),
      mjc.Wrap("moving", side="under"),
      mjc.Anchor("beam"),
    ],
    axial=mjc.Axial(EA=1e5, damping=300.0, pretension=WEIGHT / 2),
    friction=0.15,
    take_up=mjc.SpoolRate(radius=0.1, range=(-10.0, 10.0)),
  )
  mjc.add_cable(spec, cable)
  return spec.compile()


def run(model: mujoco.MjModel, speed: float) -> tuple[list[float], float]:
  """Winds at a speed [m/s] for two seconds: mean tension of each segment [N], rise [m]."""
  data = mujoco.MjData(model)
  cable = mjc.bind(model, data)["tackle"]
  total, count = 0.0, 0
  while data.time < 2.0:
    data.ctrl[0] = speed / 0.1 * min(1.0, data.time / 0.5)  # spool rate [rad/s], gentle start
    mujoco.mj_step(model, data)
    if data.time > 1.0:
      total, count = total + cable.tension, count + 1
  return list(total / count), float(data.joint("lift").qpos[0])


def main() -> dict:
  """Lifts and lowers with both kinds of sheaves."""
  results = {}
  print(f"the block weighs {WEIGHT:.1f} N; the winch runs at {SPEED} m/s\n")
  print("sheaves   motion   winch [N]  middle [N]  beam [N]   rise [m]")
  for sheaves in ("turning", "seized"):
    model = build(sheaves == "turning")
    for motion, speed in (("lift", SPEED), ("lower", -SPEED)):
      tension, rise = results[sheaves, motion] = run(model, speed)
      numbers = "".join(f"{t:11.2f}" for t in tension)
      print(f"{sheaves:<9} {motion:<6}{numbers}{rise:11.3f}")
  return results


if __name__ == "__main__":
  results = main()
