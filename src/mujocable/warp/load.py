"""Load: tensions along the segments -> generalized load, and what they weigh in the step."""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false

import warp as wp


@wp.kernel(module="unique", enable_backward=False)
def load_kernel(
  load_dof: wp.array(dtype=int),
  load_begin: wp.array(dtype=int),
  load_row: wp.array(dtype=int),
  row_segment: wp.array(dtype=int),
  gradient: wp.array2d(dtype=float),
  tension: wp.array2d(dtype=float),
  qfrc: wp.array2d(dtype=float),
):
  i, w = wp.tid()
  sum = float(0.0)
  for k in range(load_begin[i], load_begin[i + 1]):
    r = load_row[k]
    sum += tension[row_segment[r], w] * gradient[r, w]
  qfrc[w, load_dof[i]] = qfrc[w, load_dof[i]] - sum


@wp.kernel(module="unique", enable_backward=False)
def mass_kernel(
  mass_address: wp.array(dtype=int),
  mass_begin: wp.array(dtype=int),
  product_rows: wp.array2d(dtype=int),
  product_lumped: wp.array(dtype=int),
  product_ease: wp.array(
    dtype=float
  ),  # root of the mobility of the second dof in that of the first
  row_segment: wp.array(dtype=int),
  gradient: wp.array2d(dtype=float),
  mass: wp.array2d(dtype=float),
  group: wp.array2d(dtype=int),
  inertia: wp.array2d(dtype=float),
):
  # the stiffness of a cable that sticks, as a mass: what the step does not resolve is slowed
  i, w = wp.tid()
  sum = float(0.0)
  for k in range(mass_begin[i], mass_begin[i + 1]):
    a = product_rows[k, 0]
    while a < product_rows[k, 1]:
      s = row_segment[a]
      g = group[s, w]
      weight = mass[s, w]
      one = float(0.0)
      while a < product_rows[k, 1] and group[row_segment[a], w] == g:
        one += gradient[a, w]
        a += 1
      if weight > 0.0 and one != 0.0:
        two = float(0.0)
        for b in range(product_rows[k, 2], product_rows[k, 3]):
          if group[row_segment[b], w] == g:
            two += gradient[b, w]
        if product_lumped[k] == 0:
          sum += weight * one * two
        elif two != 0.0:
          # two dofs that the mass matrix does not connect: both get heavier, by no less than the
          # pair would make them, each for its size
          sum += weight * wp.abs(one * two) * product_ease[k]
  if sum != 0.0:
    inertia[w, mass_address[i]] = inertia[w, mass_address[i]] + sum
