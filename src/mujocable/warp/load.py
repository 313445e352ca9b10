"""Load: tensions along the segments -> generalized load, and what they weigh in the step."""

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
  pair_rows: wp.array2d(dtype=int),
  pair_weight: wp.array(dtype=float),
  pair_lumped: wp.array(dtype=int),
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
    r = pair_rows[k, 0]
    q = pair_rows[k, 1]
    s = row_segment[r]
    weight = mass[s, w]
    if weight > 0.0 and (r == q or group[s, w] == group[row_segment[q], w]):
      x = gradient[r, w] * gradient[q, w]
      if pair_lumped[k] == 1:
        x = wp.abs(x)
      sum += weight * pair_weight[k] * x
  if sum != 0.0:
    inertia[w, mass_address[i]] = inertia[w, mass_address[i]] + sum
