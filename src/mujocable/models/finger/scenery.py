"""Scenery: what the finger looks like. Pulleys turn with nothing: the cables slide on them."""

import mujoco

from mujocable.models import studio

CAMERA = "side"
_SKIN, _PULLEY = [0.80, 0.72, 0.62, 0.45], [0.45, 0.50, 0.56, 0.6]
_HALF_X, _HALF_Y = 0.008, 0.0055  # of a phalanx [m]


def add_surroundings(spec: mujoco.MjSpec, length: float) -> None:
  """Light, a pale sky and a camera that sees the straight and the curled finger."""
  light = [3 * length, -length, 3 * length]
  studio.add_stage(spec, length, [0.0, 0.0, length / 2], light, [-1.0, 0.3, -0.9])
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
  across: dict = dict(pos=pos, quat=studio.ALONG_X, mass=0.0, rgba=_PULLEY)
  studio.add_part(body, "cylinder", [radius, half_width], name=name, **across)


def _add_box(body, name: str, size, pos):
  return studio.add_part(body, "box", size, name=name, pos=pos, rgba=_SKIN)
