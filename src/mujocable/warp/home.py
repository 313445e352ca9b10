"""Home: the route of every cable at qpos0, in double precision: what a reset starts from."""

import math
from dataclasses import dataclass

import mujoco
import numpy as np
import warp as wp

from mujocable.errors import BadValue
from mujocable.spec.laws import Axial
from mujocable.spec.route import target
from mujocable.warp.layout.parts import CYLINDER, MAX_SPAN_WRAPS, Layout
from mujocable.warp.path import route
from mujocable.warp.path.precision import DOUBLE
from mujocable.warp.path.rings import AUTHORED, rings
from mujocable.warp.path.spans import records
from mujocable.warp.tables import Tables

MAX_MARKS = 9  # of a wrap
_PER_MARK = 0.1  # exponent that one mark stands for


@dataclass
class Home:
  """Path at qpos0, and the parameters that follow from it."""

  length: np.ndarray  # by cable [m]
  stiffness: np.ndarray  # by cable [N/m]
  pretension: np.ndarray  # by cable, as a length [m]
  marks: np.ndarray  # by contact
  touching: np.ndarray  # by wrap
  swept: np.ndarray  # by wrap [rad]
  plane: np.ndarray  # by wrap, frame of the surface; so is the next
  entry: np.ndarray
  angle: np.ndarray  # by contact, of wraps [rad]
  segments: np.ndarray  # lengths [m]


def find_home(model: mujoco.MjModel, layout: Layout) -> Home:
  """Solves every route; BadValue where one has no length."""
  data = mujoco.MjData(model)
  mujoco.mj_kinematics(model, data)
  mujoco.mj_comPos(model, data)
  swept, plane = _ways(model, data, layout)
  path = _solve(model, data, layout, Tables(model, layout), swept, plane)
  length, stiffness, pretension = [], [], []
  for placed in layout.cables:
    first, contacts = placed.segment, slice(placed.contact, placed.contact + placed.contacts)
    routed = path["length"][first : first + placed.contacts + 1].sum() + path["arc"][contacts].sum()
    c, law = placed.cable, placed.cable.axial
    home = law.home_length if law.home_length is not None else float(routed)
    if not home > 0 or not math.isfinite(home):
      last = len(c.route) - 1
      raise BadValue(
        f"cable {c.name!r}: the route has no length at qpos0: anchor 0 {target(c.route[0])!r} and"
        f" anchor {last} {target(c.route[last])!r} are at one place; move one, or give home_length"
      )
    k = law.stiffness if law.stiffness is not None else (law.EA or 0.0) / home
    length.append(home)
    stiffness.append(k)
    taken = _pretension(law, k)
    rubs = any(mu > 0 for mu in layout.contact_friction[contacts])
    if not placed.tension and taken - law.reserve >= home and (law.EA or rubs):
      key = "pretension" if law.pretension else "pretension_offset"
      raise BadValue(
        f"cable {c.name!r}: {key} takes in {taken:g} m, more than the whole cable, which is"
        f" {home:g} m at home; accepted: less, or a stiffer cable"
      )
    pretension.append(taken)
  angle = path["angle"]
  marks = np.ones(layout.contacts, int)
  for w in layout.wraps:
    # a wrap that does not touch yet may come to bear half a turn
    exponent = layout.contact_friction[w.contact] * max(float(angle[w.contact]), math.pi)
    marks[w.contact] = _marks_of(exponent)
  for housing in layout.housings:
    turn = housing.bend if housing.bend >= 0 else math.pi
    marks[housing.contact] = _marks_of(layout.contact_friction[housing.contact] * turn)
  return Home(
    np.array(length),
    np.array(stiffness),
    np.array(pretension),
    marks,
    path["touching"],
    path["swept"],
    path["plane"],
    path["entry"],
    angle,
    path["length"],
  )


def _marks_of(exponent: float) -> int:
  count = 1
  while count < MAX_MARKS and count * _PER_MARK < exponent:
    count += 2
  return count


def _pretension(law: Axial, stiffness: float) -> float:
  if law.pretension_offset is not None:
    return law.pretension_offset
  if not law.pretension or not stiffness:
    return 0.0
  stretch, a = law.pretension / stiffness, law.transition
  stretch = stretch + a / 2 if stretch >= a / 2 else math.sqrt(2 * a * stretch)
  return law.reserve + stretch


def _ways(model, data, layout: Layout) -> tuple[np.ndarray, np.ndarray]:
  # which way round, from hints, else the shorter way past the straight line
  swept, plane = np.zeros(len(layout.wraps)), np.zeros((len(layout.wraps), 3))
  for span in layout.spans:
    if layout.is_ring(span):
      continue  # its own kernel asks the hint
    ends = [data.site_xpos[site] for site in span.sites]
    hints = [_hint(data, layout.wraps[w], ends) for w in span.wraps]
    if len(hints) > 1:
      # each runs from one cylinder to the next, however far away the hints lie
      hints = [_project(model, data, layout, w, x) for w, x in zip(span.wraps, hints, strict=True)]
    for i, index in enumerate(span.wraps):
      w = layout.wraps[index]
      center, rot = data.geom_xpos[w.geom], data.geom_xmat[w.geom].reshape(3, 3)
      before = hints[i - 1] if i > 0 else ends[0]
      after = hints[i + 1] if i + 1 < len(hints) else ends[1]
      a, via, b = (rot.T @ (x - center) for x in (before, hints[i], after))
      if w.kind == CYLINDER:
        given = w.hint_site >= 0 or w.hint_point is not None
        way = _around(a, via) + _around(via, b) if given or len(hints) > 1 else _around(a, b)
        swept[index] = way + math.copysign(2 * math.pi * w.turns, way)
      else:
        plane[index] = _plane(a, via, b)
  return swept, plane


def _hint(data, w, ends) -> np.ndarray:
  if w.hint_site >= 0:
    return data.site_xpos[w.hint_site]
  center = data.geom_xpos[w.geom]
  if w.hint_point is not None:
    return center + data.geom_xmat[w.geom].reshape(3, 3) @ np.array(w.hint_point)
  d = ends[1] - ends[0]
  return ends[0] + np.clip((center - ends[0]) @ d / max(d @ d, 1e-300), 0, 1) * d


def _project(model, data, layout: Layout, wrap: int, x: np.ndarray) -> np.ndarray:
  # onto a cylinder
  w, axis = layout.wraps[wrap], data.geom_xmat[layout.wraps[wrap].geom].reshape(3, 3)[:, 2]
  center = data.geom_xpos[w.geom]
  out = (x - center) - ((x - center) @ axis) * axis
  size = model.geom_size[w.geom, 0] + layout.cables[layout.contact_cable[w.contact]].cable.radius
  return x + out * (size / max(float(np.linalg.norm(out)), 1e-300) - 1)


def _around(a: np.ndarray, b: np.ndarray) -> float:
  return math.atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1])


def _plane(a, via, b) -> np.ndarray:
  cross = np.cross(a, b)
  size = np.linalg.norm(cross)
  if size <= 1e-12 * np.linalg.norm(a) * np.linalg.norm(b):
    return np.cross(a, via)
  n = cross / size
  flat = via - (via @ n) * n
  first = math.atan2(np.cross(a, flat) @ n, a @ flat)
  second = math.atan2(np.cross(flat, b) @ n, flat @ b)
  return -n if first + second < 0 else n


def _solve(model, data, layout: Layout, tables: Tables, swept, plane) -> dict[str, np.ndarray]:
  real, vec3 = DOUBLE.real, DOUBLE.vec3
  ns, nc, nw = max(layout.segments, 1), max(layout.contacts, 1), max(len(layout.wraps), 1)

  def zeros(*shape, dtype=real):
    return wp.zeros(shape, dtype=dtype)

  straight = np.zeros((ns, 1))
  for s, (a, b) in enumerate(layout.segment_sites):
    straight[s] = np.linalg.norm(data.site_xpos[b] - data.site_xpos[a]) if a >= 0 else 0.0
  scene = records(DOUBLE).Scene()
  poses, sides, lines = scene.poses, scene.sides, scene.lines
  poses.site_xpos = wp.array(data.site_xpos[None], dtype=vec3)
  poses.site_xmat = wp.array(data.site_xmat.reshape(1, -1, 3, 3), dtype=DOUBLE.mat33)
  poses.geom_xpos = wp.array(data.geom_xpos[None], dtype=vec3)
  poses.geom_xmat = wp.array(data.geom_xmat.reshape(1, -1, 3, 3), dtype=DOUBLE.mat33)
  poses.geom_size = wp.array(model.geom_size[None], dtype=vec3)
  poses.qpos = wp.array(data.qpos[None], dtype=real)
  way, normal = np.zeros((2, nw, 1)), np.zeros((2, nw, 1, 3))
  way[0, : len(swept), 0], normal[0, : len(plane), 0] = swept, plane
  sides.side, sides.fresh = zeros(1, dtype=int), zeros(2, 1, dtype=int)
  sides.touching = wp.array(np.ones((2, nw, 1), np.int32))
  sides.swept, sides.plane = wp.array(way, dtype=real), wp.array(normal, dtype=vec3)
  sides.entry = zeros(2, nw, 1, dtype=vec3)
  lines.length, lines.angle, lines.arc = wp.array(straight, dtype=real), zeros(nc, 1), zeros(nc, 1)
  lines.advance, lines.touching = zeros(nc, 1), wp.array(np.ones((nc, 1), np.int32))
  lines.direction, lines.point = zeros(ns, 1, dtype=vec3), zeros(ns, 1, dtype=vec3)
  ring_count = sum(map(layout.is_ring, layout.spans))
  if len(layout.spans) > ring_count:
    wp.launch(
      route.spans(DOUBLE, MAX_SPAN_WRAPS, layout.keepers, layout.grooves),
      dim=(len(layout.spans) - ring_count, 1),
      inputs=[tables.span_tables(DOUBLE), scene],
    )
  if ring_count:
    sides.fresh = wp.array(np.ones((2, 1), np.int32))
    touching = sides.touching.numpy()
    touching[0, [span.wraps[0] for span in layout.spans if layout.is_ring(span)]] = AUTHORED
    sides.touching.assign(touching)
    found = tables.span_tables(DOUBLE, rings=True)
    wp.launch(rings(DOUBLE), dim=(ring_count, 1), inputs=[found, scene])
  lengths, arcs = lines.length.numpy()[:, 0], lines.arc.numpy()[:, 0]
  for housing in layout.housings:
    a, b = (data.site_xpos[site] for site in housing.sites)
    arcs[housing.contact] = housing.length
    lengths[housing.segment] = max(0.0, float(np.linalg.norm(b - a)) - housing.length)
  return {
    "length": lengths,
    "angle": lines.angle.numpy()[:, 0],
    "arc": arcs,
    "touching": sides.touching.numpy()[1, :, 0],
    "swept": sides.swept.numpy()[1, :, 0],
    "plane": sides.plane.numpy()[1, :, 0],
    "entry": sides.entry.numpy()[1, :, 0],
  }
