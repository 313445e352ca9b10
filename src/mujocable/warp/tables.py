"""Tables: the layout as arrays on a device."""

import math

import mujoco
import numpy as np
import warp as wp

from mujocable.warp.layout import ACTIVATION, Layout, Placed
from mujocable.warp.precision import Precision

# strain of a cable without stiffness at its usual tension: far above what single precision leaves
_LEAST_STRAIN = 1e-3

# dofs of connected trees up to which their motion is predicted: the work grows with the cube
_MOST_CONNECTED = 48


class Tables:
  """Arrays on the current device, the same in every world, named as the kernels name them."""

  def __init__(self, model: mujoco.MjModel, layout: Layout):
    self._layout = layout
    self._zero = model.qpos0
    ints, reals = self._ints, self._reals
    # straight segments, with the guide behind them
    items = [s for s in range(layout.segments) if layout.segment_sites[s][0] >= 0]
    after = {s: self._contact_after(s) for s in items}
    straight_on = {
      s: after[s] >= 0
      and layout.contact_site[after[s]] >= 0
      and layout.segment_sites[s + 1][0] >= 0
      for s in items
    }
    self.item_segment = ints(items)
    sites = [
      (*layout.segment_sites[s], layout.segment_sites[s + 1][1] if straight_on[s] else -1)
      for s in items
    ]
    self.item_sites = ints(sites, (len(items), 3))
    self.item_contact = ints([after[s] if straight_on[s] else -1 for s in items])
    # guides with a wrap beside them
    done = {after[s] for s in items if straight_on[s]}
    corners = [
      (i, i + layout.contact_cable[i])
      for i in range(layout.contacts)
      if layout.contact_site[i] >= 0 and i not in done
    ]
    self.corner_contact = ints([i for i, _ in corners])
    self.corner_segment = ints([s for _, s in corners])
    self.segment_sites = ints(layout.segment_sites, (layout.segments, 2))
    # rows
    rows = layout.rows
    dofs = [row.dof for row in rows]
    self.row_segment = ints([row.segment for row in rows])
    self.row_dof = ints(dofs)
    self.row_root = ints([model.body_rootid[model.dof_bodyid[d]] for d in dofs])
    self.row_sign = reals([row.sign for row in rows])
    self.row_constant = reals([row.constant for row in rows])
    self.row_mobility = reals([model.dof_invweight0[d] for d in dofs])
    self.load_dof, self.load_begin, self.load_row = self._grouped(dofs)
    products = layout.products
    addresses = [product.address for product in products]  # sorted
    self.mass_address, self.mass_begin, _ = self._grouped(addresses)
    ends = [(*_ends(p.rows[0]), *_ends(p.rows[1])) for p in products]
    self.product_rows = ints(ends, (len(products), 4))
    self.product_lumped = ints([p.lumped for p in products])
    mobility = model.dof_invweight0
    self.product_ease = reals(
      [(mobility[p.dofs[1]] / max(mobility[p.dofs[0]], 1e-30)) ** 0.5 for p in products]
    )
    self._connect_trees(model, layout)
    # cables
    cables = layout.cables
    self.cable_segment = ints([c.segment for c in cables])
    self.cable_contact = ints([c.contact for c in cables])
    self.cable_contacts = ints([c.contacts for c in cables])
    self.cable_rows = ints([(c.rows.start, c.rows.stop) for c in cables], (len(cables), 2))
    self.cable_shared = ints([c.shared for c in cables])
    self.cable_lever = reals([c.lever for c in cables])
    self.cable_explicit = ints([c.cable.integration == "explicit" for c in cables])
    self.cable_length_rate = ints([c.cable.axial.damping_rate == "length" for c in cables])
    self.cable_transition = reals([c.cable.axial.transition for c in cables])
    self.cable_reserve = reals([c.cable.axial.reserve for c in cables])
    self.takeup_kind = ints([c.kind for c in cables])
    self.takeup_address = ints([c.address for c in cables])
    self.takeup_gain = reals([c.gain for c in cables])
    self.takeup_reference = reals([c.reference for c in cables])
    self.takeup_limits = reals([c.limits for c in cables], (len(cables), 2))
    self.takeup_tension = ints([c.tension for c in cables])
    # motors whose activation is not left to MuJoCo
    follows = [c.kind == ACTIVATION and not c.integrates for c in cables]
    self.takeup_motor = ints(
      [2 if c.integrates else int(f) for c, f in zip(cables, follows, strict=True)]
    )
    self.takeup_control = ints(
      [model.actuator_ctrladr[c.actuator] if c.actuator >= 0 else 0 for c in cables]
    )
    self.takeup_lag = reals([c.lag for c in cables])
    self.takeup_rate = reals([c.rate_limit / abs(c.gain or 1.0) for c in cables])
    self.takeup_dof = ints([max(c.dof, 0) for c in cables])
    self.motor_cable = ints(np.flatnonzero(follows).tolist())

  def _connect_trees(self, model: mujoco.MjModel, layout: Layout) -> None:
    # all dofs of the trees that cables connect, with the entries of the mass matrix among them
    trees = {int(model.dof_treeid[d]) for p in layout.products if p.lumped for d in p.dofs}
    dofs = [d for d in range(model.nv) if int(model.dof_treeid[d]) in trees]
    if len(dofs) > _MOST_CONNECTED:
      dofs = []
    place = {d: i for i, d in enumerate(dofs)}
    entries, products = [], []
    for d in dofs:
      for k in range(model.M_rowadr[d], model.M_rowadr[d] + model.M_rownnz[d]):
        entries.append((k, place[d], place[int(model.M_colind[k])]))
    for k, product in enumerate(layout.products):
      if all(d in place for d in product.dofs):
        products.append((k, *(place[d] for d in product.dofs)))
    self.tree_dof = self._ints(dofs)
    self.tree_entry = self._ints(entries, (len(entries), 3))
    self.tree_product = self._ints(products, (len(products), 3))

  def set_home(self, marks: np.ndarray, length: np.ndarray) -> None:
    """Cells and marks, once the path at home is known."""
    layout, cables = self._layout, self._layout.cables
    self.cable_firmest = self._reals(
      [_usual_tension(c) / (_LEAST_STRAIN * x) for c, x in zip(cables, length, strict=True)]
    )
    self.contact_marks = self._ints(marks.tolist())
    ends = np.cumsum([0, *marks])
    cells = [int(ends[c.contact]) + i for i, c in enumerate(cables)]
    self.cable_mark = self._ints([int(ends[c.contact]) for c in cables])
    self.cable_cell = self._ints(cells)
    self.marks, self.cells = int(ends[-1]), int(ends[-1]) + len(cables)
    wrapped = [
      any(layout.contact_site[i] < 0 for i in range(c.contact, c.contact + c.contacts))
      for c in cables
    ]
    self.cable_wrapped = self._ints(wrapped)
    self.remap_cable = self._ints(np.flatnonzero(wrapped).tolist())

  def span_inputs(self, p: Precision) -> list:
    """Inputs of the kernel of spans, in its order and precision."""
    layout = self._layout
    wraps, spans = layout.wraps, layout.spans
    radius = [layout.cables[layout.contact_cable[w.contact]].cable.radius for w in wraps]
    hint = [0 if w.hinges else 1 if w.hint_site >= 0 else 2 if w.hint_point else 0 for w in wraps]
    hinges = [h for w in wraps for h in w.hinges]
    begin = np.cumsum([0, *(len(w.hinges) for w in wraps)]).tolist()
    points = np.array([w.hint_point or (0.0, 0.0, 0.0) for w in wraps]).reshape(-1, 3)

    def real(values):
      return wp.array(np.array(values, np.float64), dtype=p.real)

    return [
      wp.array([s.segment for s in spans], dtype=int),
      wp.array(np.array([s.sites for s in spans]).reshape(-1, 2), dtype=int),
      wp.array(np.array([s.clamped for s in spans]).reshape(-1, 2), dtype=int),
      wp.array(np.array([(s.wraps[0], len(s.wraps)) for s in spans]).reshape(-1, 2), dtype=int),
      wp.array([w.contact for w in wraps], dtype=int),
      wp.array([w.geom for w in wraps], dtype=int),
      wp.array([w.kind for w in wraps], dtype=int),
      real(radius),
      wp.array(hint, dtype=int),
      wp.array([max(w.hint_site, 0) for w in wraps], dtype=int),
      wp.array(points, dtype=p.vec3),
      wp.array(begin, dtype=int),
      wp.array([q for q, _ in hinges], dtype=int),
      real([sign for _, sign in hinges]),
      real([self._zero[q] for q, _ in hinges]),
    ]

  def _contact_after(self, segment: int) -> int:
    # the contact at the end of a segment, -1: the cable ends there
    for i, c in enumerate(self._layout.cables):
      if c.segment <= segment <= c.segment + c.contacts:
        return segment - i if segment < c.segment + c.contacts else -1
    return -1

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


def _ends(rows: range) -> tuple[int, int]:
  return rows.start, rows.stop
