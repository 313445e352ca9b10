"""Worlds: the cables of many worlds, and the stages of a step."""

import mujoco
import warp as wp

from mujocable.errors import BadValue, UnknownCable, UnknownName, listing
from mujocable.warp import chain, law, load, material, route, sheath, takeup
from mujocable.warp.home import Home, find_home
from mujocable.warp.layout import Layout
from mujocable.warp.place import lay_out
from mujocable.warp.precision import SINGLE
from mujocable.warp.state import (
  NEVER,
  PARAMETERS,
  RESULTS,
  State,
  begin_kernel,
  fill,
  forget_kernel,
)
from mujocable.warp.tables import Tables

# threads of a block: few, since the work of one is long, and all processors shall have some; chosen
# by benchmarks.warp_worlds
_BLOCK = 128


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
    self._state = State(self.layout, self._tables, self.home, nworld)
    self._motion = chain.Motion()
    gradual = any(c.cable.axial.transition > 0 for c in self.layout.cables)
    self._law = law.law(gradual, len(self.layout.wraps) + len(self.layout.housings) > 0)
    # one wrap between two nodes is what most cables have: numbers then stay in registers
    several = any(len(span.wraps) > 1 for span in self.layout.spans)
    self._spans = route.spans(SINGLE, route.MAX_SPAN_WRAPS if several else 1)
    self.restore()

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
      fill(self._state.parameters[name], value)

  # ------------------------------------ arrays by name

  def array(self, name: str, cable: str | None = None) -> wp.array:
    """A parameter or result by name, of all cables or of one: (worlds, count), no copy."""
    kinds = {**PARAMETERS, **RESULTS}
    if name not in kinds:
      raise UnknownName(f"cables have no array {name!r}; {listing('arrays', kinds)}")
    whole = {**self._state.parameters, **self._state.readable}[name]
    begin, end = 0, whole.shape[0]
    if cable is not None:
      names = self.names
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
    return self._state.bytes_per_world()

  def forget(self, chosen: wp.array | None = None) -> None:
    """Chosen worlds, or all, start anew at their next step; parameters stay as they are."""
    if chosen is None:
      self._state.stamp.fill_(NEVER)
    else:
      _run(forget_kernel, (self.nworld,), [chosen], [self._state.stamp])

  # ------------------------------------ the stages of a step

  def locate(self, m, d) -> None:
    """Velocity stage: paths and gradients."""
    t, s, n = self._tables, self._state, self.nworld
    path = s.path
    wraps = len(self.layout.wraps)
    _run(
      begin_kernel,
      (n,),
      [d.time, s.stamp, s.side, s.fresh, wraps, *s.home],
      [s.on, s.swept, s.plane],
    )
    motion = self._motion
    motion.site_xpos, motion.subtree_com = d.site_xpos, d.subtree_com
    motion.cdof, motion.qvel = d.cdof, d.qvel
    friction = s.parameters["friction"]
    _run(
      chain.chain_kernel,
      (t.piece_cell.shape[0], n),
      [
        t.piece_segment,
        t.piece_cell,
        t.piece_last,
        t.piece_total,
        t.segment_sites,
        t.rows,
        motion,
        friction,
        s.side,
        s.memory.material,
      ],
      [s.length, s.growth, path.gradient, s.angle, path.cells, path.totals],
    )
    if not wraps and not self.layout.housings:
      return
    _run(
      self._spans,
      (len(self.layout.spans), n),
      [
        *self._span_inputs,
        d.site_xpos,
        d.geom_xpos,
        d.geom_xmat,
        m.geom_size,
        d.qpos,
        s.side,
        s.fresh,
        s.on,
        s.swept,
        s.plane,
        s.entry,
      ],
      [s.length, s.angle, s.arc, s.advance, path.touching, s.direction, s.point],
    )
    _run(
      sheath.sheath_kernel,
      (t.sheath_segment.shape[0], n),
      [
        t.sheath_segment,
        t.sheath_contact,
        t.sheath_sites,
        t.sheath_length,
        t.sheath_bend,
        t.segment_sites,
        d.site_xpos,
        d.site_xmat,
      ],
      [s.length, s.angle, s.direction, s.point],
    )
    _run(
      chain.span_gradient_kernel,
      (t.span_segment.shape[0], n),
      [t.span_segment, t.rows, motion, s.direction, s.point],
      [s.growth, path.gradient],
    )
    _run(
      chain.corner_kernel,
      (t.corner_contact.shape[0], n),
      [t.corner_contact, t.corner_segment, t.segment_sites, d.site_xpos, s.direction],
      [s.angle],
    )
    _run(
      material.remap_kernel,
      (t.remap_cable.shape[0], n),
      [
        t.remap_cable,
        t.cables.segment,
        t.cables.contact,
        t.cables.contacts,
        t.cables.cell,
        t.cable_mark,
        t.cables.contact_marks,
        s.side,
        s.fresh,
        s.arc,
        s.advance,
        path.touching,
      ],
      [
        s.bearing,
        s.memory.material,
        s.mark,
        s.was_at,
        s.now_at,
        friction,
        s.angle,
        s.length,
        s.growth,
        t.cable_total,
        s.memory.sum,
        path.cells,
        path.totals,
      ],
    )

  def pull(self, m, d, actuated: bool = True) -> None:
    """Actuation stage: tensions; adds their load to qfrc_passive and their weight to M."""
    t, s, n = self._tables, self._state, self.nworld
    _run(
      self._law,
      (len(self.layout.cables), n),
      [
        t.cables,
        t.takeups,
        s.of_cables,
        m.opt.timestep,
        d.qpos,
        d.qvel,
        d.ctrl,
        d.act,
        int(actuated),
        s.path,
        s.memory,
      ],
      [s.head, s.pieces, s.results],
    )
    trees = t.tree_dof.shape[0]
    if not trees:
      return self._add(d, 1, 1)
    self._add(d, 1, 0)
    _run(
      load.between_trees_kernel,
      (n,),
      [
        t.tree_dof,
        t.tree_entry,
        t.tree_product,
        s.results.heavy,
        *self._weights(),
        m.opt.timestep,
        m.dof_damping,
        d.M,
        d.qfrc_bias,
        d.qfrc_applied,
        d.qfrc_actuator,
        d.nefc,
      ],
      [s.matrix, s.change, d.qfrc_passive],
    )
    return self._add(d, 0, 1)

  def _weights(self) -> list:
    t, s = self._tables, self._state
    return [
      t.product_cable,
      t.product_rows,
      t.product_lumped,
      t.product_ease,
      t.row_segment,
      s.path.gradient,
      s.results.mass,
      s.results.group,
    ]

  def _add(self, d, loads: int, masses: int) -> None:
    t, s = self._tables, self._state
    _run(
      load.load_kernel,
      (t.load_dof.shape[0], self.nworld),
      [
        loads,
        masses,
        t.load_dof,
        t.load_begin,
        t.load_row,
        t.mass_begin,
        t.mass_address,
        t.entry_begin,
        s.results.heavy,
        s.results.tension,
        *self._weights(),
      ],
      [d.qfrc_passive, d.M],
    )

  def drive(self, m, d) -> None:
    """Motors with a lag or a limited rate: how fast their activation changes."""
    t = self._tables
    u = t.takeups
    _run(
      takeup.motor_kernel,
      (self.nworld, t.motor_cable.shape[0]),
      [
        t.motor_cable,
        u.control,
        u.lag,
        u.rate,
        u.address,
        u.limits,
        m.opt.timestep,
        d.ctrl,
        d.act,
      ],
      [d.act_dot],
    )


def _run(kernel, dim: tuple, inputs: list, outputs: list) -> None:
  if all(dim):
    wp.launch(
      kernel,
      dim=dim,
      inputs=inputs,
      outputs=outputs,
      device=outputs[0].device,
      block_dim=_BLOCK,
    )
