"""Closed form of a cable wound on a drum: an end fixed on the barrel, the other end anywhere."""

from __future__ import annotations

import numpy as np


def wound_length(radius, far, rise, wound):
  """Length and turning of a cable wound by `wound` radians that leaves for a point at distance far.

  `far` is measured from the axis, `rise` along it; `wound` is the polar angle of the arc.
  """
  flat = radius * wound + np.sqrt(far**2 - radius**2)
  total = np.hypot(flat, rise)
  return total, wound * flat / total
