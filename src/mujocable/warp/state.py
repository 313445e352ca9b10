"""State: all arrays of the cables of many worlds, and when a world starts anew.

Memory has two sides: an evaluation reads one and writes the other, and the next one turns them over
if time has passed. So any number of evaluations between steps changes nothing.
"""

import numpy as np
import warp as wp

from mujocable.warp.couple.couple import Coupled
from mujocable.warp.couple.groups import Groups
from mujocable.warp.home import Home
from mujocable.warp.law.record import Parameters, Record
from mujocable.warp.law.string import String
from mujocable.warp.law.swing import Moving
from mujocable.warp.layout.parts import Layout
from mujocable.warp.path.precision import SINGLE
from mujocable.warp.path.spans import records
from mujocable.warp.tables import Tables

Sides = records(SINGLE).Sides
NEVER = -1e30  # time stamp of a world that has not been evaluated

# what a world may have of its own, and what can be read: name -> one per
PARAMETERS = {
  "stiffness": "cable",
  "damping": "cable",
  "home_length": "cable",
  "pretension": "cable",
  "max_tension": "cable",
  "friction": "contact",
}
RESULTS = {
  "length": "cable",
  "rest_length": "cable",
  "take_up": "cable",
  "tension": "segment",
  "touching": "contact",
  "wrap_angle": "contact",
  "slip_rate": "contact",
  "stuck": "contact",
  "dissipation": "contact",
}


@wp.kernel(module="unique", enable_backward=False)
def begin_kernel(
  time: wp.array(dtype=float),
  stamp: wp.array(dtype=float),
  sides: Sides,
  wraps: int,
  home_touching: wp.array(dtype=int),
  home_swept: wp.array(dtype=float),
  home_plane: wp.array(dtype=wp.vec3),
  home_entry: wp.array(dtype=wp.vec3),
):
  """Starts a world anew whose time went back, else turns its two memories around."""
  w = wp.tid()
  now = time[w]
  before = stamp[w]
  s = sides.side[w]
  if before > -1.0e29:
    if now > before:
      s = 1 - s
      sides.side[w] = s
    elif now < before:
      before = -2.0e30  # the world was reset
  if before < -1.0e29:
    sides.fresh[s, w] = 1
    for i in range(wraps):
      sides.touching[s, i, w] = home_touching[i]
      sides.swept[s, i, w] = home_swept[i]
      sides.plane[s, i, w] = home_plane[i]
      sides.entry[s, i, w] = home_entry[i]
  sides.fresh[1 - s, w] = 0
  stamp[w] = now


@wp.kernel(module="unique", enable_backward=False)
def forget_kernel(chosen: wp.array(dtype=wp.bool), stamp: wp.array(dtype=float)):
  """Marks chosen worlds, so that their next step starts anew."""
  w = wp.tid()
  if chosen[w]:
    stamp[w] = -2.0e30


class State:
  """Arrays of all worlds, (count, worlds): numbers of worlds lie side by side."""

  def __init__(self, layout: Layout, tables: Tables, home: Home, nworld: int):
    self.nworld = nworld
    self.arrays: list[wp.array] = []
    cables, contacts = len(layout.cables), max(layout.contacts, 1)
    self.parameters = {
      name: self._real(cables if kind == "cable" else contacts) for name, kind in PARAMETERS.items()
    }
    self.of_cables = Parameters()
    for name, array in self.parameters.items():
      setattr(self.of_cables, name, array)
    self.record = Record()
    self.record.marks, self.record.apart = tables.contact_marks, tables.contact_apart
    self.path, self.memory, self.results = self.record.path, self.record.memory, self.record.results
    self._add_memory(layout, tables, home)
    self._add_path(layout, tables)
    self._add_results(cables, layout.segments, contacts, tables.cells)

  def _add_memory(self, layout: Layout, tables: Tables, home: Home) -> None:
    real, integer, vector = self._real, self._integer, self._vector
    cables, cells, wraps = len(layout.cables), tables.cells, max(len(layout.wraps), 1)
    # of paths
    self.stamp, self.side, self.fresh = self._own((), NEVER, float), integer(), integer(2)
    self.scene = records(SINGLE).Scene()
    sides = self.sides = self.scene.sides
    sides.side, sides.fresh = self.side, self.fresh
    sides.touching, sides.swept = integer(2, wraps), real(2, wraps)
    sides.plane, sides.entry = vector(2, wraps), vector(2, wraps)
    self.home = [
      wp.array(home.touching, dtype=int),
      wp.array(home.swept, dtype=float),
      wp.array(home.plane, dtype=wp.vec3),
      wp.array(home.entry, dtype=wp.vec3),
    ]
    # of material
    memory = self.memory
    memory.side, memory.fresh = self.side, self.fresh
    memory.material, memory.guess = real(2, cells), real(2, cells)
    memory.rest, memory.sum, memory.taken = real(2, cables), real(2, cables), real(2, cables)
    memory.slack, memory.grows = integer(2, cables), real(2, cables)

  def _add_path(self, layout: Layout, tables: Tables) -> None:
    real, vector, contacts = self._real, self._vector, max(layout.contacts, 1)
    path = self.path
    path.cells = self._own((tables.cells,), wp.vec4(), wp.vec4)
    path.totals = vector(tables.totals)
    path.pull = real(len(layout.cables) if tables.drives.cable.shape[0] else 1)
    path.gradient = real(max(len(layout.rows), 1))
    constant = np.array([[row.constant] for row in layout.rows] or [[0.0]])
    fill(path.gradient, constant)  # of spools
    path.touching = self._own((contacts,), 1, int)
    path.along = real(1)
    # lines; of cables without wraps only the angles
    bends = len(layout.wraps) + len(layout.housings) > 0
    around, turns = layout.segments if bends else 1, contacts if bends else 1
    lines = self.lines = self.scene.lines
    lines.angle, lines.touching = real(contacts), path.touching
    lines.arc, lines.advance = real(turns), real(turns)
    if layout.housings:
      lengths = {housing.contact: housing.length for housing in layout.housings}
      fill(lines.arc, [lengths.get(i, 0.0) for i in range(contacts)])  # nothing else writes there
    lines.length, self.growth = real(around), real(around)
    lines.direction, lines.point = vector(around), vector(around)
    marks, count = tables.marks, max(tables.mark_count, 1) if bends else 1
    self.marks = marks
    marks.bearing, marks.mark = self._integer(2, turns), real(2, count)
    marks.was_at, marks.now_at = real(count), real(count)
    marks.friction, marks.growth = self.parameters["friction"], self.growth
    marks.stiffness = self.parameters["stiffness"]

  def _add_results(self, cables: int, segments: int, contacts: int, cells: int) -> None:
    real, integer, results = self._real, self._integer, self.results
    self.record.head, self.record.pieces = real(cells), self._vector(2, 2 * (cells + cables))
    results.length, results.rest_length = real(cables), real(cables)
    results.take_up = real(cables)
    results.tension, results.slip = real(segments), real(contacts)
    results.stuck, results.dissipation = integer(contacts), real(contacts)
    results.older = real(cables)
    results.rounds, results.heavy = integer(cables), integer(cables)
    results.mass, results.pool, results.group = real(segments), real(segments), integer(segments)
    # of motion, if there are groups of dofs
    self.strings = wp.zeros((1, 1), dtype=String)
    self.solves = wp.zeros((0, self.nworld), dtype=int)
    self.readable = {
      "length": results.length,
      "rest_length": results.rest_length,
      "take_up": results.take_up,
      "tension": results.tension,
      "touching": self.path.touching,
      "wrap_angle": self.lines.angle,
      "slip_rate": results.slip,
      "stuck": results.stuck,
      "dissipation": results.dissipation,
    }

  def couple(self, groups: Groups, tables: Tables, inertia: int, rows: int) -> None:
    """Room for the motion of groups of dofs, and what the law leaves for it. `inertia`: numbers of
    the mass matrix; `rows`: of constraints."""
    cables, dofs = self.results.heavy.shape[0], groups.dof.shape[0]
    self.path.along = self._real(self.path.cells.shape[0])
    self.strings = wp.zeros((cables, self.nworld), dtype=String)
    # as MuJoCo Warp has such, by world
    self.outer = wp.zeros((self.nworld, groups.place.shape[0]), dtype=float)
    self.inertia = wp.zeros((self.nworld, inertia), dtype=float)
    self.arrays += [self.strings, self.outer, self.inertia]
    c = self.coupled = Coupled()
    c.groups, c.cables, c.loads, c.record = groups, tables.cables, tables.loads, self.record
    c.strings, c.forces.outer = self.strings, self.outer
    c.bonds.groups = self._integer(rows)
    motion = self.motion = c.motion
    motion.matrix = self._real(int(groups.matrix.numpy()[-1]))
    for name in ("force", "scale", "row_scale", "x", "at", "step", "rest", "sizes"):
      setattr(motion, name, self._real(dofs))
    motion.pull, motion.measure = self._real(dofs), self._real(dofs)
    motion.solves = self.solves = self._integer(groups.dof_begin.shape[0] - 1)

  def swing(self, segments: int, dofs: int) -> Moving:
    """Room for the segments that may swing."""
    m, some = Moving(), segments > 0
    m.pull, m.meeting = self._real(segments or 1), self._real(segments or 1)
    m.change = self._real(dofs if some else 1)
    return m

  def _own(self, shape: tuple, value, dtype) -> wp.array:
    array = wp.full((*shape, self.nworld), value, dtype=dtype)
    self.arrays.append(array)
    return array

  def _real(self, *shape: int) -> wp.array:
    return self._own(shape, 0.0, float)

  def _integer(self, *shape: int) -> wp.array:
    return self._own(shape, 0, int)

  def _vector(self, *shape: int) -> wp.array:
    return self._own(shape, wp.vec3(), wp.vec3)

  def bytes_per_world(self) -> int:
    """Memory of one world."""
    return sum(array.capacity for array in self.arrays) // self.nworld


def fill(array: wp.array, values) -> None:
  """One value per row, the same in all worlds."""
  column = np.array(values, np.float32).reshape(-1, 1)
  array.assign(np.ascontiguousarray(np.broadcast_to(column, array.shape)))
