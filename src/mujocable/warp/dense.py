"""Dense: a system of linear equations of one group of dofs in one world."""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false

import warp as wp

SMALLEST_PIVOT = wp.constant(1e-6)  # of a matrix whose diagonal is about 1: what numbers can tell


@wp.func
def solve_dense(
  n: int,
  begin: int,  # of the matrix, by rows
  first: int,  # of the vector
  w: int,
  matrix: wp.array2d(dtype=float),
  vector: wp.array2d(dtype=float),
):
  """Gauss with a choice of rows: the vector becomes the solution. 0: there is none."""
  for j in range(n):
    pivot = int(j)
    most = wp.abs(matrix[begin + j * n + j, w])
    for i in range(j + 1, n):
      size = wp.abs(matrix[begin + i * n + j, w])
      if size > most:
        most = size
        pivot = i
    if not (most > SMALLEST_PIVOT):
      return 0
    if pivot != j:
      for k in range(j, n):
        kept = matrix[begin + j * n + k, w]
        matrix[begin + j * n + k, w] = matrix[begin + pivot * n + k, w]
        matrix[begin + pivot * n + k, w] = kept
      kept = vector[first + j, w]
      vector[first + j, w] = vector[first + pivot, w]
      vector[first + pivot, w] = kept
    inverse = 1.0 / matrix[begin + j * n + j, w]
    for i in range(j + 1, n):
      part = matrix[begin + i * n + j, w] * inverse
      if part != 0.0:
        for k in range(j + 1, n):
          matrix[begin + i * n + k, w] = (
            matrix[begin + i * n + k, w] - part * matrix[begin + j * n + k, w]
          )
        vector[first + i, w] = vector[first + i, w] - part * vector[first + j, w]
  for back in range(n):
    i = n - 1 - back
    sum = vector[first + i, w]
    for k in range(i + 1, n):
      sum -= matrix[begin + i * n + k, w] * vector[first + k, w]
    vector[first + i, w] = sum / matrix[begin + i * n + i, w]
  return 1
