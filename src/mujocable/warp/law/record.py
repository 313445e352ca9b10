"""Record: the arrays that the law reads and writes, by what they belong to."""

import warp as wp


@wp.struct
class Cables:
  """Tables by cable, the same in all worlds."""

  segment: wp.array(dtype=int)  # the first one; so are the next
  contact: wp.array(dtype=int)
  cell: wp.array(dtype=int)
  contacts: wp.array(dtype=int)
  cells: wp.array(dtype=int)
  totals: wp.array2d(dtype=int)  # begin, end; so are the rows
  rows: wp.array2d(dtype=int)
  shared: wp.array(dtype=int)
  lever: wp.array(dtype=float)  # most mobility along it, of all that share its bodies
  firmest: wp.array(dtype=float)  # stiffness at which lengths still show tensions
  at_start: wp.array(dtype=int)  # its law is evaluated where the step begins
  length_rate: wp.array(dtype=int)  # damping does not see the motor
  rigid: wp.array(dtype=int)  # its rigidity is given
  spool: wp.array(dtype=int)  # gradient of the joint that takes it in, -1: none
  transition: wp.array(dtype=float)
  reserve: wp.array(dtype=float)
  row_segment: wp.array(dtype=int)
  row_dof: wp.array(dtype=int)
  row_mobility: wp.array(dtype=float)


@wp.struct
class TakeUps:
  """Tables by cable: where its command is read."""

  kind: wp.array(dtype=int)
  address: wp.array(dtype=int)
  gain: wp.array(dtype=float)
  reference: wp.array(dtype=float)
  limits: wp.array2d(dtype=float)
  tension: wp.array(dtype=int)
  motor: wp.array(dtype=int)  # 1: act follows the control, 2: it integrates that
  control: wp.array(dtype=int)
  lag: wp.array(dtype=float)
  rate: wp.array(dtype=float)  # limit of the activation; 0: none
  dof: wp.array(dtype=int)


@wp.struct
class Parameters:
  """By cable and world; friction, by contact, went into the powers of the path."""

  stiffness: wp.array2d(dtype=float)
  damping: wp.array2d(dtype=float)
  home_length: wp.array2d(dtype=float)
  pretension: wp.array2d(dtype=float)
  max_tension: wp.array2d(dtype=float)
  friction: wp.array2d(dtype=float)


@wp.struct
class Path:
  """What the stages before have found."""

  cells: wp.array2d(dtype=wp.vec4)
  totals: wp.array2d(dtype=wp.vec3)  # length, growth and exponents of pieces of cables
  gradient: wp.array2d(dtype=float)
  pull: wp.array2d(dtype=float)  # by cable: of the tendon that drives it
  touching: wp.array2d(dtype=int)
  along: wp.array2d(dtype=float)  # by cell: acceleration of its length, where that is looked for


@wp.struct
class Memory:
  """Two sides each: the step before, and this one."""

  side: wp.array(dtype=int)
  fresh: wp.array2d(dtype=int)
  material: wp.array3d(dtype=float)  # by cell
  guess: wp.array3d(dtype=float)  # by cell: what the next step tries first
  rest: wp.array3d(dtype=float)  # by cable: material that it has
  sum: wp.array3d(dtype=float)  # by cable: what its cells have in single precision
  taken: wp.array3d(dtype=float)
  slack: wp.array3d(dtype=int)  # by cable: 1: no tension, material even
  grows: wp.array3d(dtype=float)  # by cable: how much longer the step made its stretch


@wp.struct
class Results:
  """By cable, segment or contact."""

  length: wp.array2d(dtype=float)
  rest_length: wp.array2d(dtype=float)
  take_up: wp.array2d(dtype=float)
  tension: wp.array2d(dtype=float)
  slip: wp.array2d(dtype=float)
  stuck: wp.array2d(dtype=int)
  dissipation: wp.array2d(dtype=float)
  rounds: wp.array2d(dtype=int)
  older: wp.array2d(dtype=float)  # part of the tension that was there one step ago
  heavy: wp.array2d(dtype=int)  # 1: what follows counts
  mass: wp.array2d(dtype=float)  # by segment: what a product of gradients weighs in the step
  group: wp.array2d(dtype=int)  # by segment: same number, same tension
  pool: wp.array2d(dtype=float)  # by segment: length of all that have that tension


@wp.struct
class Record:
  """All that the law of a cable reads and writes, and its scratch."""

  marks: wp.array(dtype=int)  # by contact: how many; the same in all worlds, as the next
  apart: wp.array(dtype=int)  # 1: the mass matrix takes what is beside it as apart, rub it or not
  path: Path
  memory: Memory
  head: wp.array2d(dtype=float)  # scratch, by cell
  pieces: wp.array3d(dtype=wp.vec3)  # scratch, for two cells and more each
  results: Results


@wp.func
def write_contact(
  results: Results, contact: int, segment: int, w: int, t: float, slip: float, lost: float,
  holds: int
):  # fmt: skip
  """Results of a contact, and the tension of the segment behind it."""
  results.tension[segment, w] = t
  results.slip[contact, w] = slip
  results.dissipation[contact, w] = lost
  results.stuck[contact, w] = holds


@wp.func
def keep_cell(memory: Memory, side: int, cell: int, w: int, guess: float, material: float):
  """What a cell remembers."""
  memory.guess[side, cell, w] = guess
  memory.material[side, cell, w] = material
