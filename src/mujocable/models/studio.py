"""Studio: what robots stand in before they have any part, and what their parts have in common.

`STUDIO` is for those written as MJCF, the functions for those built from an `MjSpec`.
"""

from collections.abc import Sequence

import mujoco
from numpy.typing import ArrayLike

ALONG_X = (0.70710678118654752, 0.0, 0.70710678118654752, 0.0)  # turns the axis of a cylinder
ALONG_Y = (0.70710678118654752, 0.70710678118654752, 0.0, 0.0)

STUDIO = """
  <visual>
    <global offwidth="1280" offheight="960"/>
    <headlight ambient=".4 .4 .4" diffuse=".45 .45 .45" specular=".1 .1 .1"/>
    <rgba haze=".93 .95 .97 1"/>
  </visual>
  <asset>
    <texture name="sky" type="skybox" builtin="gradient" rgb1=".96 .97 .98" rgb2=".78 .84 .89"
      width="128" height="768"/>
  </asset>
"""


def empty(name: str, timestep: float, gravity: float = 9.81) -> mujoco.MjSpec:
  """A model of this name without bodies; timestep [s], gravity downward [m/s^2]."""
  spec = mujoco.MjSpec()
  spec.modelname = name
  spec.option.timestep = timestep
  spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
  spec.option.gravity = [0.0, 0.0, 0.0 - gravity]
  return spec


def add_sky(spec: mujoco.MjSpec, light: Sequence[float], toward: Sequence[float]) -> None:
  """A plain sky, and a light at a place [m] that shines in a direction."""
  spec.visual.headlight.ambient = [0.4] * 3
  spec.visual.headlight.diffuse = [0.4] * 3
  sky = spec.add_texture(name="sky", type=mujoco.mjtTexture.mjTEXTURE_SKYBOX)
  sky.builtin = mujoco.mjtBuiltin.mjBUILTIN_GRADIENT
  sky.rgb1, sky.rgb2, sky.width, sky.height = [1.0] * 3, [0.93] * 3, 64, 384
  spec.worldbody.add_light(pos=light, dir=toward, diffuse=[0.4] * 3)


def add_stage(
  spec: mujoco.MjSpec,
  extent: float,
  center: Sequence[float],
  light: Sequence[float],
  toward: Sequence[float],
) -> None:
  """The same for large pictures of something matt: its size and its middle [m]."""
  add_sky(spec, light, toward)
  spec.visual.headlight.diffuse = [0.35] * 3
  spec.visual.headlight.specular = [0.0] * 3
  spec.worldbody.lights[0].diffuse = [0.3] * 3
  spec.visual.global_.offwidth, spec.visual.global_.offheight = 1920, 1080
  spec.stat.extent, spec.stat.center = extent, center


def add_part(body: mujoco.MjsBody, kind: str, size: Sequence[float], **more) -> mujoco.MjsGeom:
  """A geom ("box", "capsule", ...) that touches nothing but cables; half sizes [m]."""
  full = [*size, 0.0, 0.0][:3]
  geom = getattr(mujoco.mjtGeom, f"mjGEOM_{kind.upper()}")
  return body.add_geom(type=geom, size=full, contype=0, conaffinity=0, **more)


def add_site(body: mujoco.MjsBody, name: str, pos: ArrayLike, radius: float) -> str:
  """A site that viewers do not show at first; returns its name."""
  body.add_site(name=name, pos=pos, size=[radius] * 3, group=4)
  return name
