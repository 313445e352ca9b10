"""Closed form of a planar belt over circles: common tangents and arcs, no iteration.

Circles carry a sign: +1 when the cable turns counter-clockwise around them, -1 clockwise.
Parallel cylinders unroll into one plane, so a rise along their axis adds as in a right triangle.
"""

from __future__ import annotations

import numpy as np


def tangent(center_a, radius_a, sign_a, center_b, radius_b, sign_b):
  """Contact points and direction of the directed line tangent to two signed circles."""
  gap = np.asarray(center_b, float) - np.asarray(center_a, float)
  distance = np.hypot(*gap)
  # right-hand normal n of direction e: a counter-clockwise circle lies to the left of the line
  offset = sign_a * radius_a - sign_b * radius_b
  length = np.sqrt(distance**2 - offset**2)
  heading = np.arctan2(gap[1], gap[0]) + np.arctan2(offset, length)
  e = np.array([np.cos(heading), np.sin(heading)])
  right = np.array([e[1], -e[0]])
  return (
    np.asarray(center_a) + sign_a * radius_a * right,
    np.asarray(center_b) + sign_b * radius_b * right,
    e,
    length,
  )


def belt(start, circles, end, rise=0.0):
  """start, end: 2-D points; circles: (center, radius, sign). Length, entries, exits, angles.

  With `rise` the cylinders are parallel and the cable climbs by it from start to end; entries and
  exits are then 3-D, angles are the turning of the tangent.
  """
  nodes = [(start, 0.0, 1.0), *circles, (end, 0.0, 1.0)]
  lines = [tangent(*nodes[i], *nodes[i + 1]) for i in range(len(nodes) - 1)]
  flat, stations, wounds = 0.0, [], []
  for i, line in enumerate(lines):
    flat += line[3]
    if i < len(circles):
      _, radius, sign = circles[i]
      e_in, e_out = line[2], lines[i + 1][2]
      turning = np.arctan2(e_in[0] * e_out[1] - e_in[1] * e_out[0], e_in @ e_out) * sign
      wound = turning % (2 * np.pi)
      begin = flat
      flat += radius * wound
      stations.append((begin, flat))
      wounds.append(wound)
  total = np.hypot(flat, rise)
  lift = rise / flat
  entries = [np.append(lines[i][1], lift * stations[i][0]) for i in range(len(circles))]
  exits = [np.append(lines[i + 1][0], lift * stations[i][1]) for i in range(len(circles))]
  angles = np.array(wounds) * flat / total
  return total, np.array(entries), np.array(exits), angles
