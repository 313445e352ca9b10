"""Load: tensions along the segments -> generalized load, and what they weigh in the step."""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false

import warp as wp

from mujocable.warp.law.record import Weights


@wp.func
def products(
  k: int,
  w: int,
  weights: Weights,
  gradient: wp.array2d(dtype=float),
  mass: wp.array2d(dtype=float),
  group: wp.array2d(dtype=int),
):
  """What a pair of dofs weighs in the step, over all tensions of the cable; the same of sizes."""
  sum = float(0.0)
  most = float(0.0)
  a = weights.rows[k, 0]
  while a < weights.rows[k, 1]:
    s = weights.row_segment[a]
    g = group[s, w]
    weight = mass[s, w]
    one = float(0.0)
    while a < weights.rows[k, 1] and group[weights.row_segment[a], w] == g:
      one += gradient[a, w]
      a += 1
    if weight > 0.0 and one != 0.0:
      two = float(0.0)
      for b in range(weights.rows[k, 2], weights.rows[k, 3]):
        if group[weights.row_segment[b], w] == g:
          two += gradient[b, w]
      sum += weight * one * two
      most += weight * wp.abs(one * two)
  return wp.vec2(sum, most)


@wp.kernel(module="unique", enable_backward=False)
def load_kernel(
  load_dof: wp.array(dtype=int),
  load_begin: wp.array(dtype=int),
  load_row: wp.array(dtype=int),
  mass_begin: wp.array(dtype=int),  # by dof of the list: entries of its row of the mass matrix
  mass_address: wp.array(dtype=int),
  entry_begin: wp.array(dtype=int),  # by entry: its products
  cable_heavy: wp.array2d(dtype=int),
  tension: wp.array2d(dtype=float),
  weights: Weights,
  gradient: wp.array2d(dtype=float),
  mass: wp.array2d(dtype=float),
  group: wp.array2d(dtype=int),
  qfrc: wp.array2d(dtype=float),
  inertia: wp.array2d(dtype=float),
):
  """Load of the tensions on every dof, by virtual work; and the stiffness of cables that stick, as
  a mass: what the step does not resolve is slowed."""
  i, w = wp.tid()
  load = float(0.0)
  for k in range(load_begin[i], load_begin[i + 1]):
    r = load_row[k]
    load += tension[weights.row_segment[r], w] * gradient[r, w]
  qfrc[w, load_dof[i]] = qfrc[w, load_dof[i]] - load
  any = int(0)
  for c in range(cable_heavy.shape[0]):
    any += cable_heavy[c, w]
  if any == 0:
    return
  for e in range(mass_begin[i], mass_begin[i + 1]):
    sum = float(0.0)
    for k in range(entry_begin[e], entry_begin[e + 1]):
      if cable_heavy[weights.cable[k], w] == 1:
        both = products(k, w, weights, gradient, mass, group)
        if weights.lumped[k] == 0:
          sum += both[0]
        else:
          # two dofs that the mass matrix does not connect: both get heavier, by no less than the
          # pair would make them, each for its size
          sum += both[1] * weights.ease[k]
    if sum != 0.0:
      inertia[w, mass_address[e]] = inertia[w, mass_address[e]] + sum
