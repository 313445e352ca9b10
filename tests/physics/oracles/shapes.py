"""Signed distances of smooth surfaces in numpy: ellipsoid (also as a mesh), capsule, box, ring."""

from __future__ import annotations

import mujoco
import numpy as np

import mujocable as mjc

CLOSED = ("sphere", "cylinder")  # judged by closed forms, not here


def kind_of(model, element):
  """Its name."""
  if isinstance(element, mjc.Ring):
    return "ring"
  return mujoco.mjtGeom(int(model.geom(element.geom).type[0])).name[7:].lower()


def is_smooth(model, element):
  """Whether it is one of those without a closed form."""
  return isinstance(element, mjc.Wrap | mjc.Ring) and kind_of(model, element) not in CLOSED


def known_to(model, element):
  """How far a surface may be from its shape [m], and its normal [rad]: a mesh is a fitted one.

  Of an ellipsoid as a mesh of 1,280 faces, its box being that of its axes: 3e-4 of its size.
  """
  if kind_of(model, element) != "mesh":
    return 0.0, 0.0
  return 3e-4 * model.geom(element.geom).size.max(), 1e-2


def gap(model, data, element, radius, points):
  """Distance of points from where the cable's center runs, negative inside, and the normals."""
  kind = kind_of(model, element)
  part = data.site(element.site) if kind == "ring" else data.geom(element.geom)
  mat = part.xmat.reshape(3, 3)
  x = (np.atleast_2d(points) - part.xpos) @ mat
  if kind == "ring":
    rho = np.maximum(np.hypot(x[:, 0], x[:, 1]), 1e-300)[:, None]
    away = x - x * np.array([1.0, 1.0, 0.0]) / rho * element.radius
    distance, normal = _away(away, element.tube + radius)
  elif kind in ("ellipsoid", "mesh"):
    foot = _foot(x, model.geom(element.geom).size)
    normal = foot / np.square(model.geom(element.geom).size)
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    distance = np.sum((x - foot) * normal, axis=1) - radius
  else:
    size = model.geom(element.geom).size
    rounding = element.rounding or 0.0
    core = np.array([0, 0, size[1]]) if kind == "capsule" else size - rounding
    away = x - np.clip(x, -core, core)
    distance, normal = _away(away, (size[0] if kind == "capsule" else rounding) + radius)
  return distance, normal @ mat.T


def _away(away, radius):
  size = np.linalg.norm(away, axis=1)
  return size - radius, away / np.maximum(size, 1e-300)[:, None]


def _foot(x, radii):
  """The point of the ellipsoid nearest to x: Newton on its multiplier, monotone from the left."""
  square = np.square(radii)
  tau = np.max(np.abs(x) * radii - square, axis=1)
  for _ in range(12):
    share = np.square(x * radii / (tau[:, None] + square))
    slope = 2 * np.sum(share / (tau[:, None] + square), axis=1)
    tau = tau + (np.sum(share, axis=1) - 1) / np.maximum(slope, 1e-300)
  return x * square / (tau[:, None] + square)
