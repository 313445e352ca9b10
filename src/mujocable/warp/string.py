"""String: one cable in one world as a row of cells, and how each answers to tension.

Cells hold material; what one takes in is lack - give * tension. A cell is four numbers: length,
friction times angle of the contact behind it, how fast it grows, material before the step. What is
guessed of it, one number: whether the contact behind it slides, 2 or -2, to which the strain is
added, in parts of the transition, or from which it is taken.
"""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false

import warp as wp

# strain below which stiffness that sets in gradually gets no softer, in parts of the transition
SOFTEST = wp.constant(1e-3)
LEAST = wp.constant(1e-9)  # a cell, in lengths of its cable


@wp.struct
class String:
  """Numbers of one cable in one world."""

  first: int  # cell
  cells: int
  old: int  # side of the memory that counts
  fresh: int  # 1: nothing is remembered
  wrapped: int  # 1: its cells are not its segments
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

  wide: float  # length, never zero
  material: float
  stretch: float
  strain: float
  lack: float
  give: float


@wp.func
def guessed_way(guess: float):
  """Which way material slides over the contact behind a cell."""
  if guess > 1.5:
    return 1
  if guess < -1.5:
    return -1
  return 0


@wp.func
def guess_of(way: int, strain: float):
  """The number that is remembered."""
  if way > 0:
    return 2.0 + strain
  if way < 0:
    return -2.0 - strain
  return strain


@wp.func
def line_of(s: String, j: int, values: wp.vec4, guess: float, again: int):
  """Cell j: what it takes in as a line of its tension, at the strain that is guessed."""
  cell = Cell()
  size = values[0]
  cell.material = size * s.per_length + s.offset
  if s.fresh == 0:
    cell.material += values[3]
  extra = float(0.0)
  if j == 0:
    cell.material += s.given
    extra = s.motor
  grow = values[2]
  cell.stretch = (size - cell.material) + s.ahead * grow
  cell.wide = wp.max(size, s.least)
  tangent = s.rigidity
  if s.hold > 0.0:
    tangent = s.hold * cell.wide
  lift = float(0.0)
  if s.alpha > 0.0:
    part = wp.abs(guess)
    if part > 1.5:
      part -= 2.0
    elif again == 0:
      # material stays: so does the strain
      part = cell.stretch / (cell.wide * s.alpha)
    part = wp.clamp(part, SOFTEST, 1.0)
    cell.strain = part
    tangent = s.rigidity * part
    lift = -0.5 * tangent * part * s.alpha
  firm = tangent + s.viscous
  cell.give = cell.wide / firm
  missing = tangent * cell.stretch + s.viscous * (s.step * grow + extra) + size * lift
  cell.lack = missing / firm
  return cell
