"""Stages: what cables do within a step of MuJoCo Warp, kernel by kernel."""

from contextlib import nullcontext

import mujoco
import mujoco_warp
import warp as wp
from mujoco_warp import DisableBit

from mujocable.errors import BadValue
from mujocable.warp.couple import couple
from mujocable.warp.couple.bonds import find_bonds, mark_rows_kernel
from mujocable.warp.couple.groups import groups_of
from mujocable.warp.couple.motion import actuators_of
from mujocable.warp.home import Home, find_home
from mujocable.warp.law import law, load, material, swing, takeup, tendon_drive
from mujocable.warp.layout.parts import MAX_SPAN_WRAPS, Layout
from mujocable.warp.layout.place import lay_out
from mujocable.warp.path import chain, route, sheath
from mujocable.warp.path.buried import buried
from mujocable.warp.path.precision import SINGLE
from mujocable.warp.path.rings import rings
from mujocable.warp.state import State, begin_kernel
from mujocable.warp.tables import Tables

# threads of a block: few, since the work of one is long, and all processors shall have some; chosen
# by benchmarks.warp_worlds
_BLOCK = 128


class Stages:
  """The cables of many worlds, and the kernels that step them."""

  def __init__(self, model: mujoco.MjModel, cables: dict, nworld: int, rows: int):
    """`rows`: room for constraints in every world."""
    self.layout: Layout = lay_out(model, cables)
    self.nworld = nworld
    if model.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4:
      raise BadValue("cables on the GPU take no integrator RK4; use implicitfast or Euler")
    self.home: Home = find_home(model, self.layout)
    self._tables = Tables(model, self.layout)
    self._tables.set_home(self.home.marks, self.home.length)
    self._span_tables = self._tables.span_tables(SINGLE)
    self._state = State(self.layout, self._tables, self.home, nworld)
    self._bodies = chain.Bodies()
    self._device = wp.get_device()
    self._stream = wp.Stream(self._device) if self._device.is_cuda else None
    self.begun = self._tensed = False
    self.driven = self._tables.drives.cable.shape[0] > 0  # some of them by tendons
    gradual = any(c.cable.axial.transition > 0 for c in self.layout.cables)
    marked = len(self.layout.wraps) + len(self.layout.housings) > 0
    may = swing.may_swing(model, self.layout)
    groups = groups_of(model, self.layout, self.home.stiffness, {f.cable for f in may})
    self.coupled = groups.dof.shape[0] > 0  # some cables with the motion that they cause
    self._swings = swing.swings_of(model, self.layout, may, groups.place.numpy())
    self.swings = self._swings.segment.shape[0] > 0  # some segments may
    self._load = load.load(self.swings)
    self._law = law.law(gradual, marked, self.coupled, self.swings)
    self._moving = self._state.swing(self._swings.segment.shape[0], model.nv)
    if self.coupled:
      self._couple = couple.couple(gradual, marked, self.swings)
      self._state.couple(groups, self._tables, model.nC, rows)
      self._state.coupled.swings = self._swings
    # one wrap between two nodes is what most cables have: numbers then stay in registers
    spans = self.layout.spans
    several = any(len(span.wraps) > 1 for span in spans)
    room = MAX_SPAN_WRAPS if several else 1
    self._ring_count = sum(map(self.layout.is_ring, spans))
    self._span_count = len(spans) - self._ring_count
    if self._span_count:
      self._spans = route.spans(SINGLE, room, self.layout.keepers, self.layout.grooves)
      self._buried = buried(SINGLE)
    if self._ring_count:
      self._rings, self._ring_tables = rings(SINGLE), self._tables.span_tables(SINGLE, rings=True)

  def begin(self, m, d, commanded: bool = True, actuated: bool = True) -> None:
    """Position stage: paths, and tensions if commands are known; on a stream of its own, so that
    MuJoCo's kernels run meanwhile. `end` waits for it."""
    with wp.ScopedStream(self._stream) if self._stream else nullcontext():
      self.locate(m, d)
      if commanded:
        self.tense(m, d, actuated)
    self.begun, self._tensed = True, commanded

  def end(self, m, d, actuated: bool = True) -> None:
    """Actuation stage: loads, behind all that they answer to."""
    if self._stream:
      wp.get_stream(self._device).wait_stream(self._stream)
    if not self._tensed:
      self.tense(m, d, actuated)
    self.load(m, d, actuated)
    self.begun = self._tensed = False

  def locate(self, m, d) -> None:
    """Paths and gradients."""
    t, s, n = self._tables, self._state, self.nworld
    path, lines, chains = s.path, s.lines, t.chains
    wraps = len(self.layout.wraps)
    self.run(begin_kernel, (n,), [d.time, s.stamp, s.sides, wraps, *s.home])
    bodies = self._bodies
    bodies.site_xpos, bodies.subtree_com = d.site_xpos, d.subtree_com
    bodies.cdof, bodies.qvel = d.cdof, d.qvel
    memory = [s.parameters["friction"], s.side, s.memory.material]
    found = [lines, s.growth, path.gradient, path.cells, path.totals]
    self.run(chain.chain_kernel, (chains.cell.shape[0], n), [chains, bodies, *memory, *found])
    if not wraps and not self.layout.housings:
      return
    poses = s.scene.poses
    poses.site_xpos, poses.geom_xpos, poses.geom_xmat = d.site_xpos, d.geom_xpos, d.geom_xmat
    poses.geom_size, poses.qpos, poses.site_xmat = m.geom_size, d.qpos, d.site_xmat
    if self._span_count:
      self.run(self._spans, (self._span_count, n), [self._span_tables, s.scene])
      self.run(self._buried, (self._span_count, n), [self._span_tables, s.scene])
    if self._ring_count:
      self.run(self._rings, (self._ring_count, n), [self._ring_tables, s.scene])
    sheaths = t.sheaths.segment.shape[0]
    self.run(sheath.sheath_kernel, (sheaths, n), [t.sheaths, chains, poses, lines])
    beside = [chains, bodies, lines, s.growth, path.gradient]
    self.run(chain.span_gradient_kernel, (chains.beside.shape[0], n), beside)
    corners = chains.corner_contact.shape[0]
    self.run(chain.corner_kernel, (corners, n), [chains, bodies, lines])
    remapped = s.marks.cable.shape[0]
    self.run(material.remap_kernel, (remapped, n), [t.cables, s.marks, lines, s.record])

  def tense(self, m, d, actuated: bool = True) -> None:
    """Tensions; `actuated`: commands are not switched off."""
    t, s, n = self._tables, self._state, self.nworld
    if self.driven:
      off = m.opt.disableflags
      springs, dampers = not off & DisableBit.SPRING, not off & DisableBit.DAMPER
      tendons = [t.drives, tendon_drive.tendons_of(m, d), int(actuated), int(springs), int(dampers)]
      self.run(tendon_drive.tendon_kernel, (n,), [*tendons, s.path.pull, d.qfrc_passive])
    outer = d.qfrc_applied
    if self.coupled:
      outer = s.outer
      outer.zero_()
      mujoco_warp.xfrc_accumulate(m, d, outer)
    given = [m.opt.timestep, m.opt.gravity, d.qpos, d.qvel, d.ctrl, d.act]
    given += [d.qfrc_applied, outer, int(actuated)]
    tables = [t.cables, t.takeups, s.of_cables]
    self.run(self._law, (len(self.layout.cables), n), [*tables, *given, s.record, s.strings])

  def load(self, m, d, actuated: bool = True) -> None:
    """Adds the load of the tensions to qfrc_passive, and their weight to M."""
    loads, record, moving = self._tables.loads, self._state.record, self._moving
    swings, n = self._swings, self.nworld
    if self.swings:
      moving.timestep, moving.damped, moving.damping = m.opt.timestep, _damps(m), m.dof_damping
      moving.site_xpos, moving.subtree_com = d.site_xpos, d.subtree_com
      moving.cdof, moving.qvel = d.cdof, d.qvel
      self.run(swing.swing_kernel, (swings.segment.shape[0], n), [swings, record, moving])
    if self.coupled:
      self._find_motion(m, d, actuated)
    self.run(
      self._load, (loads.dof.shape[0], n), [loads, record, d.qfrc_passive, d.M, swings, moving]
    )

  def _find_motion(self, m, d, actuated: bool) -> None:
    s, forces, bonds = self._state, self._state.coupled.forces, self._state.coupled.bonds
    forces.timestep, forces.damping, forces.inertia = m.opt.timestep, m.dof_damping, d.M
    forces.damped, euler = _damps(m), _is_euler(m)
    forces.actuators = actuators_of(m) if actuated else 0
    if not euler and (forces.actuators or m.ntendon):
      # actuators and tendons damp as well
      mujoco_warp.deriv_smooth_vel(m, d, s.inertia)
      forces.damped, forces.inertia = 0, s.inertia
    forces.bias, forces.applied = d.qfrc_bias, d.qfrc_applied
    forces.actuator, forces.moment = d.actuator_force, d.actuator_moment
    forces.rownnz, forces.rowadr, forces.colind = d.moment_rownnz, d.moment_rowadr, d.moment_colind
    forces.passive = d.qfrc_passive
    find_bonds(bonds, m, d)
    self.run(mark_rows_kernel, (d.njmax, self.nworld), [s.coupled.groups, bonds])
    s.coupled.moving = self._moving
    self.run(self._couple, (s.motion.solves.shape[0], self.nworld), [s.coupled])

  def drive(self, m, d) -> None:
    """Motors with a lag or a limited rate: how fast their activation changes."""
    t = self._tables
    motors = [t.motor_cable, t.takeups, m.opt.timestep, d.ctrl, d.act, d.act_dot]
    self.run(takeup.motor_kernel, (self.nworld, t.motor_cable.shape[0]), motors)

  def run(self, kernel, dim: tuple, inputs: list) -> None:
    """Launches a kernel, if it has anything to do."""
    if all(dim):
      wp.launch(kernel, dim=dim, inputs=inputs, device=self._device, block_dim=_BLOCK)


def _is_euler(m) -> bool:
  return m.opt.integrator == mujoco.mjtIntegrator.mjINT_EULER


def _damps(m) -> int:
  # 1: the integrator takes the damping of joints at the end of the step
  off = DisableBit.DAMPER | DisableBit.EULERDAMP if _is_euler(m) else DisableBit.DAMPER
  return int(not m.opt.disableflags & off)
