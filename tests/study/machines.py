"""Machines with MuJoCo's own tendons, one feature of the manual each; none is measured."""

ARM = """
<mujoco model="arm">
  <compiler autolimits="true"/>
  <option integrator="{integrator}" timestep="0.001"/>
  <worldbody>
    <site name="wall" pos="-.2 0 1.05"/>
    <site name="ceiling" pos="-.2 .1 1.25"/>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" damping=".4" stiffness="4" range="-60 60"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".02" contype="0" conaffinity="0"/>
      <geom name="boss" type="sphere" size=".03" pos=".02 0 .02" contype="0" conaffinity="0"/>
      <geom name="knuckle" type="cylinder" size=".04 .1" pos=".3 0 0" euler="90 0 0"
        contype="0" conaffinity="0"/>
      <site name="over_boss" pos=".02 0 .09"/>
      <site name="over_knuckle" pos=".3 0 .09"/>
      <site name="guide" pos=".1 0 .07"/>
      <body name="lower" pos=".3 0 0">
        <joint name="elbow" axis="0 1 0" damping=".2" stiffness="1" range="-80 80"/>
        <geom type="capsule" fromto="0 0 0 .25 0 0" size=".02" contype="0" conaffinity="0"/>
        <site name="tip" pos=".18 0 .04"/>
        <site name="back" pos=".2 .02 .05"/>
      </body>
    </body>
  </worldbody>
  <tendon>
    {tendon}
  </tendon>
  <actuator>
    {actuator}
  </actuator>
  <sensor>
    {sensor}
  </sensor>
</mujoco>
"""

ROUTE = """
  <site site="wall"/> <geom geom="boss" sidesite="over_boss"/> <site site="guide"/>
  <geom geom="knuckle" sidesite="over_knuckle"/> <site site="tip"/>
"""

# armature takes no geoms
SITES = """
  <site site="wall"/> <site site="guide"/> <site site="tip"/>
"""

BRANCHES = """
  <site site="wall"/> <site site="guide"/>
  <pulley divisor="2"/> <site site="guide"/> <geom geom="knuckle" sidesite="over_knuckle"/>
  <site site="tip"/>
  <pulley divisor="2"/> <site site="ceiling"/> <site site="back"/>
"""


def arm(attributes="", actuator="", route=ROUTE, integrator="Euler", sensor=""):
  """A two-link arm with one tendon 't'."""
  tendon = f'<spatial name="t" {attributes}>{route}</spatial>'
  return ARM.format(tendon=tendon, actuator=actuator, integrator=integrator, sensor=sensor)


# name -> (MJCF, controls that only pull: low, high)
MACHINES = {
  "motor": (arm(actuator='<motor tendon="t" gear="-1" ctrlrange="0 20"/>'), (0, 20)),
  "muscle": (arm(actuator='<muscle tendon="t" force="80"/>'), (0, 1)),
  "position servo": (
    arm(actuator='<position tendon="t" kp="300" ctrlrange="0 .4" forcerange="-60 0"/>'),
    (0.2, 0.4),
  ),
  "general with activation": (
    arm(
      actuator='<general tendon="t" dyntype="filterexact" dynprm=".05" gainprm="-15"'
      ' ctrlrange="0 1" biastype="affine" biasprm="-1 0 0"/>',
      integrator="implicitfast",
    ),
    (0, 1),
  ),
  "pulley branches": (
    arm(actuator='<motor tendon="t" gear="-2" ctrlrange="0 10"/>', route=BRANCHES),
    (0, 10),
  ),
  "one-sided spring": (arm('springlength="0 .3" stiffness="90 10 5"'), (0, 0)),
  "spring and motor": (
    arm(
      'springlength="0 .3" stiffness="60"',
      '<motor tendon="t" gear="-1" ctrlrange="0 20" forcerange="0 15"/>',
      integrator="RK4",
    ),
    (0, 20),
  ),
  "two actuators, force limit": (
    arm(
      'actuatorfrcrange="-25 25"',
      '<muscle tendon="t" force="60"/> <motor tendon="t" gear="-1" ctrlrange="0 1"/>',
    ),
    (0, 1),
  ),
  "armature, limit, frictionloss": (
    arm(
      'armature=".1" range=".2 .75" frictionloss=".5"',
      '<motor tendon="t" gear="-1" ctrlrange="0 20"/>',
      SITES,
      "implicit",
    ),
    (0, 20),
  ),
  "sensors": (
    arm(
      actuator='<motor name="m" tendon="t" gear="-1" ctrlrange="0 20"/>',
      sensor='<tendonpos tendon="t"/> <tendonvel tendon="t"/> <actuatorfrc actuator="m"/>'
      ' <tendonactuatorfrc tendon="t"/>',
    ),
    (0, 20),
  ),
}
