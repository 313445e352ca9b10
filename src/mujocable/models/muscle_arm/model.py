"""Muscle arm: two bones in a vertical plane and six muscles that wrap a ball and a cylinder."""

from dataclasses import dataclass

import mujoco
import numpy as np

from mujocable.models.recipe import converted
from mujocable.models.studio import STUDIO

CAMERA = "front"
# sheaths are wet and smooth
RECIPE = {"friction": 0.05}

# muscle -> its stops; geoms with their side
MUSCLES = {
  "front_deltoid": ("clavicle", "head/head_front", "upper_front"),
  "rear_deltoid": ("scapula", "head/head_back", "upper_back"),
  "biceps": ("clavicle", "head/head_front", "groove", "trochlea/fold", "ulna_front"),
  "brachialis": ("shaft_front", "trochlea/fold", "ulna_near"),
  "long_triceps": ("scapula", "head/head_back", "shaft_back", "trochlea/point", "olecranon"),
  "short_triceps": ("shaft_back", "trochlea/point", "olecranon"),
}


@dataclass(frozen=True)
class MuscleArm:
  """Parameters. Proportions of an adult arm, rounded; none is measured here."""

  upper: float = 0.30  # length of the upper arm [m]
  fore: float = 0.26  # of the forearm [m]
  head: float = 0.024  # radius of the ball at the shoulder [m]
  trochlea: float = 0.018  # radius of the cylinder at the elbow [m]
  force: float = 500.0  # peak force of each muscle [N]
  mass: float = 3.0  # of the arm [kg]
  timestep: float = 0.001  # [s]


def build(params: MuscleArm | None = None) -> mujoco.MjSpec:
  """The arm with cables."""
  return converted(native(params), RECIPE)


def native(params: MuscleArm | None = None) -> mujoco.MjSpec:
  """The arm with native tendons: hangs down along -z, forward is +x."""
  p = params or MuscleArm()
  r, e = p.head, p.trochlea
  tendons = "".join(_tendon(name, stops) for name, stops in MUSCLES.items())
  actuators = "".join(
    f'<muscle name="{name}" tendon="{name}" force="{p.force}" ctrlrange="0 1" lengthrange=".01 1"/>'
    for name in MUSCLES
  )
  spec = mujoco.MjSpec.from_string(f"""
    <mujoco model="muscle_arm">
      {STUDIO} <statistic meansize="0.4"/>
      <option timestep="{p.timestep}" integrator="implicitfast"/>
      <default>
        <joint axis="0 -1 0" damping=".4" armature=".01"/>
        <geom contype="0" conaffinity="0" rgba=".93 .9 .82 1"/>
        <site size=".004"/>
        <default class="wrap"><geom rgba=".55 .6 .65 .5" mass="0"/></default>
      </default>
      <worldbody>
        <light pos="-.3 -1 2" dir=".2 .5 -1" directional="true" diffuse=".45 .45 .45"/>
        <camera name="front" pos=".14 -.65 -.17" xyaxes="1 0 0 0 0 1"/>
        <geom type="box" size=".02 .03 .1" pos="-.03 0 -.02"/>
        <site name="clavicle" pos="{1.2 * r} 0 .045"/>
        <site name="scapula" pos="{-1.6 * r} 0 .03"/>
        <site name="head_front" pos="{2 * r} 0 0"/>
        <site name="head_back" pos="{-2 * r} 0 0"/>
        <geom name="head" class="wrap" size="{r}"/>
        <body name="upper">
          <joint name="shoulder" range="-30 100"/>
          <geom type="capsule" fromto="0 0 0 0 0 {-p.upper}" size=".012" mass="{0.6 * p.mass}"/>
          <site name="upper_front" pos=".018 0 {-0.45 * p.upper}"/>
          <site name="upper_back" pos="-.018 0 {-0.45 * p.upper}"/>
          <site name="groove" pos=".022 0 {-0.3 * p.upper}"/>
          <site name="shaft_front" pos=".016 0 {-0.6 * p.upper}"/>
          <site name="shaft_back" pos="-.018 0 {-0.5 * p.upper}"/>
          <geom name="trochlea" class="wrap" type="cylinder" size="{e} .03" euler="90 0 0"
            pos="0 0 {-p.upper}"/>
          <site name="fold" pos="{2 * e} 0 {-p.upper}"/>
          <site name="point" pos="{-2 * e} 0 {-p.upper}"/>
          <body name="fore" pos="0 0 {-p.upper}">
            <joint name="elbow" range="5 105"/>
            <geom type="capsule" fromto="0 0 0 0 0 {-p.fore}" size=".01" mass="{0.4 * p.mass}"/>
            <site name="ulna_front" pos=".006 0 {-0.17 * p.fore}"/>
            <site name="ulna_near" pos=".006 0 {-0.12 * p.fore}"/>
            <site name="olecranon" pos="{-1.1 * e} 0 {-0.10 * p.fore}"/>
          </body>
        </body>
      </worldbody>
      <tendon>{tendons}</tendon>
      <actuator>{actuators}</actuator>
      <keyframe> <key name="reach" qpos=".8 1.2"/> </keyframe>
    </mujoco>""")
  return _with_length_ranges(spec)


def _with_length_ranges(spec: mujoco.MjSpec) -> mujoco.MjSpec:
  # the shortest and longest that each muscle can be, over the ranges of both joints
  model = spec.compile()
  data = mujoco.MjData(model)
  lengths = []
  (shoulders, elbows) = (np.linspace(low, high, 15) for low, high in model.jnt_range)
  for shoulder in shoulders:
    for elbow in elbows:
      data.qpos[:] = shoulder, elbow
      mujoco.mj_fwdPosition(model, data)
      lengths.append(data.ten_length.copy())
  for name, low, high in zip(MUSCLES, np.min(lengths, 0), np.max(lengths, 0), strict=True):
    spec.actuator(name).lengthrange = [float(low), float(high)]
  return spec


def _tendon(name: str, stops: tuple[str, ...]) -> str:
  words = []
  for stop in stops:
    geom, _, side = stop.partition("/")
    words.append(f'<geom geom="{geom}" sidesite="{side}"/>' if side else f'<site site="{geom}"/>')
  return f'<spatial name="{name}" width=".007" rgba=".75 .25 .2 1">{"".join(words)}</spatial>'
