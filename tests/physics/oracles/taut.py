"""Second implementation of the taut path over cylinders and spheres.

One wrap between two points is a closed form. Several wraps in a span are relaxed: each wrap is
solved between its neighbours' current contact points, over and over (coordinate descent on the
length), until nothing moves. Slow, simple, and independent of the natural-variation Newton.
"""

from __future__ import annotations

import dataclasses

import numpy as np


@dataclasses.dataclass
class Obstacle:
  """kind 'cylinder' (axis = local z) or 'sphere'; `side` is a world point on the wanted side."""

  kind: str
  radius: float
  pos: np.ndarray
  mat: np.ndarray
  side: np.ndarray | None = None


@dataclasses.dataclass
class Arc:
  entry: np.ndarray
  exit: np.ndarray
  length: float
  wrap_angle: float  # turning of the tangent


@dataclasses.dataclass
class Taut:
  length: float
  arcs: list  # Arc, or None where the cable is lifted


def wrapped_to_pi(angle):
  return (angle + np.pi) % (2 * np.pi) - np.pi


def over_cylinder(start, end, radius, turn):
  """Taut path around the z axis with total signed polar angle `turn` from start to end."""
  reach_a, reach_b = np.hypot(*start[:2]), np.hypot(*end[:2])
  lead_a = np.arccos(min(1.0, radius / reach_a))
  lead_b = np.arccos(min(1.0, radius / reach_b))
  sign = 1.0 if turn >= 0 else -1.0
  wound = abs(turn) - lead_a - lead_b
  if wound <= 0:
    return np.linalg.norm(end - start), None
  free_a = np.sqrt(max(0.0, reach_a**2 - radius**2))
  free_b = np.sqrt(max(0.0, reach_b**2 - radius**2))
  flat = free_a + radius * wound + free_b
  rise = end[2] - start[2]
  total = np.hypot(flat, rise)
  angle_p = np.arctan2(start[1], start[0]) + sign * lead_a
  angle_q = angle_p + sign * wound
  p = np.array(
    [radius * np.cos(angle_p), radius * np.sin(angle_p), start[2] + rise * free_a / flat]
  )
  q = np.array([radius * np.cos(angle_q), radius * np.sin(angle_q), end[2] - rise * free_b / flat])
  # normal curvature cos^2 / r along an arc of length r wound / cos
  return total, Arc(p, q, radius * wound * total / flat, wound * flat / total)


def turn_through(start, end, side):
  """Signed polar angle about z of the polyline start -> side -> end."""
  a = np.arctan2(start[1], start[0])
  s = np.arctan2(side[1], side[0])
  b = np.arctan2(end[1], end[0])
  return wrapped_to_pi(s - a) + wrapped_to_pi(b - s)


def over_sphere(start, end, radius):
  """Taut path over a sphere at the origin: the great circle in the plane of both points."""
  reach_a, reach_b = np.linalg.norm(start), np.linalg.norm(end)
  u = start / reach_a
  across = end - u * (u @ end)
  w = across / np.linalg.norm(across)
  opening = np.arctan2(np.linalg.norm(across), u @ end)
  lead_a, lead_b = np.arccos(min(1.0, radius / reach_a)), np.arccos(min(1.0, radius / reach_b))
  wound = opening - lead_a - lead_b
  if wound <= 0:
    return np.linalg.norm(end - start), None
  p = radius * (u * np.cos(lead_a) + w * np.sin(lead_a))
  q = radius * (u * np.cos(lead_a + wound) + w * np.sin(lead_a + wound))
  free = np.sqrt(reach_a**2 - radius**2) + np.sqrt(reach_b**2 - radius**2)
  return free + radius * wound, Arc(p, q, radius * wound, wound)


def over_one(start, end, obstacle):
  """One obstacle between two world points."""
  a = obstacle.mat.T @ (start - obstacle.pos)
  b = obstacle.mat.T @ (end - obstacle.pos)
  if obstacle.kind == "sphere":
    length, arc = over_sphere(a, b, obstacle.radius)
  else:
    s = obstacle.mat.T @ (obstacle.side - obstacle.pos)
    length, arc = over_cylinder(a, b, obstacle.radius, turn_through(a, b, s))
  if arc is not None:
    arc.entry = obstacle.pos + obstacle.mat @ arc.entry
    arc.exit = obstacle.pos + obstacle.mat @ arc.exit
  return length, arc


def taut_path(start, end, obstacles, sweeps=20000, tolerance=2e-15):
  """Relaxes a span with any number of obstacles; raises when it does not settle."""
  start, end = np.asarray(start, float), np.asarray(end, float)
  size = np.linalg.norm(end - start) + sum(o.radius for o in obstacles)
  # first guess: the side points, so that the class is the authored one
  arcs = []
  for o in obstacles:
    if o.side is None:
      arcs.append(None)
    else:
      arcs.append(Arc(o.side, o.side, 0.0, 0.0))
  for _ in range(sweeps):
    moved = 0.0
    for i, o in enumerate(obstacles):
      before = next((arcs[j].exit for j in range(i - 1, -1, -1) if arcs[j] is not None), start)
      after = next(
        (arcs[j].entry for j in range(i + 1, len(obstacles)) if arcs[j] is not None), end
      )
      _, arc = over_one(before, after, o)
      if (arc is None) != (arcs[i] is None):
        moved = np.inf
      elif arc is not None:
        step = max(np.abs(arc.entry - arcs[i].entry).max(), np.abs(arc.exit - arcs[i].exit).max())
        moved = max(moved, step)
      arcs[i] = arc
    if moved < tolerance * size:
      return Taut(_measure(start, end, arcs), arcs)
  if moved < 1e-10 * size:
    return Taut(_measure(start, end, arcs), arcs)
  raise RuntimeError(f"relaxation still moves by {moved}")


def _measure(start, end, arcs):
  total, here = 0.0, start
  for arc in arcs:
    if arc is not None:
      total += np.linalg.norm(arc.entry - here) + arc.length
      here = arc.exit
  return total + np.linalg.norm(end - here)
