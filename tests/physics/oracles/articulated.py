"""Random articulated models (hinge, slide, ball, free; centers of mass off their origins) with a
cable over cylinders and spheres that are all touched at qpos0."""

from __future__ import annotations

import dataclasses

import mujoco
import numpy as np

import mujocable as mjc
from mujocable.spec.keys import laws
from oracles import build


@dataclasses.dataclass
class Scene:
  model: mujoco.MjModel
  data: mujoco.MjData
  view: object
  obstacles: list  # (geom name, kind) in route order
  route: list


def skeleton(rng, free_only=False, centered=False):
  """A spec with five moving bodies. free_only: every body floats, nothing is tied to the world.

  centered: centers of mass at the body origins; everywhere else they lie off them.
  """
  spec = build.new_spec()
  world = spec.worldbody

  def limb(parent, name):
    return build.body(
      parent,
      name,
      pos=rng.uniform(-0.4, 0.4, 3),
      quat=build.random_quat(rng),
      mass=rng.uniform(0.5, 2),
      inertia=rng.uniform(0.01, 0.0139, 3),
      com=rng.uniform(-0.2, 0.2, 3) * (not centered),
    )

  names = []
  if free_only:
    for i in range(5):
      limb(world, f"b{i}").add_joint(name=f"j{i}", type=build.FREE)
      names.append(f"b{i}")
    return spec, names
  root = limb(world, "b0")
  root.add_joint(name="j0", type=build.FREE)
  arm = limb(root, "b1")
  arm.add_joint(name="j1", type=build.HINGE, axis=_unit(rng), pos=rng.uniform(-0.2, 0.2, 3))
  hand = limb(arm, "b2")
  hand.add_joint(name="j2", type=build.BALL, pos=rng.uniform(-0.2, 0.2, 3))
  cart = limb(world, "b3")
  cart.add_joint(name="j3", type=build.SLIDE, axis=_unit(rng))
  cart.add_joint(name="j3b", type=build.HINGE, axis=_unit(rng), pos=rng.uniform(-0.2, 0.2, 3))
  pole = limb(cart, "b4")
  pole.add_joint(name="j4", type=build.BALL)
  return spec, ["world", "b0", "b1", "b2", "b3", "b4"]


def _unit(rng):
  v = rng.normal(size=3)
  return v / np.linalg.norm(v)


def scene(seed, free_only=False, spans=(1, 2), centered=False, kinds=None, **cable):
  """`spans` gives the number of wraps of each span; eyelets stand between the spans.

  The route runs along a random line in steps; every wrap is pushed half its radius into the line
  from its own direction, so all are touched. Elements sit on random bodies. `kinds`: of the wraps,
  drawn at random, when not cylinder and sphere.
  """
  rng = np.random.default_rng(seed)
  spec, names = skeleton(rng, free_only, centered)
  plain = spec.compile()
  frames = mujoco.MjData(plain)
  mujoco.mj_kinematics(plain, frames)
  turn = build.matrix(build.random_quat(rng))

  def at(body, point):
    i = plain.body(body).id
    return frames.xmat[i].reshape(3, 3).T @ (turn @ point - frames.xpos[i])

  def holder(avoid=None):
    name = rng.choice([n for n in names if n != avoid])
    return name, (spec.worldbody if name == "world" else spec.body(name))

  x = 0.0
  route, obstacles = [], []
  last, body = holder()
  build.site(body, "n0", at(last, np.zeros(3)))
  route.append(mjc.Anchor("n0"))
  for k, count in enumerate(spans):
    for i in range(count):
      x += rng.uniform(0.25, 0.35)
      last, body = holder(last)
      radius = rng.uniform(0.05, 0.08)
      push = rng.uniform(0, 2 * np.pi)
      normal = np.array([0, np.cos(push), np.sin(push)])
      center = np.array([x, 0, 0]) + 0.5 * radius * normal
      name = f"w{k}_{i}"
      index = plain.body(last).id
      inward = frames.xmat[index].reshape(3, 3).T @ turn
      if kinds is not None:
        kind = kinds[rng.integers(len(kinds))]
        side = at(last, center - 1.5 * radius * normal)
        route.append(smooth(rng, body, name, kind, at(last, center), radius, side))
        obstacles.append((name, kind))
        continue
      if rng.random() < 0.5:
        kind = "sphere"
        geom = build.sphere(body, name, at(last, center), radius)
      else:
        kind = "cylinder"
        axis = np.cross(normal, (1, 0, 0)) + rng.uniform(-0.3, 0.3, 3)
        geom = build.cylinder(
          body, name, at(last, center), radius, axis=inward @ axis, half_length=0.5
        )
      del geom
      build.site(body, f"{name}_side", at(last, center - 1.5 * radius * normal))
      route.append(mjc.Wrap(name, side=f"{name}_side"))
      obstacles.append((name, kind))
    x += rng.uniform(0.25, 0.35)
    last, body = holder(last)
    lateral = np.array([x, rng.uniform(-0.05, 0.05), rng.uniform(-0.05, 0.05)])
    build.site(body, f"n{k + 1}", at(last, lateral))
    final = k == len(spans) - 1
    route.append((mjc.Anchor if final else mjc.Eyelet)(f"n{k + 1}"))
  options = {"stiffness": 500.0, "damping": 2.0, "pretension": 20.0} | cable
  model, data, views = build.compiled(spec, mjc.Cable(name="cable", route=route, **laws(**options)))
  return Scene(model, data, views["cable"], obstacles, route)


SMOOTH = ("ellipsoid", "ring", "capsule", "box")  # every test with a random one takes it from here


def smooth(rng, body, name, kind, center, radius, side):
  """One wrap or ring of a kind; its side is a site."""
  build.site(body, f"{name}_side", side)
  quat = build.random_quat(rng)
  if kind == "ring":
    # the near part of the tube lies where a sphere would lie, the hole beyond it
    tube = 0.5 * radius
    out = (center - side) / np.linalg.norm(center - side)
    across = np.cross(out, rng.normal(size=3))
    eye = build.site(body, name, center + 3 * tube * out)
    eye.quat = build.quat_z_to(across)
    return mjc.Ring(name, 3 * tube, tube, side=f"{name}_side")
  if kind == "ellipsoid":
    build.ellipsoid(body, name, center, radius * rng.uniform(0.8, 1.3, 3), quat=quat)
  elif kind == "capsule":
    build.capsule(body, name, center, 0.9 * radius, rng.uniform(0.2, 1) * radius, quat=quat)
  elif kind == "box":
    build.box(body, name, center, radius * rng.uniform(0.7, 0.9, 3), quat=quat)
    return mjc.Wrap(name, side=f"{name}_side", rounding=0.3 * radius)
  else:
    raise ValueError(f"no random {kind}")
  return mjc.Wrap(name, side=f"{name}_side")


def shake(s, rng, size=0.02):
  """A random pose near qpos0 and a random velocity, forwarded."""
  mujoco.mj_resetData(s.model, s.data)
  mujoco.mj_integratePos(s.model, s.data.qpos, rng.uniform(-1, 1, s.model.nv) * size, 1.0)
  s.data.qvel[:] = rng.normal(size=s.model.nv) * 0.5
  mujoco.mj_forward(s.model, s.data)
