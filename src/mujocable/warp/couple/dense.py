"""Dense: a system of linear equations of one group of dofs in one world."""

import warp as wp

SMALLEST_PIVOT = wp.constant(1e-6)  # of a matrix whose diagonal is about 1: what numbers can tell


@wp.func
def add_scaled(
  part: float,
  of: int,
  to: int,
  count: int,
  w: int,
  vector: wp.array2d(dtype=float),
  matrix: wp.array2d(dtype=float),
):
  """Adds part of some numbers to others: four at a time, since memory is far."""
  k = int(0)
  while k + 4 <= count:
    a = matrix[to + k, w] + part * vector[of + k, w]
    b = matrix[to + k + 1, w] + part * vector[of + k + 1, w]
    c = matrix[to + k + 2, w] + part * vector[of + k + 2, w]
    d = matrix[to + k + 3, w] + part * vector[of + k + 3, w]
    matrix[to + k, w] = a
    matrix[to + k + 1, w] = b
    matrix[to + k + 2, w] = c
    matrix[to + k + 3, w] = d
    k += 4
  while k < count:
    matrix[to + k, w] = matrix[to + k, w] + part * vector[of + k, w]
    k += 1


@wp.func
def solve_dense(
  n: int,
  begin: int,  # of the matrix, by rows
  first: int,  # of the vector
  w: int,
  scale: wp.array2d(dtype=float),  # of columns: both make the diagonal about 1
  row_scale: wp.array2d(dtype=float),
  matrix: wp.array2d(dtype=float),
  vector: wp.array2d(dtype=float),
):
  """Gauss with a choice of rows: the vector becomes the solution. 0: there is none."""
  for j in range(n):
    pivot = int(j)
    most = wp.abs(matrix[begin + j * n + j, w]) * row_scale[first + j, w]
    for i in range(j + 1, n):
      size = wp.abs(matrix[begin + i * n + j, w]) * row_scale[first + i, w]
      if size > most:
        most = size
        pivot = i
    if not (most * scale[first + j, w] > SMALLEST_PIVOT):
      return 0
    if pivot != j:
      for k in range(j, n):
        kept = matrix[begin + j * n + k, w]
        matrix[begin + j * n + k, w] = matrix[begin + pivot * n + k, w]
        matrix[begin + pivot * n + k, w] = kept
      kept = vector[first + j, w]
      vector[first + j, w] = vector[first + pivot, w]
      vector[first + pivot, w] = kept
      row_scale[first + pivot, w] = row_scale[first + j, w]
    inverse = 1.0 / matrix[begin + j * n + j, w]
    for i in range(j + 1, n):
      part = matrix[begin + i * n + j, w] * inverse
      if part != 0.0:
        row = begin + j * n + j + 1
        add_scaled(-part, row, begin + i * n + j + 1, n - j - 1, w, matrix, matrix)
        vector[first + i, w] = vector[first + i, w] - part * vector[first + j, w]
  for back in range(n):
    i = n - 1 - back
    sum = vector[first + i, w]
    for k in range(i + 1, n):
      sum -= matrix[begin + i * n + k, w] * vector[first + k, w]
    vector[first + i, w] = sum / matrix[begin + i * n + i, w]
  return 1
