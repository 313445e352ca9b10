"""Tendon finger: knuckle, middle joint and a coupled last joint, flexed by one native tendon."""

from dataclasses import dataclass

import mujoco

from mujocable.models.recipe import converted
from mujocable.models.studio import STUDIO

CAMERA = "front"
RECIPE = {"friction": 0.1}


@dataclass(frozen=True)
class TendonFinger:
  """Parameters. Lengths of a large hand, forces chosen; none is measured."""

  bones: tuple[float, float, float] = (0.045, 0.028, 0.022)  # lengths [m]
  pulleys: tuple[float, float, float] = (0.011, 0.008, 0.006)  # radii at the joints [m]
  coupling: float = 0.7  # of the last joint to the one before
  spring: float = 25.0  # of the extensor [N/m]
  damping: float = 0.003  # of each joint [N m s/rad]
  armature: float = 1e-5  # of each joint [kg m2]
  plate: float = 0.04  # depth of the plate below the finger [m]
  max_pull: float = 20.0  # of the motor [N]
  timestep: float = 0.001  # [s]


def build(params: TendonFinger | None = None) -> mujoco.MjSpec:
  """The finger with cables."""
  return converted(native(params), RECIPE)


def native(params: TendonFinger | None = None) -> mujoco.MjSpec:
  """The finger with native tendons: along x, the palm below."""
  p = params or TendonFinger()
  r1, b1 = p.pulleys[0], p.bones[0]
  return mujoco.MjSpec.from_string(f"""
    <mujoco model="tendon_finger">
      {STUDIO} <statistic meansize="0.1"/>
      <option timestep="{p.timestep}" integrator="implicitfast" gravity="0 0 0"/>
      <default>
        <joint axis="0 1 0" range="0 90" damping="{p.damping}" armature="{p.armature}"
          solreflimit=".004 1" solimplimit=".99 .999 .001"/>
        <geom contype="0" conaffinity="0" density="1200" rgba=".75 .77 .8 1"/>
        <site size=".0015"/>
        <default class="pulley">
          <geom type="cylinder" size=".01 .005" euler="90 0 0" rgba=".35 .38 .42 1"/>
        </default>
      </default>
      <worldbody>
        <light pos="-.3 -1 2" dir=".2 .5 -1" directional="true" diffuse=".45 .45 .45"/>
        <camera name="front" pos=".03 -.17 -.005" xyaxes="1 0 0 0 0 1"/>
        <geom type="box" size=".02 .012 .008" pos="-.035 0 0"/>
        <geom name="plate" type="box" size=".05 .03 .004" pos="{b1} 0 {-p.plate - 0.004}"
          conaffinity="1" rgba=".9 .6 .2 1"/>
        <site name="motor" pos="-.05 0 {-0.4 * r1}"/>
        <site name="wrist" pos="-.02 0 {-0.4 * r1}"/>
        <site name="back" pos="-.05 0 {1.2 * r1}"/>
        {_bones(p)}
      </worldbody>
      <equality>
        <joint joint1="dip" joint2="pip" polycoef="0 {p.coupling} 0 0 0" solref=".003 1"
          solimp=".99 .999 .0005"/>
      </equality>
      <tendon>
        <spatial name="flexor" width=".0018">
          <site site="motor"/> <site site="wrist"/> <geom geom="k1" sidesite="k1_palm"/>
          <site site="a2"/> <geom geom="k2" sidesite="k2_palm"/>
          <site site="a4"/> <geom geom="k3" sidesite="k3_palm"/> <site site="end"/>
        </spatial>
        <spatial name="extensor" width=".0018" stiffness="{p.spring}" springlength="0 .08">
          <site site="back"/> <geom geom="k1" sidesite="k1_back"/> <site site="hood"/>
          <geom geom="k2" sidesite="k2_back"/> <site site="slip"/>
        </spatial>
      </tendon>
      <actuator>
        <general name="flex" tendon="flexor" gainprm="-1" ctrlrange="0 {p.max_pull}"/>
      </actuator>
      <sensor> <touch name="tip" site="tip"/> </sensor>
      <keyframe>
        <key name="pinch" qpos="0 .9 .9 {0.9 * p.coupling}"/>
      </keyframe>
    </mujoco>""")


def _bones(p: TendonFinger) -> str:
  # knuckle, proximal, middle and last bone, each with its pulley and what the tendons pass
  r1, r2, r3 = p.pulleys
  b1, b2, b3 = p.bones
  return f"""
        <body name="knuckle">
          <joint name="spread" axis="0 0 1" range="-15 15" stiffness=".05"/>
          <geom size=".004"/>
          <geom name="k1" class="pulley" size="{r1} .005"/>
          <site name="k1_palm" pos="0 0 {-2 * r1}"/>
          <site name="k1_back" pos="0 0 {2 * r1}"/>
          <body name="proximal">
            <joint name="mcp"/>
            <geom type="capsule" fromto="0 0 0 {b1} 0 0" size=".006"/>
            <site name="a2" pos="{b1 / 2} 0 {-0.4 * r1}"/>
            <site name="hood" pos="{b1 / 2} 0 {1.2 * r1}"/>
            <geom name="k2" class="pulley" size="{r2} .005" pos="{b1} 0 0"/>
            <site name="k2_palm" pos="{b1} 0 {-2 * r2}"/>
            <site name="k2_back" pos="{b1} 0 {2 * r2}"/>
            <body name="middle" pos="{b1} 0 0">
              <joint name="pip"/>
              <geom type="capsule" fromto="0 0 0 {b2} 0 0" size=".005"/>
              <site name="a4" pos="{b2 / 2} 0 {-0.4 * r2}"/>
              <site name="slip" pos="{b2 / 2} 0 {1.2 * r2}"/>
              <geom name="k3" class="pulley" size="{r3} .005" pos="{b2} 0 0"/>
              <site name="k3_palm" pos="{b2} 0 {-2 * r3}"/>
              <body name="last" pos="{b2} 0 0">
                <joint name="dip"/>
                <geom type="capsule" fromto="0 0 0 {b3} 0 0" size=".0045"/>
                <geom name="tip" size=".007" pos="{b3} 0 0" contype="1" friction=".8"
                  solref=".003 1" solimp=".99 .999 .0005" rgba=".3 .55 .75 1"/>
                <site name="tip" size=".009" pos="{b3} 0 0" rgba="0 0 0 0"/>
                <site name="end" pos="{0.6 * b3} 0 {-0.4 * r3}"/>
              </body>
            </body>
          </body>
        </body>"""
