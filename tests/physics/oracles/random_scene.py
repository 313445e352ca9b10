"""Random scenes for the property test: any joints, any route, any take-up, any parameters."""

from __future__ import annotations

import mujoco
import numpy as np

import mujocable as mjc
from mujocable.spec.keys import laws
from oracles import articulated, build, solids

KINK, DEPTH = 1e-6, 1e-6  # thresholds every random cable declares


def scene(rng):
  """spec, cable, scale; the caller compiles (some are refused: surfaces that overlap, say)."""
  scale = 10.0 ** rng.uniform(-2, 1)
  spec = build.new_spec(
    timestep=float(rng.choice([2.5e-4, 5e-4, 2e-3])),
    gravity=(0, 0, -9.81 * scale),
    integrator=str(rng.choice(["euler", "implicitfast", "rk4"])),
  )
  holders = _bodies(spec, rng, scale)
  points = _nodes(rng, scale)
  route = _route(spec, rng, scale, holders, points)
  weight = 9.81 * scale
  stiff = 10.0 ** rng.uniform(1, 3)
  options = dict(
    damping=float(rng.uniform(0, 5)),
    friction=float(rng.choice([0.0, rng.uniform(0, 0.6)])),
    radius=float(rng.choice([0.0, 0.004 * scale])),
    transition=float(rng.choice([0.0, 1e-4, 1e-2]) * scale),
    max_smoothness=KINK,
    max_penetration=DEPTH * scale,
  )
  kind = rng.integers(5)
  if kind == 0:
    options |= {"take_up": mjc.TensionCommand(range=(0.0, float(5 * weight)))}
  else:
    options |= {"stiffness": float(stiff), "pretension": float(rng.uniform(0, 2) * weight)}
  if kind == 1:
    options["take_up"] = mjc.LengthCommand(range=(-0.2 * scale, 0.2 * scale))
  if kind == 2:
    options["take_up"] = mjc.SpoolRate(radius=0.03 * scale, range=(-20.0, 20.0))
  if kind == 3 and rng.random() < 0.5:
    options["take_up"] = mjc.LengthCommand(range=(-0.2 * scale, 0.2 * scale), lag=0.02)
  if rng.random() < 0.3:
    options["max_tension"] = float(4 * weight)
  return spec, mjc.Cable(name="cable", route=route, **laws(**options)), scale


def _facet(spec, name):
  """The ellipsoid of a geom as a mesh of 1,280 faces, vertices on its axes."""
  geom = spec.geom(name)
  vertices, faces = solids.ellipsoid(geom.size, 8)
  solids.add_mesh(spec, name, vertices, faces)
  geom.type, geom.meshname = mujoco.mjtGeom.mjGEOM_MESH, name


def _unit(rng):
  v = rng.normal(size=3)
  return v / np.linalg.norm(v)


def _bodies(spec, rng, scale):
  """Names of bodies to hang elements on, the world among them, with their poses at qpos0."""
  mass = 1.0
  for i in range(rng.integers(2, 5)):
    parents = [spec.worldbody, *[spec.body(f"b{k}") for k in range(i)]]
    parent = parents[0] if rng.random() < 0.6 else parents[rng.integers(len(parents))]
    limb = build.body(
      parent,
      f"b{i}",
      pos=rng.uniform(-0.5, 0.5, 3) * scale,
      quat=build.random_quat(rng),
      mass=mass * rng.uniform(0.5, 2),
      inertia=rng.uniform(0.05, 0.07, 3) * scale**2,
      com=rng.uniform(-0.1, 0.1, 3) * scale,
    )
    kinds = [build.HINGE, build.SLIDE, build.BALL]
    top = parent.name == "world"
    kind = ([*kinds, build.FREE] if top else kinds)[rng.integers(4 if top else 3)]
    if kind in (build.HINGE, build.SLIDE):
      limb.add_joint(name=f"j{i}", type=kind, axis=_unit(rng))
    else:
      limb.add_joint(name=f"j{i}", type=kind)
  model = spec.compile()
  data = mujoco.MjData(model)
  mujoco.mj_kinematics(model, data)
  return {
    model.body(k).name: (data.xpos[k].copy(), data.xmat[k].reshape(3, 3).copy())
    for k in range(model.nbody)
  }


def _nodes(rng, scale):
  count = rng.integers(2, 5)
  points = np.cumsum(rng.uniform(-0.2, 0.2, (count, 3)) + np.array([0.5, 0, 0]), axis=0)
  return (points - points.mean(axis=0)) * scale


def _holder(spec, rng, holders):
  name = list(holders)[rng.integers(len(holders))]
  return (spec.worldbody if name == "world" else spec.body(name)), *holders[name]


def _route(spec, rng, scale, holders, points):
  route, wraps = [], 0
  for k, point in enumerate(points):
    body, pos, mat = _holder(spec, rng, holders)
    drum = k == 0 and rng.random() < 0.25
    if drum:
      # a barrel with the anchor on it; the cable leaves toward the next point
      outer = rng.uniform(0.03, 0.1) * scale
      axis = _unit(rng)
      away = np.cross(axis, points[1] - point)
      away *= (-1) ** rng.integers(2) / np.linalg.norm(away)
      spoke = build.matrix(_turn(axis, rng.uniform(0.5, 2.5) * (-1) ** rng.integers(2))) @ away
      build.cylinder(
        body, "drum", mat.T @ (point - pos), outer, axis=mat.T @ axis, half_length=2 * scale
      )
      build.site(body, "n0", mat.T @ (point + outer * spoke - pos))
      build.site(body, "drum_side", mat.T @ (point + 1.5 * outer * away - pos))
      route += [mjc.Anchor("n0"), mjc.Wrap("drum", side="drum_side")]
      wraps += 1
    else:
      build.site(body, f"n{k}", mat.T @ (point - pos))
      inner = 0 < k < len(points) - 1
      route.append((mjc.Eyelet if inner else mjc.Anchor)(f"n{k}"))
    if k == len(points) - 1:
      break
    count = min(rng.integers(0, 3), 4 - wraps)
    for part in np.sort(rng.uniform(0.25, 0.75, count)):
      route.append(_wrap(spec, rng, scale, holders, point, points[k + 1], part, f"w{wraps}"))
      wraps += 1
  return route


def _turn(axis, angle):
  quat = np.zeros(4)
  mujoco.mju_axisAngle2Quat(quat, axis, angle)
  return quat


def _wrap(spec, rng, scale, holders, start, end, part, name):
  body, pos, mat = _holder(spec, rng, holders)
  radius = rng.uniform(0.02, 0.12) * scale
  along = start + part * (end - start)
  push = np.cross(end - start, _unit(rng))
  push /= np.linalg.norm(push)
  center = along + push * rng.uniform(-1.3, 1.3) * radius
  if rng.random() < 0.15:
    kind = articulated.SMOOTH[rng.integers(len(articulated.SMOOTH))]
    toward = along - center if np.linalg.norm(along - center) > 1e-9 * scale else push
    toward = toward / np.linalg.norm(toward) * (-1 if rng.random() < 0.2 else 1)
    middle, side = mat.T @ (center - pos), mat.T @ (center + 1.5 * radius * toward - pos)
    wrap = articulated.smooth(rng, body, name, kind, middle, radius, side)
    if kind == "ellipsoid" and int(1e6 * radius / scale) % 4 == 0:
      _facet(spec, name)
    return wrap
  if rng.random() < 0.4:
    build.sphere(body, name, mat.T @ (center - pos), radius)
  else:
    axis = np.cross(push, end - start) / np.linalg.norm(end - start) + 0.4 * _unit(rng)
    half = rng.choice([2.0, 0.15]) * scale
    build.cylinder(body, name, mat.T @ (center - pos), radius, axis=mat.T @ axis, half_length=half)
  way = rng.integers(3)
  if way == 0:
    return mjc.Wrap(name)
  toward = along - center
  toward = push if np.linalg.norm(toward) < 1e-9 * scale else toward / np.linalg.norm(toward)
  if rng.random() < 0.2:
    toward = -toward
  build.site(body, f"{name}_side", mat.T @ (center + 1.4 * radius * toward - pos))
  permanent = bool(rng.random() < 0.1)
  return mjc.Wrap(name, side=f"{name}_side", permanent=permanent)


def drive(model, data, view, step):
  """Commands a cable to and fro about the middle of its range, where it takes commands."""
  if view.actuator is not None:
    low, high = model.actuator_ctrlrange[view.actuator]
    data.ctrl[view.actuator] = 0.5 * (low + high) + 0.3 * (high - low) * np.sin(0.07 * step)
