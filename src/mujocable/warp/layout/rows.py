"""Rows: how segments grow with dofs, and what pairs of dofs weigh together."""

import mujoco
import numpy as np

from mujocable.warp.layout.parts import JOINT, RING, Layout, Placed, Product, Row
from mujocable.warp.layout.tree import dofs_of, home_pose, moving_body


def add_rows(model, layout: Layout) -> None:
  """Every (segment, dof) that goes together, by cable, dof and place along the cable."""
  for placed in layout.cables:
    rows = []
    for s in range(placed.segment, placed.segment + placed.contacts + 1):
      before, after = (dofs_of(model, body) for body in layout.segment_bodies[s])
      rows += [Row(s, dof, -1.0) for dof in before - after]
      rows += [Row(s, dof, 1.0) for dof in after - before]
    if placed.kind == JOINT:
      rows.append(Row(placed.segment, placed.dof, 0.0, placed.gain))
    # by dof, then along the cable: what one pass over them needs
    rows.sort(key=lambda row: (row.dof, row.segment))
    placed.rows = range(len(layout.rows), len(layout.rows) + len(rows))
    layout.rows += rows


def count_sharers(model, layout: Layout) -> None:
  """Cables that load the same trees, and how far dofs can move the ends of segments."""
  trees = [_trees(model, layout, placed) for placed in layout.cables]
  home = home_pose(model)
  for placed, mine in zip(layout.cables, trees, strict=True):
    placed.shared = max(1, sum(bool(mine & other) for other in trees))
    levers = _levers(model, home, layout, placed)
    placed.lever = placed.shared * sum(x * x * model.dof_invweight0[d] for d, x in levers.items())


def _trees(model, layout: Layout, placed: Placed) -> set[int]:
  # that the route and the spool stand on
  segments = range(placed.segment, placed.segment + placed.contacts + 1)
  bodies = {b for s in segments for b in layout.segment_bodies[s]}
  dofs = {min(dofs_of(model, body), default=-1) for body in bodies} | {placed.dof}
  return {int(model.dof_treeid[dof]) for dof in dofs if dof >= 0}


def _levers(model, home, layout: Layout, placed: Placed) -> dict[int, float]:
  # summed over the segments
  levers: dict[int, float] = {}
  for s in range(placed.segment, placed.segment + placed.contacts + 1):
    for dof, lever in segment_levers(model, home, layout, placed, s).items():
      levers[dof] = levers.get(dof, 0.0) + lever
  return levers


def segment_levers(
  model, home: mujoco.MjData, layout: Layout, placed: Placed, segment: int
) -> dict[int, float]:
  """How far each dof can move one end of a segment against the other."""
  levers: dict[int, float] = {}
  ends = [_end(model, home, layout, placed, segment, side) for side in range(2)]
  while ends[0][0] != ends[1][0]:
    side = 0 if ends[0][0] > ends[1][0] else 1  # parents come first
    body, at, beyond = ends[side]
    for j in reversed(
      range(model.body_jntadr[body], model.body_jntadr[body] + model.body_jntnum[body])
    ):
      dof, kind = int(model.jnt_dofadr[j]), mujoco.mjtJoint(model.jnt_type[j])
      free = kind == mujoco.mjtJoint.mjJNT_FREE
      slides = 1 if kind == mujoco.mjtJoint.mjJNT_SLIDE else 3 if free else 0
      if kind != mujoco.mjtJoint.mjJNT_SLIDE:
        beyond += float(np.linalg.norm(at - home.xanchor[j]))
        at = home.xanchor[j]
      turns = {mujoco.mjtJoint.mjJNT_SLIDE: 0, mujoco.mjtJoint.mjJNT_HINGE: 1}.get(kind, 3)
      for k in range(slides + turns):
        levers[dof + k] = levers.get(dof + k, 0.0) + (1.0 if k < slides else beyond)
    ends[side] = (moving_body(model, int(model.body_parentid[body])), at, beyond)
  return levers


def _end(model, home, layout: Layout, placed: Placed, segment: int, side: int) -> tuple:
  # body, place at qpos0, and how far from there the segment may end
  body = moving_body(model, layout.segment_bodies[segment][side])
  node = segment - placed.segment + side
  contact = placed.contact + node - 1
  wraps = {w.contact: w for w in layout.wraps}
  inside = 0 < node <= placed.contacts
  if inside and contact in wraps:
    wrap = wraps[contact]
    if wrap.kind == RING:
      return body, home.site_xpos[wrap.geom], sum(wrap.ring)
    geom = wrap.geom
    return body, home.geom_xpos[geom], float(model.geom_rbound[geom]) + placed.cable.radius
  return body, home.site_xpos[placed.node_site[node]], 0.0


def _may_pool(layout: Layout, placed: Placed, one: int, two: int) -> bool:
  # segments that may have one tension: every contact between them may be without friction
  first = min(one, two) - placed.segment + placed.contact
  last = max(one, two) - placed.segment + placed.contact
  return all(layout.may_pool(contact) for contact in range(first, last))


def mass_places(model) -> dict[tuple[int, int], int]:
  """Address of (row, column) in the lower triangle of the mass matrix."""
  places = {}
  for i in range(model.nv):
    adr = int(model.M_rowadr[i])
    for k in range(adr, adr + int(model.M_rownnz[i])):
      places[i, int(model.M_colind[k])] = k
  return places


def add_products(model, layout: Layout) -> None:
  """Pairs of dofs that a stiff cable connects, with their place in the mass matrix."""
  places = mass_places(model)
  for c, placed in enumerate(layout.cables):
    ranges = _rows_by_dof(layout, placed)
    for i, rows in ranges.items():
      for j, others in ranges.items():
        if not _may_share(layout, placed, rows, others):
          continue
        if (i, j) in places:
          layout.products.append(Product(places[i, j], (i, j), (rows, others), False, c))
        elif (j, i) not in places:
          layout.products.append(Product(places[i, i], (i, j), (rows, others), True, c))
  layout.products.sort(key=lambda product: product.address)


def _rows_by_dof(layout: Layout, placed: Placed) -> dict[int, range]:
  ranges: dict[int, range] = {}
  for r in placed.rows:
    dof = layout.rows[r].dof
    ranges[dof] = range(ranges[dof].start if dof in ranges else r, r + 1)
  return ranges


def _may_share(layout: Layout, placed: Placed, rows: range, others: range) -> bool:
  return any(
    _may_pool(layout, placed, layout.rows[r].segment, layout.rows[q].segment)
    for r in rows
    for q in others
  )
