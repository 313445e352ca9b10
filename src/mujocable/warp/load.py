"""Load: tensions along the segments -> generalized load, and what they weigh in the step."""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false

import warp as wp


@wp.func
def products(
  k: int,
  w: int,
  product_rows: wp.array2d(dtype=int),
  row_segment: wp.array(dtype=int),
  gradient: wp.array2d(dtype=float),
  mass: wp.array2d(dtype=float),
  group: wp.array2d(dtype=int),
):
  """What a pair of dofs weighs in the step, over all tensions of the cable; the same of sizes."""
  sum = float(0.0)
  most = float(0.0)
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
      sum += weight * one * two
      most += weight * wp.abs(one * two)
  return wp.vec2(sum, most)


@wp.kernel(module="unique", enable_backward=False)
def load_kernel(
  loads: int,  # 0: not now
  masses: int,
  load_dof: wp.array(dtype=int),
  load_begin: wp.array(dtype=int),
  load_row: wp.array(dtype=int),
  mass_begin: wp.array(dtype=int),  # by dof of the list: entries of its row of the mass matrix
  mass_address: wp.array(dtype=int),
  entry_begin: wp.array(dtype=int),  # by entry: its products
  cable_heavy: wp.array2d(dtype=int),
  tension: wp.array2d(dtype=float),
  product_cable: wp.array(dtype=int),
  product_rows: wp.array2d(dtype=int),
  product_lumped: wp.array(dtype=int),
  product_ease: wp.array(dtype=float),
  row_segment: wp.array(dtype=int),
  gradient: wp.array2d(dtype=float),
  mass: wp.array2d(dtype=float),
  group: wp.array2d(dtype=int),
  qfrc: wp.array2d(dtype=float),
  inertia: wp.array2d(dtype=float),
):
  """Load of the tensions on every dof, by virtual work; and the stiffness of cables that stick, as
  a mass: what the step does not resolve is slowed."""
  i, w = wp.tid()
  if loads == 1:
    load = float(0.0)
    for k in range(load_begin[i], load_begin[i + 1]):
      r = load_row[k]
      load += tension[row_segment[r], w] * gradient[r, w]
    qfrc[w, load_dof[i]] = qfrc[w, load_dof[i]] - load
  if masses == 0:
    return
  any = int(0)
  for c in range(cable_heavy.shape[0]):
    any += cable_heavy[c, w]
  if any == 0:
    return
  for e in range(mass_begin[i], mass_begin[i + 1]):
    sum = float(0.0)
    for k in range(entry_begin[e], entry_begin[e + 1]):
      if cable_heavy[product_cable[k], w] == 1:
        both = products(k, w, product_rows, row_segment, gradient, mass, group)
        if product_lumped[k] == 0:
          sum += both[0]
        else:
          # two dofs that the mass matrix does not connect: both get heavier, by no less than the
          # pair would make them, each for its size
          sum += both[1] * product_ease[k]
    if sum != 0.0:
      inertia[w, mass_address[e]] = inertia[w, mass_address[e]] + sum


@wp.kernel(module="unique", enable_backward=False)
def between_trees_kernel(
  tree_dof: wp.array(dtype=int),  # all dofs of the trees that cables connect
  tree_entry: wp.array2d(dtype=int),  # address in the mass matrix, row and column among those
  tree_product: wp.array2d(dtype=int),  # a product, row and column among those
  cable_heavy: wp.array2d(dtype=int),
  product_cable: wp.array(dtype=int),
  product_rows: wp.array2d(dtype=int),
  product_lumped: wp.array(dtype=int),
  product_ease: wp.array(dtype=float),
  row_segment: wp.array(dtype=int),
  gradient: wp.array2d(dtype=float),
  mass: wp.array2d(dtype=float),
  group: wp.array2d(dtype=int),
  timestep: wp.array(dtype=float),
  damping: wp.array2d(dtype=float),
  inertia: wp.array2d(dtype=float),
  bias: wp.array2d(dtype=float),
  applied: wp.array2d(dtype=float),
  actuator: wp.array2d(dtype=float),
  constraints: wp.array(dtype=int),
  matrix: wp.array2d(dtype=float),  # scratch
  change: wp.array2d(dtype=float),  # scratch
  passive: wp.array2d(dtype=float),
):
  """The same for pairs of dofs in different trees, which the pattern does not have.

  The mass matrix makes dofs of different trees heavier than cables between them do. What that takes
  from their acceleration is given back here: the acceleration is found as it would be.
  """
  w = wp.tid()
  n = tree_dof.shape[0]
  # a constraint answers to what is given back, one step late: where one acts, nothing is
  if constraints[w] > 0:
    return
  any = float(0.0)
  for e in range(tree_product.shape[0]):
    k = tree_product[e, 0]
    if product_lumped[k] == 1 and cable_heavy[product_cable[k], w] == 1:
      both = products(k, w, product_rows, row_segment, gradient, mass, group)
      any += both[1]
  if any == 0.0:
    return
  for i in range(n * n):
    matrix[i, w] = 0.0
  for e in range(tree_entry.shape[0]):
    at = tree_entry[e, 1] * n + tree_entry[e, 2]
    matrix[at, w] = inertia[w, tree_entry[e, 0]]
  h = timestep[w % timestep.shape[0]]
  for i in range(n):
    dof = tree_dof[i]
    matrix[i * n + i, w] = matrix[i * n + i, w] + h * damping[w % damping.shape[0], dof]
    change[i, w] = passive[w, dof] - bias[w, dof] + applied[w, dof] + actuator[w, dof]
  for e in range(tree_product.shape[0]):
    row = tree_product[e, 1]
    column = tree_product[e, 2]
    k = tree_product[e, 0]
    if column <= row and cable_heavy[product_cable[k], w] == 1:
      both = products(k, w, product_rows, row_segment, gradient, mass, group)
      matrix[row * n + column, w] = matrix[row * n + column, w] + both[0]
  # Cholesky, then both triangles
  for j in range(n):
    for i in range(j, n):
      sum = matrix[i * n + j, w]
      for k in range(j):
        sum -= matrix[i * n + k, w] * matrix[j * n + k, w]
      if i == j:
        matrix[j * n + j, w] = wp.sqrt(wp.max(sum, 1.0e-20))
      else:
        matrix[i * n + j, w] = sum / matrix[j * n + j, w]
  for i in range(n):
    sum = change[i, w]
    for k in range(i):
      sum -= matrix[i * n + k, w] * change[k, w]
    change[i, w] = sum / matrix[i * n + i, w]
  for back in range(n):
    i = n - 1 - back
    sum = change[i, w]
    for k in range(i + 1, n):
      sum -= matrix[k * n + i, w] * change[k, w]
    change[i, w] = sum / matrix[i * n + i, w]
  for e in range(tree_product.shape[0]):
    k = tree_product[e, 0]
    if product_lumped[k] == 1 and cable_heavy[product_cable[k], w] == 1:
      row = tree_product[e, 1]
      both = products(k, w, product_rows, row_segment, gradient, mass, group)
      back_given = (
        both[1] * product_ease[k] * change[row, w] - both[0] * change[tree_product[e, 2], w]
      )
      passive[w, tree_dof[row]] = passive[w, tree_dof[row]] + back_given
