"""Rows of one to eight mixed surfaces between two points, each with a hint for its side."""

from dataclasses import dataclass
from typing import Any

import numpy as np

KINDS = ("cylinder", "sphere", "ellipsoid", "torus")
SPACING = 2.1  # between centers; every surface fits into a ball of half of it [m]


@dataclass(frozen=True)
class Surface:
  """A surface with its pose; the axis of cylinder and torus is the third column of `mat`."""

  kind: str
  radii: tuple[float, ...]  # cylinder, sphere: one; ellipsoid: three; torus: ring and tube [m]
  pos: np.ndarray
  mat: np.ndarray
  hint: np.ndarray  # in its own frame [m]

  def local(self, x: Any) -> np.ndarray:
    """A point of the world in the frame of the surface."""
    return (np.asarray(x) - self.pos) @ self.mat


@dataclass(frozen=True)
class Scene:
  """Two ends and what lies between them, in order."""

  origin: np.ndarray
  insertion: np.ndarray
  surfaces: tuple[Surface, ...]

  @property
  def words(self) -> str:
    """Its surfaces by name."""
    return " ".join(s.kind for s in self.surfaces)


def random_scene(count: int, seed: int, hints: str = "near") -> Scene:
  """`count` surfaces in a row along x that the line between the ends runs through or past.

  hints: "near": about where the string comes out, on the side of that line; "any": at random, so
  that some ask for a side on which nothing holds a string.
  """
  rng = np.random.default_rng([count, seed, len(hints)])
  middle = 0.5 * SPACING * (count - 1)
  surfaces = []
  for i in range(count):
    kind = KINDS[rng.integers(len(KINDS))]
    mat = _rotation(rng)
    if kind == "cylinder":
      # across the row: it has no ends, and must not run into its neighbors
      angle = rng.uniform(0, 2 * np.pi)
      axis = np.array([0.0, np.cos(angle), np.sin(angle)])
      mat = np.column_stack([np.array([1.0, 0, 0]), np.cross(axis, [1.0, 0, 0]), axis])
      radii = (rng.uniform(0.12, 0.3),)
    elif kind == "sphere":
      radii = (rng.uniform(0.12, 0.3),)
    elif kind == "ellipsoid":
      radii = tuple(rng.uniform(0.18, 0.48, 3))
    else:
      ring = rng.uniform(0.3, 0.6)
      radii = (ring, ring * rng.uniform(0.1, 0.5))
    pos = np.array([SPACING * i - middle, *rng.uniform(-0.2, 0.2, 2)])
    # the line between the ends is the x-axis, more or less
    aside = rng.uniform(-1, 1, 3) if hints == "any" else -pos + rng.uniform(-0.05, 0.05, 3)
    aside[0] = 0
    hint = mat.T @ (aside / np.linalg.norm(aside))
    surfaces.append(
      Surface(kind, tuple(float(r) for r in radii), pos, mat, sum(radii[:2]) * 1.2 * hint)
    )
  end = middle + 2.0
  origin = np.array([-end, *rng.uniform(-0.2, 0.2, 2)])
  insertion = np.array([end, *rng.uniform(-0.2, 0.2, 2)])
  return Scene(origin, insertion, tuple(surfaces))


def _rotation(rng: np.random.Generator) -> np.ndarray:
  mat, _ = np.linalg.qr(rng.normal(size=(3, 3)))
  return mat * np.linalg.det(mat)
