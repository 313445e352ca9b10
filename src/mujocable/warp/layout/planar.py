"""Planar: whether a mechanism keeps cylinders parallel, and a cable in the mid plane of a wheel."""

import mujoco

from mujocable.errors import BadValue
from mujocable.warp.layout.parts import Wrapped
from mujocable.warp.layout.tree import chain_of

_ASIDE = 1e-6  # how far above the mid plane a neighbor may lie, as in the plugin [radii]
_PARALLEL = 1e-9  # what rounding leaves of a sine
_OBJ, _JOINT = mujoco.mjtObj, mujoco.mjtJoint


def check_parallel(model, home, cable: str, one: Wrapped, two: Wrapped) -> None:
  """BadValue unless two cylinders that are parallel at qpos0 stay so."""
  axis = home.geom_xmat[one.geom].reshape(3, 3)[:, 2]
  joint = _between(model, home, axis, one.body, two.body, slides=True)
  if joint:
    names = [mujoco.mj_id2name(model, _OBJ.mjOBJ_GEOM, wrap.geom) for wrap in (one, two)]
    raise BadValue(
      f"cable {cable!r}: {joint} tilts wrap {names[1]!r} against wrap {names[0]!r} of its row,"
      " which is not on the GPU; put an Eyelet between"
    )


def check_groove(model, home, cable: str, wrap: Wrapped, row: int, ends: list) -> None:
  """BadValue unless the wheel is alone between two nodes (site, _, body) that never leave its mid
  plane: then its flanges lead nothing aside."""
  name = mujoco.mj_id2name(model, _OBJ.mjOBJ_GEOM, wrap.geom)
  begin = f"cable {cable!r}: the groove of wrap {name!r} is on the GPU only where"
  if row > 1:
    raise BadValue(f"{begin} no other wrap is beside it; put an Eyelet between, or drop the groove")
  axis = home.geom_xmat[wrap.geom].reshape(3, 3)[:, 2]
  for site, _, body in ends:
    beside = mujoco.mj_id2name(model, _OBJ.mjOBJ_SITE, site)
    height = float((home.site_xpos[site] - home.geom_xpos[wrap.geom]) @ axis)
    if abs(height) > _ASIDE * model.geom_size[wrap.geom, 0]:
      raise BadValue(
        f"{begin} the cable stays in its mid plane, but site {beside!r} is {height:.3g} m aside;"
        " move it, or drop the groove"
      )
    joint = _between(model, home, axis, wrap.body, body, slides=False)
    if joint:
      raise BadValue(
        f"{begin} the cable stays in its mid plane, but {joint} moves site {beside!r} out of it;"
        " accepted between them: hinges along the axis of the wheel, slides across it"
      )


def _between(model, home, axis, one: int, two: int, slides: bool) -> str:
  # what lies between two bodies and does not keep them in a plane across the axis, or, if they may
  # slide along it, the axis in its direction; empty: nothing
  for body in set(chain_of(model, one)) ^ set(chain_of(model, two)):
    if model.body_mocapid[body] >= 0:
      return f"mocap body {mujoco.mj_id2name(model, _OBJ.mjOBJ_BODY, body)!r}"
    for j in range(model.body_jntadr[body], model.body_jntadr[body] + model.body_jntnum[body]):
      along = abs(float(home.xaxis[j] @ axis))
      kind = model.jnt_type[j]
      if kind == _JOINT.mjJNT_HINGE and 1 - along * along <= _PARALLEL:
        continue
      if kind == _JOINT.mjJNT_SLIDE and (slides or along <= _PARALLEL):
        continue
      return f"joint {mujoco.mj_id2name(model, _OBJ.mjOBJ_JOINT, j)!r}"
  return ""
