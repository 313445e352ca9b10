"""Sheaves: wheels that turn with their cable, so that friction takes nothing from its tension."""

import mujoco
import numpy as np

from mujocable.spec.carrier import HIDDEN_GROUP

_OFF = 1e-3  # of the radius, or of one: further from the axis it is not centered on it


def turns_free(model: mujoco.MjModel, geom: int) -> bool:
  """Whether a cylinder is a wheel of its own: on one hinge along its axis that nothing holds or
  drives, balanced, with nothing fastened to it."""
  body = int(model.geom_bodyid[geom])
  if model.geom_type[geom] != mujoco.mjtGeom.mjGEOM_CYLINDER or model.body_jntnum[body] != 1:
    return False
  joint = int(model.body_jntadr[body])
  dof = int(model.jnt_dofadr[joint])
  if model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_HINGE:
    return False
  held = (
    model.jnt_limited[joint] or np.any(model.jnt_stiffness[joint]) or _in_equality(model, joint)
  )
  if held or model.dof_frictionloss[dof] > 0 or _driven(model, joint):
    return False
  fastened = (model.site_bodyid == body) & (model.site_group != HIDDEN_GROUP)
  if np.any(model.body_parentid[1:] == body) or np.any(fastened):
    return False
  axis = model.jnt_axis[joint]
  own = np.zeros(9)
  mujoco.mju_quat2Mat(own, model.geom_quat[geom])
  if np.linalg.norm(np.cross(axis, own.reshape(3, 3)[:, 2])) > _OFF:
    return False
  centers = np.array([model.geom_pos[geom], model.body_ipos[body]]) - model.jnt_pos[joint]
  off = np.linalg.norm(np.cross(axis, centers), axis=1)
  return bool(np.all(off <= _OFF * model.geom_size[geom, 0]))


def _in_equality(model: mujoco.MjModel, joint: int) -> bool:
  of_joints = model.eq_type == int(mujoco.mjtEq.mjEQ_JOINT)
  return bool(np.any(of_joints & ((model.eq_obj1id == joint) | (model.eq_obj2id == joint))))


def _driven(model: mujoco.MjModel, joint: int) -> bool:
  kinds = (int(mujoco.mjtTrn.mjTRN_JOINT), int(mujoco.mjtTrn.mjTRN_JOINTINPARENT))
  of_joints = np.isin(model.actuator_trntype, kinds)
  if np.any(of_joints & (model.actuator_trnid[:, 0] == joint)):
    return True
  # fixed tendons, but those that only carry a cable
  mine = (model.wrap_type == int(mujoco.mjtWrap.mjWRAP_JOINT)) & (model.wrap_objid == joint)
  owners = np.searchsorted(model.tendon_adr, np.flatnonzero(mine), side="right") - 1
  return bool(np.any(model.tendon_group[owners] != HIDDEN_GROUP))
