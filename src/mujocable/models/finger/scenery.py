"""Scenery: what the finger looks like. Pulleys turn with nothing: the cables slide on them."""

import mujoco

CAMERA = "side"
_SKIN, _PULLEY = [0.80, 0.72, 0.62, 0.45], [0.45, 0.50, 0.56, 0.6]
_HALF_X, _HALF_Y = 0.008, 0.0055  # of a phalanx [m]


def add_surroundings(spec: mujoco.MjSpec, length: float) -> None:
  """Light, a pale sky and a camera that sees the straight and the curled finger."""
  spec.visual.headlight.ambient = [0.4] * 3
  spec.visual.headlight.diffuse = [0.35] * 3
  spec.visual.headlight.specular = [0.0] * 3
  spec.visual.global_.offwidth, spec.visual.global_.offheight = 1920, 1080
  spec.stat.extent, spec.stat.center = length, [0.0, 0.0, length / 2]
  sky = spec.add_texture(name="sky", type=mujoco.mjtTexture.mjTEXTURE_SKYBOX)
  sky.builtin = mujoco.mjtBuiltin.mjBUILTIN_GRADIENT
  sky.rgb1, sky.rgb2, sky.width, sky.height = [1.0] * 3, [0.93] * 3, 64, 384
  at = [3 * length, -length, 3 * length]
  spec.worldbody.add_light(pos=at, dir=[-1.0, 0.3, -0.9], diffuse=[0.3] * 3)
  spec.worldbody.add_camera(
    name=CAMERA,
    pos=[3.0 * length, 0.2 * length, 0.27 * length],
    xyaxes=[0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
    fovy=29.0,
  )


def add_palm(body) -> None:
  """A block below the finger."""
  _add_box(body, "palm", [_HALF_X, 0.012, 0.0085], [0.0, 0.0, -0.0145])


def add_phalanx(body, name: str, length: float, mass: float) -> None:
  """A bar between two joints."""
  half = length / 2 - 0.0035
  box = _add_box(body, name, [_HALF_X, _HALF_Y, half], [0.0, 0.0, length / 2])
  box.mass = mass


def add_pulley(body, name: str, pos, radius: float, half_width: float = 0.001) -> None:
  """A cylinder across the finger."""
  body.add_geom(
    name=name,
    type=mujoco.mjtGeom.mjGEOM_CYLINDER,
    pos=pos,
    size=[radius, half_width, 0.0],
    quat=[0.70710678118654752, 0.0, 0.70710678118654752, 0.0],  # axis along x
    mass=0.0,
    contype=0,
    conaffinity=0,
    rgba=_PULLEY,
  )


def _add_box(body, name: str, size, pos):
  return body.add_geom(
    name=name,
    type=mujoco.mjtGeom.mjGEOM_BOX,
    size=size,
    pos=pos,
    contype=0,
    conaffinity=0,
    rgba=_SKIN,
  )
