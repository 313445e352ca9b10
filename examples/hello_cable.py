"""Hello, cable: a winch lifts a ball over a sheave. The Python of the README."""

import mujoco

import mujocable as mjc

spec = mujoco.MjSpec.from_string("""
<mujoco><worldbody>
  <site name="motor" pos="-.5 0 0"/> <site name="over" pos="0 0 1.2"/>
  <body pos="0 0 1"> <joint axis="0 1 0"/>
    <geom name="sheave" type="cylinder" size=".1 .02" euler="90 0 0"/> </body>
  <body pos=".1 0 .4"> <freejoint/> <geom size=".05"/> <site name="hook"/> </body>
</worldbody></mujoco>""")
route = [mjc.Anchor("motor"), mjc.Wrap("sheave", side="over"), mjc.Anchor("hook")]
winch = mjc.LengthCommand(range=(0.0, 0.3), lag=0.2)
steel = mjc.Axial(stiffness=2000.0, damping=10.0)
cable = mjc.Cable("hoist", route, steel, friction=0.15, take_up=winch)
mjc.add_cable(spec, cable)
model = spec.compile()
data = mujoco.MjData(model)
hoist = mjc.bind(model, data)["hoist"]  # live view
data.actuator("hoist").ctrl = 0.3  # take in 0.3 m of cable
while data.time < 2.0:
  mujoco.mj_step(model, data)
print(hoist.tension, hoist.wrap_angle, hoist.slack)  # [N] per segment, [rad], [m]
