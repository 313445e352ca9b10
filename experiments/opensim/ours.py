"""The path of MuJoCable over a scene."""

import mujoco
import numpy as np

import mujocable as mjc
from experiments.opensim.judge import Path, value
from experiments.opensim.scenes import Scene, Surface


def solve(scene: Scene) -> Path | None:
  """The path from the hints; None where there is none that is valid."""
  spec = mujoco.MjSpec()
  world = spec.worldbody
  moved = world.add_body(name="moved", mass=1.0, inertia=(1, 1, 1))  # a model must move
  moved.add_joint(name="slide", type=mujoco.mjtJoint.mjJNT_SLIDE)
  world.add_site(name="origin", pos=scene.origin)
  world.add_site(name="insertion", pos=scene.insertion)
  route: list = [mjc.Anchor("origin")]
  for i, s in enumerate(scene.surfaces):
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, s.mat.ravel())
    name, hint = f"s{i}", tuple(float(x) for x in s.hint)
    if s.kind == "torus":
      world.add_site(name=name, pos=s.pos, quat=quat)
      route.append(mjc.Ring(name, *s.radii, side=hint))
      continue
    size = {
      "sphere": (s.radii[0], 0, 0),
      "cylinder": (s.radii[0], 50.0, 0),
      "ellipsoid": s.radii,
    }[s.kind]
    kind = getattr(mujoco.mjtGeom, f"mjGEOM_{s.kind.upper()}")
    world.add_geom(name=name, type=kind, pos=s.pos, quat=quat, size=size, contype=0, conaffinity=0)
    route.append(mjc.Wrap(name, side=hint))
  route.append(mjc.Anchor("insertion"))
  try:
    mjc.add_cable(spec, mjc.Cable("cable", route, mjc.Axial(stiffness=100.0)))
    model = spec.compile()
  except (mjc.CableError, ValueError) as error:
    if "the route cannot start" not in str(error):
      raise
    return None
  data = mujoco.MjData(model)
  mujoco.mj_forward(model, data)
  view = mjc.bind(model, data)["cable"]
  if int(view.status) != 0:
    return None
  touched, entry, leave = [], [], []
  line = np.array(view.points)
  for i in np.flatnonzero(np.asarray(view.touching)):
    for first, last in _bearings(scene.surfaces[i], line, view.entry[i], view.exit[i]):
      touched.append(int(i))
      entry.append(first)
      leave.append(last)
  rows = len(touched)
  return Path(
    float(view.length),
    tuple(touched),
    np.array(entry).reshape(rows, 3),
    np.array(leave).reshape(rows, 3),
  )


def _bearings(s: Surface, line: np.ndarray, entry: np.ndarray, leave: np.ndarray) -> list:
  """Where it bears on a surface: once, or on both sides of the hole of a ring."""
  if s.kind != "torus":
    return [(entry, leave)]
  ends = [int(np.argmin(np.linalg.norm(line - x, axis=1))) for x in (entry, leave)]
  for k in range(ends[0], ends[1]):
    # pieces of an arc cut its surface, what is free between two arcs does not
    if value(s, s.local(0.5 * (line[k] + line[k + 1])))[0] > 1e-9:
      return [(entry, line[k]), (line[k + 1], leave)]
  return [(entry, leave)]
