"""String: one cable in one world as a row of cells, and how each answers to tension.

Cells hold material; what one takes in is lack - give * tension. Segments of cables without wraps
are cells; arrays that are indexed with `at` have the lengths of both.
"""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false

import warp as wp

# strain below which stiffness that sets in gradually gets no softer, in parts of the transition
SOFTEST = wp.constant(1e-3)
LEAST = wp.constant(1e-9)  # a cell, in lengths of its cable


@wp.struct
class String:
  """Numbers of one cable in one world."""

  at: int  # first cell in lengths, growths and powers
  cell: int  # first cell in memory
  cells: int
  old: int  # side of the memory that counts
  moved: int  # 1: marks have moved, the material was shared out again
  fresh: int  # 1: nothing is remembered
  per_length: float  # added to the material of every cell, for its length
  offset: float  # added to that of every cell
  given: float  # to the first cell
  motor: float  # what the motor takes in within the step, for damping
  step: float
  ahead: float  # time after which the string is seen
  rigidity: float
  hold: float  # stiffness of a cell where the cable has none
  viscous: float
  alpha: float  # strain below which stiffness sets in
  least: float  # length of a cell, at least
  scale: float  # of all exponents


@wp.struct
class Cell:
  """One cell, seen as a line."""

  size: float
  material: float
  stretch: float
  strain: float
  lack: float
  give: float


@wp.func
def read_cell(
  s: String,
  j: int,
  w: int,
  strained: int,  # 1: linearize at the strain that was found
  length: wp.array2d(dtype=float),
  growth: wp.array2d(dtype=float),
  memory: wp.array3d(dtype=float),
  material: wp.array2d(dtype=float),
  strain: wp.array2d(dtype=float),
):
  """Cell j: what it takes in is a line of its tension."""
  cell = Cell()
  cell.size = length[s.at + j, w]
  cell.material = cell.size * s.per_length + s.offset
  if s.fresh == 0:
    if s.moved == 1:
      cell.material += material[s.cell + j, w]
    else:
      cell.material += memory[s.old, s.cell + j, w]
  extra = float(0.0)
  if j == 0:
    cell.material += s.given
    extra = s.motor
  grow = float(0.0)
  if s.viscous > 0.0 or s.ahead > 0.0:
    grow = growth[s.at + j, w]
  cell.stretch = (cell.size - cell.material) + s.ahead * grow
  wide = wp.max(cell.size, s.least)
  tangent = s.rigidity
  if s.hold > 0.0:
    tangent = s.hold * wide
  lift = float(0.0)
  if s.alpha > 0.0:
    if strained == 1:
      cell.strain = strain[s.cell + j, w]
    else:
      cell.strain = wp.clamp(cell.stretch / wide, SOFTEST * s.alpha, s.alpha)
    tangent = s.rigidity * cell.strain / s.alpha
    lift = -0.5 * tangent * cell.strain
  firm = tangent + s.viscous
  cell.give = wide / firm
  missing = tangent * cell.stretch + s.viscous * (s.step * grow + extra) + cell.size * lift
  cell.lack = missing / firm
  return cell
