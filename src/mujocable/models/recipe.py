"""Recipe: how a robot with MuJoCo's own tendons becomes one with cables.

A robot that has one brings `native()`, the model with its tendons, and `RECIPE`, the options of
`mujocable.convert` that suit it; `mujocable convert NAME` uses both.
"""

from typing import Any

import mujoco

from mujocable.study.convert import convert

_POSES = 16  # enough for tendons that are known to convert


def converted(native: mujoco.MjSpec, recipe: dict[str, Any]) -> mujoco.MjSpec:
  """The model with every tendon as a cable; refuses one in which a tendon stays native."""
  conversion = convert(native, poses=_POSES, **recipe)
  assert not conversion.kept, str(conversion)
  return conversion.spec
