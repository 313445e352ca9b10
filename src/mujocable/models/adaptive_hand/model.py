"""Adaptive hand: its parameters, its fingers around a ball, and one tendon with three branches."""

from dataclasses import dataclass

import mujoco

from mujocable.models.recipe import converted
from mujocable.models.studio import STUDIO

CAMERA = "front"
# one coefficient for all guides; a polymer cord on anodized aluminum is about there
RECIPE = {"friction": 0.1}


@dataclass(frozen=True)
class AdaptiveHand:
  """Parameters. Illustrative numbers of a desk-size gripper; none is measured."""

  fingers: int = 3
  palm_radius: float = 0.045  # of the circle on which the fingers stand [m]
  proximal: float = 0.05  # length of the first link [m]
  distal: float = 0.04  # of the second link [m]
  knuckle: float = 0.014  # radius of the pulley at the first joint [m]
  pulley: float = 0.0065  # at the second joint [m]
  ball: float = 0.026  # radius of what is held [m]
  spring: float = 0.02  # that opens each joint [N m/rad]
  damping: float = 0.004  # of each joint [N m s/rad]
  max_pull: float = 60.0  # of the motor [N]
  timestep: float = 0.001  # [s]


def build(params: AdaptiveHand | None = None) -> mujoco.MjSpec:
  """The hand with cables."""
  return converted(native(params), RECIPE)


def native(params: AdaptiveHand | None = None) -> mujoco.MjSpec:
  """The hand with one native tendon that branches to all fingers."""
  p = params or AdaptiveHand()
  fingers = "".join(_finger(p, k) for k in range(p.fingers))
  branches = "".join(_branch(p, k) for k in range(p.fingers))
  sensors = "".join(f'<touch name="tip_{k}" site="pad_{k}"/>' for k in range(p.fingers))
  return mujoco.MjSpec.from_string(f"""
    <mujoco model="adaptive_hand">
      {STUDIO} <statistic meansize="0.12"/>
      <option timestep="{p.timestep}" integrator="implicitfast" gravity="0 0 0"/>
      <default>
        <joint axis="0 -1 0" range="0 95" stiffness="{p.spring}" damping="{p.damping}"/>
        <geom contype="0" conaffinity="0" density="1200" rgba=".75 .77 .8 1"/>
        <site size=".002"/>
        <default class="pulley">
          <geom type="cylinder" size="{p.pulley} .006" euler="90 0 0" rgba=".35 .38 .42 1"/>
        </default>
      </default>
      <worldbody>
        <light pos="-.3 -1 2" dir=".2 .5 -1" directional="true" diffuse=".45 .45 .45"/>
        <camera name="front" pos="0 -.26 .12" xyaxes="1 0 0 0 .35 1"/>
        <geom type="cylinder" size="{1.3 * p.palm_radius} .012" pos="0 0 -.03"/>
        <geom name="ball" size="{p.ball}" pos="0 0 {0.9 * p.proximal + p.distal / 2}"
          conaffinity="1" rgba=".9 .6 .2 1"/>
        <site name="motor" pos="0 0 -.08"/>
        <site name="yoke" pos="0 0 -.02"/>
        {fingers}
      </worldbody>
      <tendon>
        <spatial name="flexor" width=".0025">
          <site site="motor"/> <site site="yoke"/> {branches}
        </spatial>
      </tendon>
      <actuator>
        <general name="close" tendon="flexor" gainprm="-1" ctrlrange="0 {p.max_pull}"/>
      </actuator>
      <sensor>{sensors}</sensor>
    </mujoco>""")


def _finger(p: AdaptiveHand, k: int) -> str:
  # stands up, its inner side toward -x of its own frame
  turn, near, far = 360 * k / p.fingers, -0.4 * p.knuckle, -0.4 * p.pulley
  return f"""
    <body name="base_{k}" euler="0 0 {turn}">
      <site name="foot_{k}" pos="{p.palm_radius + near} 0 -.02"/>
      <site name="inner_{k}" pos="{p.palm_radius - 2 * p.knuckle} 0 0"/>
      <geom name="knuckle_{k}" class="pulley" size="{p.knuckle} .006"
        pos="{p.palm_radius} 0 0"/>
      <body name="proximal_{k}" pos="{p.palm_radius} 0 0">
        <joint name="knuckle_{k}"/>
        <geom type="capsule" fromto="0 0 0 0 0 {p.proximal}" size=".006"/>
        <site name="middle_{k}" pos="{far} 0 {p.proximal / 2}"/>
        <geom name="pulley_{k}" class="pulley" pos="0 0 {p.proximal}"/>
        <site name="inside_{k}" pos="{-2 * p.pulley} 0 {p.proximal}"/>
        <body name="distal_{k}" pos="0 0 {p.proximal}">
          <joint name="middle_{k}"/>
          <geom type="capsule" fromto="0 0 0 0 0 {p.distal}" size=".006"/>
          <geom name="pad_{k}" size=".009" pos="0 0 {p.distal}" contype="1" condim="3"
            friction="1" solref=".003 1" solimp=".99 .999 .0005" rgba=".3 .55 .75 1"/>
          <site name="pad_{k}" size=".011" pos="0 0 {p.distal}" rgba="0 0 0 0"/>
          <site name="end_{k}" pos="{far} 0 {0.6 * p.distal}"/>
        </body>
      </body>
    </body>"""


def _branch(p: AdaptiveHand, k: int) -> str:
  return f"""
    <pulley divisor="{p.fingers}"/>
    <site site="yoke"/> <site site="foot_{k}"/>
    <geom geom="knuckle_{k}" sidesite="inner_{k}"/> <site site="middle_{k}"/>
    <geom geom="pulley_{k}" sidesite="inside_{k}"/> <site site="end_{k}"/>"""
