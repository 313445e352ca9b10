"""Threadings: one cable, six ways to thread it, compared by a sweep.

The flexor of an arm runs through a low or a high eyelet, or none, and over a post or under it. Over
part of the motion the post is not touched: the straight cable is clear of it. The sweep runs the
same command over every threading and says how much of the work arrives.
"""

import mujoco

import mujocable as mjc

SCENE = """
<mujoco>
  <worldbody>
    <site name="motor" pos="-.3 0 .1"/>
    <site name="low" pos="-.1 0 .05"/>
    <site name="high" pos="-.1 0 .2"/>
    <geom name="post" type="cylinder" size=".03 .05" euler="90 0 0" pos="0 0 .1" mass="1"/>
    <site name="over" pos="0 0 .2"/>
    <site name="under" pos="0 0 .02"/>
    <body>
      <joint name="elbow" axis="0 1 0" range="-60 60" limited="true" stiffness="2" damping=".2"/>
      <geom type="capsule" size=".01" fromto="0 0 0 .3 0 0" mass=".3"/>
      <site name="tip" pos=".25 0 0"/>
    </body>
  </worldbody>
</mujoco>
"""
AXES = ("flexor.route[1]=low,high,-", "flexor.side[2]=over,under")


def build(eyelet: str = "low", side: str = "over") -> mujoco.MjSpec:
  """The arm with one threading; "-": without an eyelet."""
  spec = mujoco.MjSpec.from_string(SCENE)
  route = [mjc.Anchor("motor"), mjc.Wrap("post", side=side), mjc.Anchor("tip")]
  if eyelet != "-":
    route.insert(1, mjc.Eyelet(eyelet))
  motor = mjc.LengthCommand(range=(0.0, 0.1))
  mjc.add_cable(
    spec, mjc.Cable("flexor", route, mjc.Axial(EA=2e3, damping=5.0), friction=0.2, take_up=motor)
  )
  return spec


def main() -> dict:
  """All of them: efficiency and engagement by eyelet and side."""
  table = mjc.sweep(build(), AXES, motion="ramp", duration=0.5, fit_motion=False)
  results = {}
  for row in table.rows:
    eyelet, side = (str(row[text.split("=")[0]]) for text in AXES)
    results[eyelet, side] = row["efficiency"], row["engagement"]
    print(
      f"through {eyelet:4s} and {side:5s} the post: {row['efficiency']:4.0%} of the work arrives,"
      f" contacts touched in {row['engagement']:4.0%} of the steps"
    )
  return results


if __name__ == "__main__":
  results = main()
