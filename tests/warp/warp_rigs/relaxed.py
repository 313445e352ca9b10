"""A string in cells, relaxed contact by contact: slow, and nothing like the kernels' one pass."""

import numpy as np


def relax(rest, reach, give, ratio, source=None, sweeps=20000, tolerance=1e-13):
  """Tensions of a string whose material crosses a contact only on the Coulomb cone.

  The problem is convex, its kinks belong to single contacts: moving material across one contact at
  a time, as far as that contact asks, ends at the only solution. T = (reach - rest) / give; with
  `source` the first cell has that tension, whatever it takes or gives.
  """
  moved = np.zeros(len(ratio))  # toward the distal end, in all

  def tension(j):
    if j == 0 and source is not None:
      return source
    return (reach[j] - now[j]) / give[j]

  now, soft = np.array(rest, float), 1 / np.asarray(give)
  if source is not None:
    soft[0] = 0.0
  for _ in range(sweeps):
    largest = 0.0
    for i, beta in enumerate(ratio):
      # without this contact's own transfer
      now[i] += moved[i]
      now[i + 1] -= moved[i]
      before, after = tension(i), tension(i + 1)
      want = 0.0
      # material moves toward the higher tension until T_after = beta T_before, or the other way
      if after > beta * before:
        want = (after - beta * before) / (soft[i + 1] + beta * soft[i])
      elif before > beta * after:
        want = -(before - beta * after) / (soft[i] + beta * soft[i + 1])
      largest = max(largest, abs(want - moved[i]))
      moved[i] = want
      now[i] -= want
      now[i + 1] += want
    if largest < tolerance * max(reach):
      break
  return np.array([tension(j) for j in range(len(rest))]), now
