"""Worlds: what the cables of many worlds remember and find, and the step that connects both.

Memory has two sides: an evaluation reads one and writes the other, and the next one turns them over
if time has passed. So any number of evaluations between steps changes nothing.
"""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false

import mujoco
import warp as wp

from mujocable.errors import BadValue, UnknownCable, UnknownName, listing
from mujocable.warp import gradient, law, load, material, route, takeup
from mujocable.warp.home import Home, find_home
from mujocable.warp.layout import Layout, lay_out
from mujocable.warp.precision import SINGLE
from mujocable.warp.tables import Tables

_NEVER = -1e30  # time stamp of a world that has not been evaluated

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
  side: wp.array(dtype=int),
  fresh: wp.array2d(dtype=int),
  wraps: int,
  home_touching: wp.array(dtype=int),
  home_swept: wp.array(dtype=float),
  home_plane: wp.array(dtype=wp.vec3),
  memory_touching: wp.array3d(dtype=int),
  memory_swept: wp.array3d(dtype=float),
  memory_plane: wp.array3d(dtype=wp.vec3),
):
  """Starts a world anew whose time went back, else turns its two memories around."""
  w = wp.tid()
  now = time[w]
  before = stamp[w]
  s = side[w]
  if before > -1.0e29:
    if now > before:
      s = 1 - s
      side[w] = s
    elif now < before:
      before = -2.0e30  # the world was reset
  if before < -1.0e29:
    fresh[s, w] = 1
    for i in range(wraps):
      memory_touching[s, i, w] = home_touching[i]
      memory_swept[s, i, w] = home_swept[i]
      memory_plane[s, i, w] = home_plane[i]
  fresh[1 - s, w] = 0
  stamp[w] = now


@wp.kernel(module="unique", enable_backward=False)
def forget_kernel(chosen: wp.array(dtype=wp.bool), stamp: wp.array(dtype=float)):
  """Marks chosen worlds, so that their next step starts anew."""
  w = wp.tid()
  if chosen[w]:
    stamp[w] = -2.0e30


class CableWorlds:
  """The cables of every world of one mujoco_warp Data, as arrays that may be read and written.

  Arrays are (worlds, count), views of memory in which worlds lie side by side. Parameters may be
  changed in place at any time, also where a CUDA graph was captured.
  """

  def __init__(self, model: mujoco.MjModel, cables: dict, nworld: int):
    self.layout: Layout = lay_out(model, cables)
    self.nworld = nworld
    if model.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4:
      raise BadValue("cables on the GPU take no integrator RK4; use implicitfast or Euler")
    self.home: Home = find_home(model, self.layout)
    self._tables = Tables(model, self.layout)
    self._tables.set_home(self.home.marks, self.home.length)
    self._span_inputs = self._tables.span_inputs(SINGLE)
    self._allocate()
    self.restore()

  def _allocate(self) -> None:
    n, layout, tables = self.nworld, self.layout, self._tables
    cables, contacts, wraps = len(layout.cables), layout.contacts, max(len(layout.wraps), 1)
    segments, cells, marks = layout.segments, tables.cells, max(tables.marks, 1)

    def real(*shape):
      return wp.zeros((*shape, n), dtype=float)

    def integer(*shape):
      return wp.zeros((*shape, n), dtype=int)

    def vector(*shape):
      return wp.zeros((*shape, n), dtype=wp.vec3)

    contacts = max(contacts, 1)
    self._parameters = {
      name: real(cables if kind == "cable" else contacts) for name, kind in PARAMETERS.items()
    }
    # memory
    self._stamp, self._side = wp.full(n, _NEVER, dtype=float), integer()
    self._fresh = integer(2)
    self._on, self._swept = integer(2, wraps), real(2, wraps)
    self._plane, self._entry = vector(2, wraps), vector(2, wraps)
    self._bearing, self._mark = integer(2, contacts), real(2, marks)
    self._rest, self._total = real(2, cells), real(2, cables)
    self._taken = real(2, cables)
    # path
    self._segment, self._direction, self._point = real(segments), vector(segments), vector(segments)
    self._angle, self._arc, self._advance = real(contacts), real(contacts), real(contacts)
    self._touching = wp.full((contacts, n), 1, dtype=int)
    self._gradient = real(max(len(layout.rows), 1))
    self._cell, self._material = real(cells), real(cells)
    self._was_at, self._now_at = real(marks), real(marks)
    # law
    stack = 2 * cells + 4 * cables
    self._stacks = [real(2, stack) for _ in range(3)]
    self._groups = [real(cells) for _ in range(8)]
    self._mass, self._group = real(segments), integer(segments)
    trees = tables.tree_dof.shape[0]
    self._matrix, self._change = real(max(trees * trees, 1)), real(max(trees, 1))
    self._length, self._rest_length, self._take_up = real(cables), real(cables), real(cables)
    self._tension, self._slip, self._loss = real(segments), real(contacts), real(contacts)
    self._stuck = integer(contacts)
    self._results = {
      "length": self._length,
      "rest_length": self._rest_length,
      "take_up": self._take_up,
      "tension": self._tension,
      "touching": self._touching,
      "wrap_angle": self._angle,
      "slip_rate": self._slip,
      "stuck": self._stuck,
      "dissipation": self._loss,
    }
    self._home = [
      wp.array(self.home.touching, dtype=int),
      wp.array(self.home.swept, dtype=float),
      wp.array(self.home.plane, dtype=wp.vec3),
    ]

  def restore(self) -> None:
    """Parameters of all worlds as the model has them."""
    cables, home = [c.cable for c in self.layout.cables], self.home
    values = {
      "stiffness": home.stiffness,
      "damping": [c.axial.damping for c in cables],
      "home_length": home.length,
      "pretension": home.pretension,
      "max_tension": [c.axial.max_tension for c in cables],
      "friction": self.layout.contact_friction or [0.0],
    }
    for name, value in values.items():
      _fill(self._parameters[name], value)

  # ------------------------------------ arrays by name

  def array(self, name: str, cable: str | None = None) -> wp.array:
    """A parameter or result by name, of all cables or of one: (worlds, count), no copy."""
    kinds = {**PARAMETERS, **RESULTS}
    if name not in kinds:
      raise UnknownName(f"cables have no array {name!r}; {listing('arrays', kinds)}")
    whole = self._parameters[name] if name in self._parameters else self._results[name]
    begin, end = 0, whole.shape[0]
    if cable is not None:
      names = [c.cable.name for c in self.layout.cables]
      if cable not in names:
        raise UnknownCable(f"cable {cable!r} is not in this model; {listing('cables', names)}")
      index = names.index(cable)
      placed = self.layout.cables[index]
      starts = {"cable": index, "segment": placed.segment, "contact": placed.contact}
      counts = {"cable": 1, "segment": placed.contacts + 1, "contact": placed.contacts}
      begin, end = starts[kinds[name]], starts[kinds[name]] + counts[kinds[name]]
    return whole[begin:end].transpose([1, 0])

  def torch(self, name: str, cable: str | None = None):
    """The same as a torch tensor that shares the memory."""
    return wp.to_torch(self.array(name, cable))

  @property
  def names(self) -> list[str]:
    """The cables, in the order of the arrays."""
    return [c.cable.name for c in self.layout.cables]

  def bytes_per_world(self) -> int:
    """Memory that the cables of one world take."""
    arrays = []
    for value in vars(self).values():
      for a in value if isinstance(value, list) else [value]:
        if isinstance(a, wp.array) and a.shape[-1] == self.nworld:
          arrays.append(a)
    arrays += self._parameters.values()
    return sum(a.capacity for a in {a.ptr: a for a in arrays}.values()) // self.nworld

  # ------------------------------------ the stages of a step

  def locate(self, m, d) -> None:
    """Velocity stage: paths and gradients."""
    t, n = self._tables, self.nworld
    wraps = len(self.layout.wraps)
    _run(
      begin_kernel,
      (n,),
      [d.time, self._stamp, self._side, self._fresh, wraps, *self._home],
      [self._on, self._swept, self._plane],
    )
    _run(
      route.straight(SINGLE),
      (t.item_segment.shape[0], n),
      [t.item_segment, t.item_sites, t.item_contact, d.site_xpos],
      [self._segment, self._angle],
    )
    if wraps:
      memory = [self._on, self._swept, self._plane, self._entry]
      poses = [d.site_xpos, d.geom_xpos, d.geom_xmat, m.geom_size, d.qpos]
      _run(
        route.spans(SINGLE),
        (len(self.layout.spans), n),
        [*self._span_inputs, *poses, self._side, self._fresh, *memory],
        [
          self._segment,
          self._angle,
          self._arc,
          self._advance,
          self._touching,
          self._direction,
          self._point,
        ],
      )
      _run(
        gradient.corner_kernel,
        (t.corner_contact.shape[0], n),
        [t.corner_contact, t.corner_segment, t.segment_sites, d.site_xpos, self._direction],
        [self._angle],
      )
      _run(
        material.remap(SINGLE),
        (t.remap_cable.shape[0], n),
        [
          t.remap_cable,
          t.cable_segment,
          t.cable_contact,
          t.cable_contacts,
          t.cable_cell,
          t.cable_mark,
          t.contact_marks,
          self._side,
          self._fresh,
          self._segment,
          self._arc,
          self._advance,
          self._touching,
        ],
        [
          self._bearing,
          self._rest,
          self._mark,
          self._was_at,
          self._now_at,
          self._cell,
          self._material,
        ],
      )
    _run(
      gradient.gradient_kernel,
      (len(self.layout.rows), n),
      [
        t.row_segment,
        t.row_dof,
        t.row_root,
        t.row_sign,
        t.row_constant,
        t.segment_sites,
        d.site_xpos,
        d.subtree_com,
        d.cdof,
        self._direction,
        self._point,
      ],
      [self._gradient],
    )

  def pull(self, m, d, actuated: bool = True) -> None:
    """Actuation stage: tensions; adds their load to qfrc_passive and their weight to M."""
    t, n = self._tables, self.nworld
    parameters = [self._parameters[name] for name in PARAMETERS]
    _run(
      law.law(SINGLE),
      (len(self.layout.cables), n),
      [
        t.cable_segment,
        t.cable_contact,
        t.cable_contacts,
        t.cable_cell,
        t.cable_wrapped,
        t.cable_rows,
        t.cable_shared,
        t.cable_lever,
        t.cable_firmest,
        t.cable_explicit,
        t.cable_length_rate,
        t.cable_transition,
        t.cable_reserve,
        t.contact_marks,
        t.row_segment,
        t.row_dof,
        t.row_constant,
        t.row_mobility,
        t.takeup_kind,
        t.takeup_address,
        t.takeup_gain,
        t.takeup_reference,
        t.takeup_limits,
        t.takeup_tension,
        t.takeup_motor,
        t.takeup_control,
        t.takeup_lag,
        t.takeup_rate,
        t.takeup_dof,
        *parameters,
        m.opt.timestep,
        d.qpos,
        d.qvel,
        d.ctrl,
        d.act,
        int(actuated),
        self._segment,
        self._arc,
        self._angle,
        self._touching,
        self._gradient,
        self._cell,
        self._material,
        self._side,
        self._fresh,
      ],
      [
        self._rest,
        self._total,
        self._taken,
        *self._stacks,
        *self._groups,
        self._length,
        self._rest_length,
        self._take_up,
        self._tension,
        self._mass,
        self._group,
        self._slip,
        self._stuck,
        self._loss,
      ],
    )
    _run(
      load.load_kernel,
      (t.load_dof.shape[0], n),
      [t.load_dof, t.load_begin, t.load_row, t.row_segment, self._gradient, self._tension],
      [d.qfrc_passive],
    )
    weights = [
      t.product_rows,
      t.product_lumped,
      t.product_ease,
      t.row_segment,
      self._gradient,
      self._mass,
      self._group,
    ]
    trees = t.tree_dof.shape[0]
    if trees:
      _run(
        load.between_trees_kernel,
        (n,),
        [
          t.tree_dof,
          t.tree_entry,
          t.tree_product,
          *weights,
          m.opt.timestep,
          m.dof_damping,
          d.M,
          d.qfrc_bias,
          d.qfrc_applied,
          d.qfrc_actuator,
          d.nefc,
        ],
        [self._matrix, self._change, d.qfrc_passive],
      )
    _run(
      load.mass_kernel,
      (t.mass_address.shape[0], n),
      [t.mass_address, t.mass_begin, *weights],
      [d.M],
    )

  def drive(self, m, d) -> None:
    """Motors with a lag or a limited rate: how fast their activation changes."""
    t = self._tables
    _run(
      takeup.motors(SINGLE),
      (self.nworld, t.motor_cable.shape[0]),
      [
        t.motor_cable,
        t.takeup_control,
        t.takeup_lag,
        t.takeup_rate,
        t.takeup_address,
        t.takeup_limits,
        m.opt.timestep,
        d.ctrl,
        d.act,
      ],
      [d.act_dot],
    )

  def forget(self, chosen: wp.array | None = None) -> None:
    """Chosen worlds, or all, start anew at their next step; parameters stay as they are."""
    if chosen is None:
      self._stamp.fill_(_NEVER)
    else:
      _run(forget_kernel, (self.nworld,), [chosen], [self._stamp])


def _run(kernel, dim: tuple, inputs: list, outputs: list) -> None:
  if all(dim):
    device = outputs[0].device
    wp.launch(kernel, dim=dim, inputs=inputs, outputs=outputs, device=device)


def _fill(array: wp.array, values) -> None:
  import numpy as np

  column = np.array(values, np.float32).reshape(-1, 1)
  array.assign(np.ascontiguousarray(np.broadcast_to(column, array.shape)))
