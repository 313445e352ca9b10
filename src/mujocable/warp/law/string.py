"""String: one cable in one world as a row of cells, and how each answers to tension (13).

Cells hold material; what one takes in is lack - give * tension (16). A cell is four numbers:
length, friction times angle of the contact behind it, how fast it grows, material before the step.
What is guessed of it, one number: whether the contact behind it slides, 2 or -2, to which the
strain is added, in parts of the transition, or from which it is taken.
"""

import functools

import warp as wp

from mujocable.warp.law.record import Path

# strain below which stiffness that sets in gradually gets no softer, in parts of the transition
SOFTEST = wp.constant(1e-3)
LEAST = wp.constant(1e-9)  # a cell, in lengths of its cable
# of cells whose stiffness is not the cable's, in parts of that times the step: as in the plugin
HOLD_DAMPING = wp.constant(0.25)


@wp.struct
class String:
  """Numbers of one cable in one world."""

  first: int  # cell; so are the next
  segment: int
  contact: int
  cells: int
  old: int  # side of the memory that counts
  fresh: int  # 1: nothing is remembered, 2: it was slack, and its material lies evenly
  # material before anything slips
  rest: float  # of the whole cable
  per_length: float  # added to that of every cell, for its length
  offset: float  # added to that of every cell
  given: float  # to the first cell
  # the source
  commanded: int  # 1: its tension is given
  command: float
  most: float  # tension
  off: int  # 1: it is switched off
  motor: float  # what it takes in within the step
  unfelt: float  # of that, what the damper does not see
  # the whole
  step: float
  per_step: float
  total: float  # length
  rubs: int  # 1: somewhere
  rigid: int  # 1: its rigidity is constant
  stiffness: float
  damping: float
  transition: float
  stretch: float  # where the step begins
  grows: float  # within the step
  # where the step is seen
  lean: float  # a of the step: how far toward its end
  ahead: float  # the time until then
  by_change: float  # what an acceleration of a length makes of it there
  seen: float  # stretch of the whole
  damper: float  # per length grown in the step
  part: float  # of that which is damped
  # the law of cells
  rigidity: float
  viscous: float
  alpha: float  # strain below which stiffness sets in
  hold: float  # stiffness of a cell where the cable has none
  least: float  # length of a cell, at least
  steepest: float  # exponent of a mark, at most
  # the line of a cell whose stiffness is constant: lack = elastic * stretch + drag * growth
  elastic: float
  drag: float
  give: float  # of every cell
  give_per_length: float


@wp.struct
class Cell:
  """One cell, seen as a line."""

  wide: float  # length, never zero
  material: float
  stretch: float
  strain: float  # in parts of the transition
  lack: float
  give: float
  answer: float  # of the lack to an acceleration of the length


@wp.func
def guessed_way(guess: float):
  """Which way material slides over the contact behind a cell."""
  way = int(0)
  if guess > 1.5:
    way = 1
  if guess < -1.5:
    way = -1
  return way


@wp.func
def guess_of(way: int, strain: float):
  """The number that is remembered."""
  guess = strain
  if way != 0:
    guess = float(way) * (2.0 + strain)
  return guess


@wp.func
def worth_of_material(s: String, t: float):
  """What a length of material gives where it leaves a piece with this tension: its strain too."""
  x = float(0.0)
  if s.rigid == 1 and s.rigidity > 0.0:
    x = t / s.rigidity
  return t * (1.0 + x * (1.0 / 2.0 + x * (1.0 / 3.0 + x * 0.25)))


@wp.func
def damp(s: String, heavy: int):
  """The damper, where the string is seen: no more growth than there is stretch, if that is ahead;
  and what all lines have in common."""
  line = s
  line.damper = 0.0
  line.part = 1.0
  if s.commanded == 0 and s.seen > 0.0:
    line.damper = s.damping / s.step
    if s.seen < s.transition:
      line.damper *= s.seen / s.transition
    damped = s.grows - s.unfelt
    if heavy == 1 and damped > s.seen:
      line.part = s.seen / damped
  line.viscous = line.part * line.damper * s.total
  if s.hold > 0.0:
    line.elastic = 1.0 / (1.0 + HOLD_DAMPING)
    line.drag = HOLD_DAMPING * s.step * line.elastic
    line.give = line.elastic / s.hold
  else:
    softness = 1.0 / (s.rigidity + line.viscous)
    line.elastic = s.rigidity * softness
    line.drag = line.viscous * s.step * softness
    line.give_per_length = softness
  return line


@functools.cache
def lines(gradual: bool, coupled: bool):
  """Function: cell j as a line; `gradual`: stiffness may set in gradually; `coupled`: bodies
  accelerate."""

  @wp.func
  def line_of(s: String, j: int, w: int, values: wp.vec4, guess: float, again: int, path: Path):
    cell = Cell()
    size = values[0]
    grow = values[2]
    unfelt = float(0.0)
    cell.material = size * s.per_length + s.offset
    if s.fresh == 0:
      cell.material += values[3]
    if j == 0:
      cell.material += s.given
      grow += s.motor * s.per_step  # the motor goes on within the step
      unfelt = s.unfelt * s.per_step
    cell.stretch = (size - cell.material) + s.ahead * grow
    grow -= unfelt
    if wp.static(coupled):
      along = path.along[s.first + j, w]
      cell.stretch += s.by_change * along
      grow += s.step * along
    cell.wide = wp.max(size, s.least)
    if wp.static(gradual):  # noqa: SIM102 - known when the kernel is built
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
        softness = 1.0 / (tangent + s.viscous)
        elastic = tangent * (cell.stretch - 0.5 * part * s.alpha * size)
        cell.lack = softness * (elastic + s.viscous * s.step * grow)
        cell.give = softness * cell.wide
        if wp.static(coupled):
          cell.answer = softness * (tangent * s.by_change + s.viscous * s.step * s.step)
        return cell
    cell.lack = s.elastic * cell.stretch + s.drag * grow
    cell.give = s.give + s.give_per_length * cell.wide
    if wp.static(coupled):
      cell.answer = s.elastic * s.by_change + s.drag * s.step
    return cell

  return line_of
