"""Soft foot: heel and forefoot hinged at the top of an arch, and a plantar rope to the toe tip."""

from dataclasses import dataclass

import mujoco

from mujocable.models.recipe import converted
from mujocable.models.studio import STUDIO

CAMERA = "front"
# the plantar rope acts by its limit alone
RECIPE = {"friction": 0.1, "limits": "auto"}

_TOES = 3  # links


@dataclass(frozen=True)
class SoftFoot:
  """Parameters. Illustrative numbers of an adult's foot; none is measured."""

  heel: float = 0.09  # from below the top of the arch back to the heel [m]
  ball: float = 0.11  # from there forward to the ball of the foot [m]
  arch: float = 0.06  # height of the top of the arch above the soles [m]
  toe: float = 0.022  # length of one link of the toes [m]
  sole: float = 0.012  # radius of heel and ball [m]
  toe_joint: float = 0.007  # radius that the rope runs over between the toes' links [m]
  load: float = 400.0  # of the leg's motor, down [N]
  stretch: float = 0.003  # of cut: the rope is this much longer than its path at the start [m]
  spring: float = 4.0  # of the toes [N m/rad]
  timestep: float = 0.0005  # [s]


def build(params: SoftFoot | None = None) -> mujoco.MjSpec:
  """The foot with its rope as a cable."""
  return converted(native(params), RECIPE)


def native(params: SoftFoot | None = None) -> mujoco.MjSpec:
  """The foot with native tendons: forward is +x."""
  p = params or SoftFoot()
  links, ends, path = "", "", ""
  for k in range(_TOES):
    links += f"""
      <body name="toe_{k}" pos="{p.ball if k == 0 else p.toe} 0 {-p.arch if k == 0 else 0}">
        <joint name="toe_{k}" range="-30 60" stiffness="{p.spring}" damping=".2" axis="0 -1 0"/>
        <geom name="joint_{k}" type="cylinder" size="{p.sole if k == 0 else p.toe_joint} .01"
          euler="90 0 0" contype="0" conaffinity="0" mass=".01"/>
        <site name="below_{k}" pos="0 0 {-2 * p.sole}"/>
        <geom type="capsule" fromto="0 0 0 {p.toe} 0 0" size="{0.7 * p.sole}" mass=".02"/>
        <site name="toe_{k}" pos="{0.6 * p.toe} 0 {-0.8 * p.sole}"/>"""
    ends += "</body>"
    path += f'<geom geom="joint_{k}" sidesite="below_{k}"/> <site site="toe_{k}"/>'
  spec = mujoco.MjSpec.from_string(f"""
    <mujoco model="soft_foot">
      {STUDIO} <statistic meansize="0.2"/>
      <option timestep="{p.timestep}" integrator="implicitfast"/>
      <default>
        <geom condim="1" rgba=".9 .86 .78 1" friction=".1"/>
        <site size=".003"/>
      </default>
      <worldbody>
        <light pos="-.3 -1 2" dir=".2 .5 -1" directional="true" diffuse=".45 .45 .45"/>
        <camera name="front" pos=".03 -.36 .05" xyaxes="1 0 0 0 .08 1"/>
        <geom name="floor" type="plane" size="1 1 .1" rgba=".8 .82 .84 1"/>
        <body name="arch" pos="0 0 {p.arch + p.sole}">
          <joint name="height" type="slide" axis="0 0 1" damping="20"/>
          <geom type="capsule" fromto="0 0 0 0 0 .2" size=".015" mass="2" contype="0"
            conaffinity="0"/>
          <body name="rear">
            <joint name="rear" axis="0 1 0" damping="1" range="-25 25"/>
            <geom type="capsule" fromto="0 0 0 {-p.heel} 0 {-p.arch}" size=".01" mass=".2"
              contype="0" conaffinity="0"/>
            <geom name="heel" size="{p.sole}" pos="{-p.heel} 0 {-p.arch}" mass=".1"/>
            <site name="heel" pos="{-p.heel} 0 {-p.arch - 0.5 * p.sole}"/>
          </body>
          <body name="front">
            <joint name="front" axis="0 1 0" damping="1" range="-25 25"/>
            <geom type="capsule" fromto="0 0 0 {p.ball} 0 {-p.arch}" size=".01" mass=".2"
              contype="0" conaffinity="0"/>
            <geom name="ball" size="{p.sole}" pos="{p.ball} 0 {-p.arch}" mass=".05"/>
            {links}{ends}
          </body>
        </body>
      </worldbody>
      <tendon>
        <spatial name="plantar" width=".005" solreflimit=".003 1" solimplimit=".95 .99 .001">
          <site site="heel"/> {path}
        </spatial>
      </tendon>
      <actuator>
        <motor name="leg" joint="height" gear="-1" ctrlrange="0 {p.load}"/>
        <position name="toes" joint="toe_0" kp="{10 * p.spring}" ctrlrange="0 .7"/>
      </actuator>
    </mujoco>""")
  rope = float(spec.compile().tendon_length0[0]) + p.stretch
  spec.tendon("plantar").range = [0.0, rope]
  spec.tendon("plantar").limited = mujoco.mjtLimited.mjLIMITED_TRUE
  return spec
