"""Scenes: each builds one mechanism three times over: with cables, with native tendons, with none.

`build(kind)` returns a model and data ready to step; kind is "cable", "native" or "none". A scene
that native tendons cannot express (several wraps without a site between) has no "native".
"""

from collections.abc import Callable
from dataclasses import dataclass

import mujoco
import numpy as np

import mujocable as mjc
from mujocable.models import winch

_TENDON = mujoco.mjtTrn.mjTRN_TENDON
_HINGE, _SLIDE = mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE


@dataclass(frozen=True)
class Scene:
  """One row of the table."""

  name: str
  what: str
  build: Callable[[str], tuple[mujoco.MjModel, mujoco.MjData]]
  kinds: tuple[str, ...] = ("none", "native", "cable")


def _ready(spec: mujoco.MjSpec, ctrl: list[float] | None = None):
  model = spec.compile()
  data = mujoco.MjData(model)
  if ctrl and model.nu:
    data.ctrl[:] = ctrl
  return model, data


# ------------------------------------------------------------------------ the demo's winch


def _winch(kind: str):
  parameters = winch.Winch(slack=0.0, bearing_torque=0.0)
  spec = winch.build(parameters)
  # the payload hangs and the bearing is free: no constraint to solve, the same other work for all
  payload = spec.geom("payload")
  payload.contype = payload.conaffinity = 0
  if kind != "cable":
    mjc.remove_cable(spec, winch.CABLE)
  if kind == "native":
    tendon = spec.add_tendon(name="hoist")
    tendon.wrap_site("motor")
    tendon.wrap_geom("sheave", "over_sheave")
    tendon.wrap_site("hook")
    # the same motor, lag, stiffness and damping, as far as a native actuator can say it: with
    # gear -1 its length is -L, and T = k (L - L0 + r u) + d dL/dt
    model, data = _ready(winch.build(parameters))
    mujoco.mj_forward(model, data)
    home = mjc.bind(model, data)[winch.CABLE].rest_length
    k, d = parameters.stiffness, parameters.damping
    spec.add_actuator(
      name="hoist",
      trntype=_TENDON,
      target="hoist",
      gear=[-1, 0, 0, 0, 0, 0],
      dyntype=mujoco.mjtDyn.mjDYN_FILTEREXACT,
      dynprm=[parameters.motor_lag] + [0] * 9,
      gainprm=[k * parameters.drum_radius] + [0] * 9,
      biastype=mujoco.mjtBias.mjBIAS_AFFINE,
      biasprm=[-k * home, -k, -d] + [0] * 7,
    )
  return _ready(spec, [0.05])


# ------------------------------------------------------------------- an arm of 18 hinges


def _arm(friction: float) -> Callable:
  def build(kind: str):
    spec = mujoco.MjSpec()
    spec.option.timestep = 0.0005
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.gravity = [0, 0, 0]
    body, scale = spec.worldbody, 1.0
    sites: list[list[str]] = [[], []]
    for unit in range(19):
      if unit:
        body = body.add_body(pos=[0, 0, 0.0263 * scale])
        scale *= 0.912
        spring = 0.0235 * 0.912 ** (4.5 * (unit - 1))
        body.add_joint(type=_HINGE, axis=[1, 0, 0], stiffness=spring, damping=2.1 * spring)
      half = np.array([0.012, 0.02, 0.012]) * scale
      body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=half,
        pos=[0, 0, 0.013 * scale],
        contype=0,
        conaffinity=0,
      )
      for side, sign in enumerate((1, -1)):
        for hole, (y, z) in enumerate(((0.0208, 0.0096), (0.0197, 0.0245))):
          name = f"{side}_{unit}_{hole}"
          body.add_site(name=name, pos=[0, sign * y * scale, z * scale])
          sites[side].append(name)
    for side, names in enumerate(sites):
      if kind == "cable":
        guides = [mjc.Eyelet(name) for name in names[1:-1]]
        mjc.add_cable(
          spec,
          mjc.Cable(
            name=f"cable_{side}",
            route=[mjc.Anchor(names[0]), *guides, mjc.Anchor(names[-1])],
            friction=friction,
            friction_mode="forward",
            take_up=mjc.TensionCommand(range=(0.0, 8.0)),
          ),
        )
      elif kind == "native":
        tendon = spec.add_tendon(name=f"tendon_{side}")
        for name in names:
          tendon.wrap_site(name)
        spec.add_actuator(
          trntype=_TENDON, target=f"tendon_{side}", gear=[-1, 0, 0, 0, 0, 0], name=f"motor_{side}"
        )
    return _ready(spec, [1.0, 0.2])

  return build


# ------------------------------------------------------------------- wraps in one span


def _wraps(geom: str, count: int) -> Callable:
  def build(kind: str):
    spec = mujoco.MjSpec()
    spec.option.timestep = 0.001
    world = spec.worldbody
    world.add_site(name="start", pos=[-0.3, 0, 0.0])
    route = [mjc.Anchor("start")]
    for i in range(count):
      center = np.array([0.2 * i, 0.0, -0.02 * i * i])
      cylinder = geom == "cylinder"
      world.add_geom(
        name=f"post_{i}",
        type=mujoco.mjtGeom.mjGEOM_CYLINDER if cylinder else mujoco.mjtGeom.mjGEOM_SPHERE,
        size=[0.05, 0.02 if cylinder else 0, 0],
        pos=center,
        quat=[np.sqrt(0.5), np.sqrt(0.5), 0, 0],
        contype=0,
        conaffinity=0,
      )
      world.add_site(name=f"over_{i}", pos=center + np.array([0, 0, 0.1]))
      route.append(mjc.Wrap(f"post_{i}", side=f"over_{i}"))
    last = np.array([0.2 * (count - 1), 0.0, -0.02 * (count - 1) ** 2])
    load = world.add_body(pos=last + np.array([0.05, 0, -0.4]))
    load.add_joint(type=_SLIDE, axis=[0, 0, 1])
    load.add_geom(size=[0.02, 0, 0], mass=1.0, contype=0, conaffinity=0)
    load.add_site(name="end")
    route.append(mjc.Anchor("end"))
    if kind == "cable":
      mjc.add_cable(
        spec,
        mjc.Cable(name="cable", route=route, stiffness=2000.0, friction=0.1, pretension=10.0),
      )
    elif kind == "native":
      tendon = spec.add_tendon(name="tendon", stiffness=[2000.0, 0, 0])
      tendon.wrap_site("start")
      tendon.wrap_geom("post_0", "over_0")
      tendon.wrap_site("end")
    return _ready(spec)

  return build


SCENES = (
  Scene("winch", "the demo: spool, free sheave, payload", _winch),
  Scene("arm", "18 hinges, two cables of 38 guides", _arm(0.0)),
  Scene("arm_friction", "the same with friction 0.3", _arm(0.3)),
  Scene("cylinder", "one cylinder wrap", _wraps("cylinder", 1)),
  Scene("sphere", "one sphere wrap", _wraps("sphere", 1)),
  Scene("cylinders_2", "two cylinders in one span", _wraps("cylinder", 2), ("none", "cable")),
  Scene("cylinders_4", "four cylinders in one span", _wraps("cylinder", 4), ("none", "cable")),
  Scene("cylinders_8", "eight cylinders in one span", _wraps("cylinder", 8), ("none", "cable")),
)
