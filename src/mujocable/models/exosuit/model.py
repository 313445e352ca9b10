"""Exosuit: a wearer's arm, a cable in guides on the sleeve, an elastic strap and a stop strap."""

from dataclasses import dataclass

import mujoco

from mujocable.models.recipe import converted
from mujocable.models.studio import STUDIO

CAMERA = "front"
# a steel cable in textile guides; the stop strap is a rope
RECIPE = {"friction": 0.2, "limits": "auto"}


@dataclass(frozen=True)
class Exosuit:
  """Parameters. Illustrative numbers of a textile sleeve; none is measured."""

  upper: float = 0.29  # length of the upper arm [m]
  fore: float = 0.25  # of the forearm [m]
  limb: float = 0.04  # radius of the arm with its sleeve [m]
  mass: float = 1.5  # of forearm and hand [kg]
  load: float = 1.0  # in the hand [kg]
  servo: float = 4000.0  # of the motor's length servo [N/m]
  max_pull: float = 250.0  # of the motor [N]
  strap: float = 150.0  # stiffness of the elastic strap behind the elbow [N/m]
  reach: float = 0.0  # angle of the elbow at which the stop strap is taut, from straight [rad]
  timestep: float = 0.001  # [s]


def build(params: Exosuit | None = None) -> mujoco.MjSpec:
  """The sleeve with cables."""
  return converted(native(params), RECIPE)


def native(params: Exosuit | None = None) -> mujoco.MjSpec:
  """The sleeve with native tendons: the arm hangs down along -z, forward is +x."""
  p = params or Exosuit()
  r = p.limb
  spec = mujoco.MjSpec.from_string(f"""
    <mujoco model="exosuit">
      {STUDIO} <statistic meansize="0.35"/>
      <option timestep="{p.timestep}" integrator="implicitfast"/>
      <default>
        <geom contype="0" conaffinity="0" rgba=".85 .75 .68 1"/>
        <site size=".004"/>
      </default>
      <worldbody>
        <light pos="-.3 -1 2" dir=".2 .5 -1" directional="true" diffuse=".45 .45 .45"/>
        <camera name="front" pos=".02 -.95 -.16" xyaxes="1 0 0 0 0 1"/>
        <geom type="capsule" fromto="-.1 0 .1 -.1 0 -.4" size=".08" rgba=".4 .45 .5 1"/>
        <geom type="capsule" fromto="0 0 0 0 0 {-p.upper}" size="{r}"/>
        <site name="motor" pos="-.18 0 -.1"/>
        <geom name="shoulder" type="cylinder" size="{1.4 * r} .04" euler="90 0 0"
          rgba=".3 .5 .6 .5"/>
        <site name="over" pos="0 0 {3 * r}"/>
        <site name="guide_1" pos="{1.4 * r} 0 {-0.35 * p.upper}"/>
        <site name="guide_2" pos="{1.5 * r} 0 {-0.7 * p.upper}"/>
        <site name="back" pos="{-1.2 * r} 0 {-0.5 * p.upper}"/>
        <geom name="elbow" type="cylinder" size="{r} .03" euler="90 0 0" pos="0 0 {-p.upper}"
          rgba=".3 .5 .6 .5"/>
        <site name="behind" pos="{-2 * r} 0 {-p.upper}"/>
        <body name="fore" pos="0 0 {-p.upper}">
          <joint name="elbow" axis="0 -1 0" range="-10 105" damping=".5" armature=".01"/>
          <geom type="capsule" fromto="0 0 0 0 0 {-p.fore}" size="{0.8 * r}" mass="{p.mass}"/>
          <geom name="load" size=".03" pos="0 0 {-p.fore - 0.06}" mass="{p.load}"
            rgba=".9 .6 .2 1"/>
          <site name="cuff_guide" pos="{1.4 * r} 0 {-0.35 * p.fore}"/>
          <site name="cuff" pos="{1.1 * r} 0 {-0.6 * p.fore}"/>
          <site name="cuff_back" pos="{-0.9 * r} 0 {-0.5 * p.fore}"/>
        </body>
      </worldbody>
      <tendon>
        <spatial name="lift" width=".006">
          <site site="motor"/> <geom geom="shoulder" sidesite="over"/>
          <site site="guide_1"/> <site site="guide_2"/> <site site="cuff_guide"/>
          <site site="cuff"/>
        </spatial>
        <spatial name="strap" width=".008" stiffness="{p.strap}">
          <site site="back"/> <geom geom="elbow" sidesite="behind"/> <site site="cuff_back"/>
        </spatial>
        <spatial name="stop" width=".004">
          <site site="guide_1"/> <site site="guide_2"/> <site site="cuff_guide"/>
        </spatial>
      </tendon>
      <actuator>
        <position name="lift" tendon="lift" kp="{p.servo}" forcerange="{-p.max_pull} 0"/>
      </actuator>
    </mujoco>""")
  return _with_lengths(spec, p)


def _with_lengths(spec: mujoco.MjSpec, p: Exosuit) -> mujoco.MjSpec:
  # straps and the servo's range are cut to the lengths at straight and bent elbow
  model = spec.compile()
  data = mujoco.MjData(model)
  lengths = {}
  for angle in (p.reach, 1.6, 0.0):
    data.joint("elbow").qpos = angle
    mujoco.mj_fwdPosition(model, data)
    lengths[angle] = {
      name: float(data.tendon(name).length[0]) for name in ("lift", "stop", "strap")
    }
  straight, bent = lengths[0.0], lengths[1.6]
  spec.tendon("stop").range = [0.0, lengths[p.reach]["stop"]]
  spec.tendon("stop").limited = mujoco.mjtLimited.mjLIMITED_TRUE
  spec.tendon("strap").springlength = [0.0, straight["strap"]]
  spec.actuator("lift").ctrlrange = [bent["lift"], straight["lift"]]
  spec.actuator("lift").ctrllimited = mujoco.mjtLimited.mjLIMITED_TRUE
  return spec
