"""Tables: the layout as arrays on a device."""

import math

import mujoco
import numpy as np
import warp as wp

from mujocable.warp.law.load import Loads
from mujocable.warp.law.material import Marks
from mujocable.warp.law.record import Cables, TakeUps
from mujocable.warp.law.tendon_drive import tables_of
from mujocable.warp.layout.parts import ACTIVATION, Layout, Placed
from mujocable.warp.path.chain import PIECE, Chains
from mujocable.warp.path.precision import Precision
from mujocable.warp.path.sheath import Sheaths
from mujocable.warp.path.spans import records

# strain of a cable without stiffness at its usual tension: far above what single precision leaves
_LEAST_STRAIN = 1e-3


class Tables:
  """Arrays on the current device, the same in every world, named as the kernels name them."""

  def __init__(self, model: mujoco.MjModel, layout: Layout):
    self._layout = layout
    self._zero = model.qpos0
    ints, reals = self._ints, self._reals
    self._add_chains(model, layout)
    housings = layout.housings
    h = self.sheaths = Sheaths()
    h.segment, h.contact = ints([x.segment for x in housings]), ints([x.contact for x in housings])
    h.sites = ints([x.sites for x in housings], (len(housings), 2))
    h.length, h.bend = reals([x.length for x in housings]), reals([x.bend for x in housings])
    # loads
    products, dofs = layout.products, [row.dof for row in layout.rows]
    w = self.loads = Loads()
    w.dof, w.begin, w.row = self._grouped(dofs)
    w.row_segment = ints([row.segment for row in layout.rows])
    addresses = [product.address for product in products]  # sorted, so dofs are too
    w.mass_address, w.entry_begin, _ = self._grouped(addresses)
    owner = {p.address: p.dofs[0] for p in products}
    places = sorted(set(dofs))
    w.mass_begin, _ = self._by_number([places.index(owner[a]) for a in sorted(owner)], len(places))
    w.cable = ints([p.cable for p in products])
    ends = [(r.start, r.stop, q.start, q.stop) for r, q in (p.rows for p in products)]
    w.rows = ints(ends, (len(products), 4))
    w.lumped = ints([p.lumped for p in products])
    mobility = model.dof_invweight0
    w.ease = reals(
      [(mobility[p.dofs[1]] / max(mobility[p.dofs[0]], 1e-30)) ** 0.5 for p in products]
    )
    self.drives = tables_of(model, layout)
    self._add_cables(model, layout)

  def _add_chains(self, model: mujoco.MjModel, layout: Layout) -> None:
    # straight segments that follow each other; guides with a wrap beside them
    chains, corners, apart = [], [], []
    for c, placed in enumerate(layout.cables):
      end = placed.segment + placed.contacts + 1
      plain = all(layout.segment_sites[s][0] >= 0 for s in range(placed.segment, end))
      begin = placed.segment
      for s in range(placed.segment, end):
        straight = layout.segment_sites[s][0] >= 0
        if not straight:
          apart.append(s)
          begin = s + 1
        elif s + 1 == end or layout.segment_sites[s + 1][0] < 0:
          chains.append((begin, s + 1, placed.contact - placed.segment, c if plain else -1))
        contact = placed.contact + s - placed.segment
        behind = s + 1 < end and layout.contact_site[contact] >= 0
        if behind and not (straight and layout.segment_sites[s + 1][0] >= 0):
          corners.append((contact, s))
    self.pieces = [
      (s, min(s + PIECE, end), s + shift, int(s + PIECE >= end), cable)
      for begin, end, shift, cable in chains
      for s in range(begin, end, PIECE)
    ]
    t, ints, rows = Chains(), self._ints, layout.rows
    self.chains = t
    t.sites, t.beside = ints(layout.segment_sites, (layout.segments, 2)), ints(apart)
    t.segment = ints([p[:3] for p in self.pieces], (len(self.pieces), 3))
    t.last = ints([p[3] for p in self.pieces])
    begins = {s: begin for begin, end, *_ in chains for s in range(begin, end)}
    t.begin = ints([begins.get(s, -1) for s in range(layout.segments + 1)])
    t.corner_contact = ints([contact for contact, _ in corners])
    t.corner_segment = ints([segment for _, segment in corners])
    moving = [r for r, row in enumerate(rows) if row.sign]  # not of spools: those are constant
    t.row_begin, order = self._by_number([rows[r].segment for r in moving], layout.segments)
    entries = [
      (r, rows[r].dof, model.body_rootid[model.dof_bodyid[rows[r].dof]], round(rows[r].sign))
      for r in (moving[k] for k in order.numpy())
    ]
    t.row = wp.array(np.array(entries, np.int32).reshape(-1, 4), dtype=wp.vec4i)

  def _add_cables(self, model: mujoco.MjModel, layout: Layout) -> None:
    ints, reals, cables, rows = self._ints, self._reals, layout.cables, layout.rows
    t = self.cables = Cables()
    t.segment = ints([c.segment for c in cables])
    t.contact = ints([c.contact for c in cables])
    t.contacts = ints([c.contacts for c in cables])
    t.rows = ints([(c.rows.start, c.rows.stop) for c in cables], (len(cables), 2))
    t.shared = ints([c.shared for c in cables])
    t.lever = reals([c.lever for c in cables])
    t.at_start = ints([c.cable.integration == "explicit" for c in cables])
    t.length_rate = ints([c.cable.axial.damping_rate == "length" for c in cables])
    t.spool = ints([next((r for r in c.rows if rows[r].constant), -1) for c in cables])
    t.rigid = ints([c.cable.axial.EA is not None for c in cables])
    t.transition = reals([c.cable.axial.transition for c in cables])
    t.reserve = reals([c.cable.axial.reserve for c in cables])
    t.row_segment = self.loads.row_segment
    t.row_dof = ints([row.dof for row in rows])
    t.row_mobility = reals([model.dof_invweight0[row.dof] for row in rows])
    u = self.takeups = TakeUps()
    u.kind = ints([c.kind for c in cables])
    u.address = ints([c.address for c in cables])
    u.gain = reals([c.gain for c in cables])
    u.reference = reals([c.reference for c in cables])
    u.limits = reals([c.limits for c in cables], (len(cables), 2))
    u.tension = ints([c.tension for c in cables])
    # motors whose activation is not left to MuJoCo
    follows = [c.kind == ACTIVATION and not c.integrates for c in cables]
    u.motor = ints([2 if c.integrates else int(f) for c, f in zip(cables, follows, strict=True)])
    u.control = ints([model.actuator_ctrladr[c.actuator] if c.actuator >= 0 else 0 for c in cables])
    u.lag = reals([c.lag for c in cables])
    u.rate = reals([c.rate_limit / abs(c.gain or 1.0) for c in cables])
    u.dof = ints([max(c.dof, 0) for c in cables])
    self.motor_cable = ints(np.flatnonzero(follows).tolist())

  def set_home(self, marks: np.ndarray, length: np.ndarray) -> None:
    """Cells and marks, once the path at home is known."""
    layout, cables, t = self._layout, self._layout.cables, self.cables
    t.firmest = self._reals(
      [_usual_tension(c) / (_LEAST_STRAIN * x) for c, x in zip(cables, length, strict=True)]
    )
    self.contact_marks = self._ints(marks.tolist() or [1])
    pools = [layout.may_pool(contact) for contact in range(layout.contacts)]
    self.contact_apart = self._ints([int(not pool) for pool in pools] or [0])
    ends = np.cumsum([0, *marks])
    begin = [int(ends[c.contact]) for c in cables]
    cells = [b + i for i, b in enumerate(begin)]
    self.mark_count, self.cells = int(ends[-1]), int(ends[-1]) + len(cables)
    wrapped = [
      any(layout.contact_site[i] < 0 for i in range(c.contact, c.contact + c.contacts))
      for c in cables
    ]
    t.cell = self._ints(cells)
    # pieces of cables that are chains have cells, and a total each; every other cable has one
    counts = [
      1 if bends else sum(piece[4] == c for piece in self.pieces) for c, bends in enumerate(wrapped)
    ]
    bounds = np.cumsum([0, *counts]).tolist()
    t.totals = self._ints([(bounds[c], bounds[c + 1]) for c in range(len(cables))], (-1, 2))
    self.totals = bounds[-1]
    self.chains.cell = self._ints(
      [cells[c] + begin - cables[c].segment if c >= 0 else -1 for begin, _, _, _, c in self.pieces]
    )
    self.chains.total = self._ints(
      [
        bounds[c] + (begin - cables[c].segment) // PIECE if c >= 0 else 0
        for begin, _, _, _, c in self.pieces
      ]
    )
    t.cells = self._ints([int(ends[c.contact + c.contacts] - ends[c.contact]) + 1 for c in cables])
    self.marks = Marks()
    self.marks.cable = self._ints(np.flatnonzero(wrapped).tolist())
    self.marks.first, self.marks.total = self._ints(begin), self._ints(bounds[:-1])
    self.marks.tension = self.takeups.tension

  def span_tables(self, p: Precision, rings: bool = False):
    """Tables of the kernel of spans, or of that of rings, in its precision."""
    layout, found = self._layout, records(p).Spans()
    wraps, spans = layout.wraps, [s for s in layout.spans if layout.is_ring(s) == rings]
    hinges = [h for w in wraps for h in w.hinges]
    points = np.array([w.hint_point or (0.0, 0.0, 0.0) for w in wraps]).reshape(-1, 3)

    def real(values):
      return wp.array(np.array(values, np.float64), dtype=p.real)

    found.segment = self._ints([s.segment for s in spans])
    found.sites = self._ints([s.sites for s in spans], (-1, 2))
    found.clamped = self._ints([s.clamped for s in spans], (-1, 2))
    found.wraps = self._ints([(s.wraps[0], len(s.wraps)) for s in spans], (-1, 2))
    found.contact = self._ints([w.contact for w in wraps])
    found.geom = self._ints([w.geom for w in wraps])
    found.kind = self._ints([w.kind for w in wraps])
    found.radius = real(
      [layout.cables[layout.contact_cable[w.contact]].cable.radius for w in wraps]
    )
    found.ring, found.tube = real([w.ring[0] for w in wraps]), real([w.ring[1] for w in wraps])
    found.kept = self._ints([w.kept for w in wraps])
    found.groove = real([w.groove for w in wraps])
    found.hint = self._ints(
      [0 if w.hinges else 1 if w.hint_site >= 0 else 2 if w.hint_point else 0 for w in wraps]
    )
    found.hint_site = self._ints([max(w.hint_site, 0) for w in wraps])
    found.hint_point = wp.array(points, dtype=p.vec3)
    found.hinge_begin = self._ints(np.cumsum([0, *(len(w.hinges) for w in wraps)]).tolist())
    found.hinge_qpos = self._ints([q for q, _ in hinges])
    found.hinge_sign = real([sign for _, sign in hinges])
    found.hinge_zero = real([self._zero[q] for q, _ in hinges])
    return found

  def _by_number(self, keys: list, count: int):
    # where the entries of each number below `count` begin, and their order
    order = np.argsort(keys, kind="stable") if keys else np.zeros(0, int)
    begin = np.searchsorted(np.array(keys, int)[order], range(count + 1))
    return self._ints(begin.tolist()), self._ints(order.tolist())

  def _grouped(self, keys: list):
    # distinct keys, where the entries of each begin, and their order
    order = np.argsort(keys, kind="stable") if keys else np.zeros(0, int)
    distinct, begin = np.unique(np.array(keys, int)[order], return_index=True)
    begin = [*begin.tolist(), len(keys)]
    return (
      self._ints(distinct.tolist()),
      self._ints(begin),
      self._ints(order.tolist()),
    )

  def _ints(self, values, shape=None) -> wp.array:
    array = np.array(values, np.int32)
    return wp.array(array.reshape(shape if shape else (-1,)), dtype=int)

  def _reals(self, values, shape=None) -> wp.array:
    array = np.array(values, np.float32)
    return wp.array(array.reshape(shape if shape else (-1,)), dtype=float)


def _usual_tension(placed: Placed) -> float:
  # of a cable whose tension is commanded
  for most in (placed.limits[1], placed.cable.axial.max_tension):
    if 0 < most < math.inf:
      return most
  return 100.0
