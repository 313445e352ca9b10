"""Routes: the paths of MuJoCo's own spatial tendons, as the compiled model has them."""

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np

_WRAP = mujoco.mjtWrap
PULLEY = -2  # in MuJoCo's list of the objects of a path
ROUND = (int(_WRAP.mjWRAP_SPHERE), int(_WRAP.mjWRAP_CYLINDER))


@dataclass(frozen=True)
class Stop:
  """A site, or a geom with its side site."""

  is_geom: bool
  id: int
  side: int = -1  # of a geom: site id, -1: none


@dataclass(frozen=True)
class Branch:
  """Part of a tendon that is a path of its own; a tendon without pulleys has one."""

  divisor: float
  stops: tuple[Stop, ...]

  def neighbors(self) -> list[tuple[Stop, int]]:
    """Every geom with each of the sites before and behind it."""
    found = []
    for i, stop in enumerate(self.stops):
      if stop.is_geom:
        near = (self.stops[i - 1], self.stops[i + 1])
        found += [(stop, other.id) for other in near if not other.is_geom]
    return found


def is_spatial(model: mujoco.MjModel, tendon: int) -> bool:
  """Whether a tendon has a path."""
  first = int(model.wrap_type[model.tendon_adr[tendon]])
  return first != int(_WRAP.mjWRAP_JOINT)


def branches(model: mujoco.MjModel, tendon: int) -> list[Branch]:
  """The branches of a spatial tendon in order."""
  begin = int(model.tendon_adr[tendon])
  found: list[tuple[float, list[Stop]]] = [(1.0, [])]
  for i in range(begin, begin + int(model.tendon_num[tendon])):
    kind, obj, prm = int(model.wrap_type[i]), int(model.wrap_objid[i]), float(model.wrap_prm[i])
    if kind == int(_WRAP.mjWRAP_PULLEY):
      found.append((prm, []))
    elif kind in ROUND:
      found[-1][1].append(Stop(True, obj, int(prm)))
    else:
      found[-1][1].append(Stop(False, obj))
  return [Branch(divisor, tuple(stops)) for divisor, stops in found if stops]


def free_reach(model: mujoco.MjModel, tendons: Sequence[int]) -> dict[int, float]:
  """Free joints of bodies that tendons tie to others, and a tenth of the shortest of these [m].

  A free body that no tendon leaves moves all of its tendons as a whole, which changes nothing.
  """
  found: dict[int, float] = {}
  for tendon in tendons:
    stops = [stop for branch in branches(model, tendon) for stop in branch.stops]
    bodies = [(model.geom_bodyid if s.is_geom else model.site_bodyid)[s.id] for s in stops]
    trees = {int(model.body_treeid[body]) for body in bodies}
    for tree in trees - {-1} if len(trees) > 1 else ():
      joint = int(model.dof_jntid[model.tree_dofadr[tree]])
      if model.jnt_type[joint] == int(mujoco.mjtJoint.mjJNT_FREE):
        length = 0.1 * float(model.tendon_length0[tendon])
        found[joint] = min(found.get(joint, length), length)
  return found


def reach(model: mujoco.MjModel, data: mujoco.MjData, geom: int, site: int) -> float:
  """Distance of a site from a sphere's center or a cylinder's axis, over the radius."""
  local = data.geom_xmat[geom].reshape(3, 3).T @ (data.site_xpos[site] - data.geom_xpos[geom])
  if int(model.geom_type[geom]) == int(mujoco.mjtGeom.mjGEOM_CYLINDER):
    local = local[:2]
  return float(np.linalg.norm(local) / model.geom_size[geom, 0])


def never_wraps(model: mujoco.MjModel, data: mujoco.MjData, branch: Branch, index: int) -> bool:
  """Whether a geom has no effect in any pose: a neighboring site of the same body is inside it."""
  stop = branch.stops[index]
  body = model.body_weldid[model.geom_bodyid[stop.id]]
  for neighbor in (branch.stops[index - 1], branch.stops[index + 1]):
    if neighbor.is_geom or model.body_weldid[model.site_bodyid[neighbor.id]] != body:
      continue
    if reach(model, data, stop.id, neighbor.id) < 1:
      return True  # also where the side site asks for an inside wrap
  return False


def jacobian(model: mujoco.MjModel, data: mujoco.MjData, tendon: int) -> np.ndarray:
  """Moment arms dL/dq of a tendon, shape (nv,)."""
  row = np.zeros(model.nv)
  begin, count = int(model.ten_J_rowadr[tendon]), int(model.ten_J_rownnz[tendon])
  row[model.ten_J_colind[begin : begin + count]] = data.ten_J[begin : begin + count]
  return row


def points(data: mujoco.MjData, tendon: int) -> tuple[np.ndarray, np.ndarray]:
  """MuJoCo's path at present: points (n, 3) [m, world], and for each its geom, -1 or PULLEY."""
  begin, count = int(data.ten_wrapadr[tendon]), int(data.ten_wrapnum[tendon])
  places, objects = data.wrap_xpos.reshape(-1, 3), data.wrap_obj.reshape(-1)
  return places[begin : begin + count], objects[begin : begin + count]


def touched(data: mujoco.MjData, tendon: int) -> dict[int, np.ndarray]:
  """The geoms that a tendon bears on at present, each with its points [m, world], shape (n, 3)."""
  places, objects = points(data, tendon)
  return {int(geom): places[objects == geom] for geom in set(objects[objects >= 0].tolist())}


def actuators(model: mujoco.MjModel, tendon: int) -> list[int]:
  """The actuators that pull on a tendon."""
  on_tendon = model.actuator_trntype == int(mujoco.mjtTrn.mjTRN_TENDON)
  return [int(i) for i in np.flatnonzero(on_tendon & (model.actuator_trnid[:, 0] == tendon))]


def gains(model: mujoco.MjModel, tendon: int) -> tuple[float, float]:
  """Stiffness [N/m] and damping [N s/m] of a tendon with its servos."""
  stiffness, damping = float(model.tendon_stiffness[tendon]), float(model.tendon_damping[tendon])
  for actuator in actuators(model, tendon):
    if int(model.actuator_biastype[actuator]) != int(mujoco.mjtBias.mjBIAS_AFFINE):
      continue
    gear = float(model.actuator_gear[model.actuator_outadr[actuator], 0])
    _, slope, rate = model.actuator_biasprm[actuator, :3]
    stiffness += max(0.0, -float(slope)) * gear**2
    damping += max(0.0, -float(rate)) * gear**2
  return stiffness, damping


def turn(data: mujoco.MjData, tendon: int) -> float:
  """Turning along a native path [rad]: exact at sites, the chord of each arc elsewhere."""
  places, objects = points(data, tendon)
  total, heading = 0.0, None
  for k in range(len(places) - 1):
    if PULLEY in objects[k : k + 2]:
      heading = None
      continue
    step = places[k + 1] - places[k]
    length = float(np.linalg.norm(step))
    if length < 1e-12:
      continue
    step = step / length
    if heading is not None:
      total += float(np.arctan2(np.linalg.norm(np.cross(heading, step)), heading @ step))
    heading = step
  return total
