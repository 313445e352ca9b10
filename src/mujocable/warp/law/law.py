"""Law: take-up, path and material of the step before -> tensions and material of one cable;
the order of (11) to (17)."""

import functools

import warp as wp

from mujocable.warp.law.record import Cables, Memory, Parameters, Path, Record, TakeUps
from mujocable.warp.law.string import LEAST, String, damp
from mujocable.warp.law.takeup import read_takeup
from mujocable.warp.law.tension import even_tension, tensions
from mujocable.warp.law.weigh import look_ahead, speed_up, write_weights
from mujocable.warp.layout.parts import CONTROL

# threads of a block and blocks at once: registers for no more, or half of 32,768 worlds would wait;
# chosen by benchmarks.warp_worlds
_BOUNDS = (128, 4)
MAX_EXPONENTS = wp.constant(40.0)  # of all ratios of a cable together: what numbers can hold
_CONTROL = wp.constant(CONTROL)


@wp.func
def steepest(first: int, cells: int, w: int, path: Path):
  """The largest exponent of a mark with which numbers hold all ratios of a cable together: steeper
  ones count as that, and the others as they are."""
  most = MAX_EXPONENTS / float(cells)
  for _round in range(4):
    sum = float(0.0)
    above = int(0)
    for j in range(first, first + cells):
      exponent = path.cells[j, w][1]
      sum += wp.min(exponent, most)
      above += wp.where(exponent > most, 1, 0)
    if above > 0:
      most += wp.max(MAX_EXPONENTS - sum, 0.0) / float(above)
  return most


@wp.func
def measure(c: int, w: int, h: float, cables: Cables, parameters: Parameters, path: Path):
  """The string as the stages before have found it, and its axial law; how fast it grows."""
  s = String()
  s.step = h
  s.per_step = 1.0 / h
  s.segment = cables.segment[c]
  s.contact = cables.contact[c]
  s.first = cables.cell[c]
  s.cells = cables.cells[c]
  totals = wp.vec3()
  for i in range(cables.totals[c, 0], cables.totals[c, 1]):
    totals += path.totals[i, w]
  s.total = totals[0]
  s.rubs = wp.where(totals[2] > 0.0, 1, 0)
  s.least = LEAST * s.total
  s.steepest = MAX_EXPONENTS
  if totals[2] > MAX_EXPONENTS:
    s.steepest = steepest(s.first, s.cells, w, path)
  s.stiffness = parameters.stiffness[c, w]
  s.damping = parameters.damping[c, w]
  s.transition = cables.transition[c]
  home = parameters.home_length[c, w]
  s.rigid = wp.max(s.rubs, cables.rigid[c])
  if s.rigid == 0:
    for i in range(s.contact, s.contact + cables.contacts[c]):
      if parameters.friction[i, w] > 0.0:
        s.rigid = 1
  if s.rigid == 1 and home > 0.0 and s.total > 0.0:
    # where it rubs, a piece that sticks keeps its tension however long the others become
    s.stiffness *= home / s.total
    s.transition *= s.total / home
  s.rigidity = s.stiffness * s.total
  s.most = parameters.max_tension[c, w]
  return s, totals[1]


@wp.func
def sound(x: float):
  """1: a number, and not negative."""
  return wp.where(wp.isfinite(x) and x >= 0.0, 1, 0)


@wp.func
def doubt(s: String, c: int, w: int, cables: Cables, parameters: Parameters, memory: Memory):
  """The string as it is, or switched off and as it was, where its parameters are none that a cable
  can have: whoever writes them may write anything."""
  home = parameters.home_length[c, w]
  good = sound(parameters.stiffness[c, w]) * sound(parameters.damping[c, w]) * sound(home)
  good *= sound(wp.abs(parameters.pretension[c, w]))
  if home <= 0.0 or not parameters.max_tension[c, w] >= 0.0:
    good = 0
  for i in range(s.contact, s.contact + cables.contacts[c]):
    good *= sound(parameters.friction[i, w])
  t = s
  if good == 0:
    t.off = 1
    t.rest = wp.where(s.fresh == 1, s.total, memory.rest[s.old, c, w])
  return t


@wp.func
def lead(
  whole: String,
  c: int,
  w: int,
  position: float,  # of the motor
  taken: float,
  kind: int,
  cables: Cables,
  memory: Memory,
):
  """What the source gives: a tension, or material since the step before."""
  s = whole
  if s.commanded == 1:
    s.motor = 0.0
    if wp.isfinite(position):
      s.command = wp.clamp(position, 0.0, s.most)
    if s.stiffness <= 0.0:
      # as an explicit step can follow, and numbers can tell
      s.hold = cables.firmest[c]
      if cables.lever[c] > 0.0:
        s.hold = wp.min(s.hold, 1.0 / (s.step * s.step * cables.lever[c]))
    if s.fresh == 1:
      s.per_length = 1.0
      if s.stiffness <= 0.0:
        s.offset = -s.command / s.hold
      else:
        s.per_length = 1.0 - s.command / s.rigidity
    if s.fresh == 2:
      s.per_length = memory.sum[s.old, c, w] / s.total
  else:
    s.alpha = s.transition / s.total
    if s.fresh == 1:
      s.per_length = s.rest / s.total
      if kind == _CONTROL:
        s.motor = 0.0
    else:
      was = memory.rest[s.old, c, w]
      s.per_length = was / s.total
      if s.fresh == 0:
        s.per_length -= memory.sum[s.old, c, w] / s.total  # what rounding lost
      s.given = s.rest - was
      if kind == _CONTROL:
        s.motor = taken - memory.taken[s.old, c, w]
  s.unfelt = s.motor * float(cables.length_rate[c])
  return s


@wp.func
def push(
  c: int, w: int, cables: Cables, path: Path, applied: wp.array2d(dtype=float),
  outer: wp.array2d(dtype=float)
):  # fmt: skip
  """Acceleration of the length by what is applied from outside, as if every dof gave way alone."""
  sum = float(0.0)
  for r in range(cables.rows[c, 0], cables.rows[c, 1]):
    dof = cables.row_dof[r]
    force = applied[w, dof] + outer[w, dof]
    sum += wp.abs(path.gradient[r, w] * cables.row_mobility[r] * force)
  return sum


@wp.func
def given_back(strain: float):
  """What comes back of taking out material with this strain, over its rigidity: -ln(1 - x)."""
  if strain > 0.05:
    return -wp.log(1.0 - strain)
  return strain * (1.0 + strain * (1.0 / 2.0 + strain * (1.0 / 3.0 + strain * 0.25)))


@wp.func
def cost_of_material(pull: float, onset: float):
  """What it costs to take material out of a piece with this tension, over that; `pull`: the tension
  over the rigidity, `onset`: the strain over which that sets in."""
  if pull <= 0.0:
    return 1.0
  t = wp.min(pull, 0.9 - 0.5 * onset)  # as far as any cable goes
  x = wp.where(2.0 * t > onset, t + 0.5 * onset, wp.sqrt(2.0 * t * onset))
  begun = wp.min(x, onset)
  worth = given_back(x) - given_back(begun)
  if begun > 0.0:
    worth += begun * begun / onset * (1.0 / 2.0 + begun * (1.0 / 3.0 + begun * 0.25))
  return worth / t


@wp.func
def spool_gain(s: String, radius: float, w: int, r: Record):
  """How far the load of a cable turns the joint that takes it in, per tension."""
  gain = float(radius)
  if s.rigid == 1:
    gain *= cost_of_material(r.results.tension[s.segment, w] / s.rigidity, s.alpha)
  return gain


@wp.func
def older_part(s: String, heavy: int):
  """Tension of the stretch one step ago, in parts of the present one: what a cable that lengthens
  gains at this speed the motion may take back within the step."""
  part = float(1.0)
  if s.commanded == 0 and s.grows > 0.0:
    now = even_tension(s)
    t = s
    t.seen = s.stretch - s.grows
    if now > 0.0:
      part = even_tension(damp(t, heavy)) / now
  return part


@functools.cache
def law(gradual: bool, marked: bool, coupled: bool, swings: bool):
  """Kernel: one cable in one world. `gradual`: stiffness may set in gradually; `marked`: contacts
  may have several marks; `coupled`: couple.py goes on with what is heavy, `swings`: swing.py."""
  find_tensions = tensions(gradual, marked, False)

  @wp.kernel(module="unique", enable_backward=False, launch_bounds=_BOUNDS)
  def law_kernel(
    cables: Cables,
    takeups: TakeUps,
    parameters: Parameters,
    timestep: wp.array(dtype=float),
    gravity: wp.array(dtype=wp.vec3),
    qpos: wp.array2d(dtype=float),
    qvel: wp.array2d(dtype=float),
    ctrl: wp.array2d(dtype=float),
    act: wp.array2d(dtype=float),
    applied: wp.array2d(dtype=float),  # on dofs
    outer: wp.array2d(dtype=float),  # on bodies, by dof
    actuated: int,  # 0: commands are switched off
    record: Record,
    strings: wp.array2d(dtype=String),
  ):
    c, w = wp.tid()
    h = timestep[w % timestep.shape[0]]
    s, growth = measure(c, w, h, cables, parameters, record.path)
    s.old = record.memory.side[w]
    s.fresh = record.memory.fresh[s.old, w]
    if s.fresh == 0 and record.memory.slack[s.old, c, w] == 1:
      s.fresh = 2
    pull = record.path.pull
    position, motor, off = read_takeup(c, w, h, actuated, takeups, qpos, qvel, ctrl, act, pull)
    s.motor = motor
    s.off = off
    s.commanded = takeups.tension[c]
    taken = float(0.0)
    if s.commanded == 0:
      taken = takeups.gain[c] * position
      s.motor *= takeups.gain[c]
    kept = cables.reserve[c]
    s.rest = parameters.home_length[c, w] - taken - parameters.pretension[c, w] + kept
    s = doubt(s, c, w, cables, parameters, record.memory)
    s = lead(s, c, w, position, taken, takeups.kind[c], cables, record.memory)
    new = 1 - s.old
    record.memory.taken[new, c, w] = taken
    record.memory.rest[new, c, w] = s.rest
    record.results.length[c, w] = s.total
    record.results.take_up[c, w] = taken
    record.results.rest_length[c, w] = s.rest - kept

    # where the step is seen, and the tensions there
    s.stretch = s.total - s.rest
    s.grows = s.motor + h * growth
    fall = speed_up(s, c, w, record.memory)
    if wp.static(coupled):
      fall += 2.0 * h * h * wp.length(gravity[w % gravity.shape[0]])  # of both its ends
      if s.stretch <= 0.0:
        fall += h * h * push(c, w, cables, record.path, applied, outer)
    lean, heavy = look_ahead(s, c, w, fall, cables, record)
    s.lean = lean
    s.ahead = lean * h
    s.seen = s.stretch + lean * s.grows
    s = damp(s, heavy)
    taut, sum, round = find_tensions(s, 2 * (s.first + c), w, 0, record)
    if cables.spool[c] >= 0:
      record.path.gradient[cables.spool[c], w] = spool_gain(s, takeups.gain[c], w, record)
    record.memory.sum[new, c, w] = sum
    record.memory.slack[new, c, w] = wp.where(taut == 0, 1, 0)
    if wp.static(swings):
      record.results.older[c, w] = older_part(s, heavy)
    if wp.static(not coupled):
      heavy *= wp.max(taut, 0)
    heavy *= 1 - s.off
    record.results.rounds[c, w] = round
    record.results.heavy[c, w] = heavy
    if heavy == 1:
      write_weights(s, w, cables.contacts[c] + 1, record.results)
      if wp.static(coupled):
        strings[c, w] = s

  return law_kernel
