"""Studio: what robots stand in before they have any part: options, sky and light.

`STUDIO` is for those written as MJCF, `empty` and `add_sky` for those built from an `MjSpec`.
"""

from collections.abc import Sequence

import mujoco

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
