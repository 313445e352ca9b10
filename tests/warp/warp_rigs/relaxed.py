"""A string in cells, relaxed contact by contact: slow, and nothing like the kernels' one pass."""

import numpy as np


def relax(rest, reach, give, ratio, sweeps=20000, tolerance=1e-13):
  """Tensions of a string whose material crosses a contact only on the Coulomb cone.

  The problem is convex, its kinks belong to single contacts: moving material across one contact at
  a time, as far as that contact asks, ends at the only solution. T = (reach - rest) / give.
  """
  moved = np.zeros(len(ratio))  # toward the distal end, in all

  def tension(j):
    return (reach[j] - now[j]) / give[j]

  now = np.array(rest, float)
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
        want = (after - beta * before) / (1 / give[i + 1] + beta / give[i])
      elif before > beta * after:
        want = -(before - beta * after) / (1 / give[i] + beta / give[i + 1])
      largest = max(largest, abs(want - moved[i]))
      moved[i] = want
      now[i] -= want
      now[i + 1] += want
    if largest < tolerance * max(reach):
      break
  return np.array([tension(j) for j in range(len(rest))]), now
