"""Short words for building scenes in an MjSpec and reading cables back."""

from __future__ import annotations

import mujoco
import numpy as np

import mujocable as mjc

CYLINDER = mujoco.mjtGeom.mjGEOM_CYLINDER
SPHERE = mujoco.mjtGeom.mjGEOM_SPHERE
HINGE = mujoco.mjtJoint.mjJNT_HINGE
SLIDE = mujoco.mjtJoint.mjJNT_SLIDE
BALL = mujoco.mjtJoint.mjJNT_BALL
FREE = mujoco.mjtJoint.mjJNT_FREE


def new_spec(timestep=1e-3, gravity=(0.0, 0.0, -9.81), integrator="implicitfast"):
  """An empty world; contacts between geoms are off unless a test turns them on."""
  spec = mujoco.MjSpec()
  spec.option.timestep = timestep
  spec.option.gravity = gravity
  spec.option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
  return spec


def site(body, name, pos):
  return body.add_site(name=name, pos=np.asarray(pos, float))


def _geom(body, name, kind, size, pos, quat, mass):
  return body.add_geom(
    name=name,
    type=kind,
    size=size,
    pos=np.asarray(pos, float),
    quat=np.asarray(quat, float),
    mass=mass,
    contype=0,
    conaffinity=0,
  )


def cylinder(body, name, pos, radius, axis=(0, 0, 1), half_length=1.0, quat=None, mass=0.0):
  """A cylinder without collisions; `axis` is its direction in the parent's frame."""
  if quat is None:
    quat = quat_z_to(axis)
  return _geom(body, name, CYLINDER, [radius, half_length, 0], pos, quat, mass)


def sphere(body, name, pos, radius, quat=(1, 0, 0, 0), mass=0.0):
  return _geom(body, name, SPHERE, [radius, 0, 0], pos, quat, mass)


def ellipsoid(body, name, pos, radii, quat=(1, 0, 0, 0), mass=0.0):
  return _geom(body, name, mujoco.mjtGeom.mjGEOM_ELLIPSOID, list(radii), pos, quat, mass)


def capsule(body, name, pos, radius, half_length, quat=(1, 0, 0, 0), mass=0.0):
  size = [radius, half_length, 0]
  return _geom(body, name, mujoco.mjtGeom.mjGEOM_CAPSULE, size, pos, quat, mass)


def box(body, name, pos, half_sizes, quat=(1, 0, 0, 0), mass=0.0):
  return _geom(body, name, mujoco.mjtGeom.mjGEOM_BOX, list(half_sizes), pos, quat, mass)


def quat_z_to(axis):
  quat = np.zeros(4)
  axis = np.asarray(axis, float)
  mujoco.mju_quatZ2Vec(quat, axis / np.linalg.norm(axis))
  return quat


def body(parent, name, pos=(0, 0, 0), quat=(1, 0, 0, 0), mass=1.0, inertia=1e-3, com=(0, 0, 0)):
  """A body with a stated inertia, so that no geom contributes by accident."""
  child = parent.add_body(name=name, pos=np.asarray(pos, float), quat=np.asarray(quat, float))
  child.mass = mass
  child.ipos = np.asarray(com, float)
  child.inertia = np.broadcast_to(np.asarray(inertia, float), (3,)).copy()
  child.explicitinertial = True
  return child


def mocap(parent, name, pos=(0, 0, 0), quat=(1, 0, 0, 0)):
  return parent.add_body(
    name=name, pos=np.asarray(pos, float), quat=np.asarray(quat, float), mocap=True
  )


def idle_joint(spec):
  """One dof far from everything: a model whose cables touch no dof still has nv > 0."""
  idle = body(spec.worldbody, "idle", pos=(0, 0, 1e4))
  idle.add_joint(name="idle", type=SLIDE, axis=(1, 0, 0))
  return idle


def compiled(spec, *cables):
  """Adds the cables; returns model, forwarded data and the dictionary of live views."""
  for cable in cables:
    mjc.add_cable(spec, cable)
  model = spec.compile()
  data = mujoco.MjData(model)
  mujoco.mj_forward(model, data)
  return model, data, mjc.bind(model, data)


def settle(model, data, qpos=None):
  """Brings the cables' memory to this pose: one step from rest there, then the pose again.

  mj_forward alone must not move any memory (theory 8), so a kinematic sweep needs a step.
  """
  pose = np.array(data.qpos if qpos is None else qpos, float)
  data.qpos[:] = pose
  data.qvel[:] = 0
  mujoco.mj_step(model, data)
  data.qpos[:] = pose
  data.qvel[:] = 0
  mujoco.mj_forward(model, data)


def is_valid(view):
  return int(view.status) == 0


def plane_pose(angle):
  """Rotation about y by `angle`, as a matrix (the planar rigs live in the x-z plane)."""
  c, s = np.cos(angle), np.sin(angle)
  return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def random_quat(rng):
  quat = rng.normal(size=4)
  return quat / np.linalg.norm(quat)


def matrix(quat):
  out = np.zeros(9)
  quat = np.asarray(quat, float)
  mujoco.mju_quat2Mat(out, quat / np.linalg.norm(quat))
  return out.reshape(3, 3)


def tendon_jacobian(model, data, tendon=0):
  """Dense moment-arm row of a native tendon."""
  row = np.zeros(model.nv)
  begin, count = model.ten_J_rowadr[tendon], model.ten_J_rownnz[tendon]
  row[model.ten_J_colind[begin : begin + count]] = data.ten_J[begin : begin + count]
  return row
