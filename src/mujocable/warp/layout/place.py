"""Place: routes and take-ups of cables -> their part of the layout; what the kernels cannot do is
refused by name."""

import math
from dataclasses import replace
from itertools import pairwise

import mujoco
import numpy as np

from mujocable.errors import BadValue, UnknownName, listing
from mujocable.spec import takeup
from mujocable.spec.cable import Cable
from mujocable.spec.laws import Sliding
from mujocable.spec.route import Anchor, Eyelet, Ring, Sheath, Wrap, contact_count, label
from mujocable.spec.text import given
from mujocable.warp.layout.parts import (
  ACTIVATION,
  CONTROL,
  CYLINDER,
  FIXED,
  JOINT,
  MAX_SPAN_WRAPS,
  RING,
  SPHERE,
  TENDON,
  Housing,
  Layout,
  Placed,
  Span,
  Wrapped,
)
from mujocable.warp.layout.planar import check_groove, check_parallel
from mujocable.warp.layout.rows import add_products, add_rows, count_sharers
from mujocable.warp.layout.tree import chain_of, home_pose

_DRUM_HEIGHT = 1e-3  # how far above its drum a clamped end may lie [radii]
_GROOVE_DEPTH = 0.1  # where none is given, as in the plugin [radii]
_OBJ = mujoco.mjtObj
# of elements that have a kernel; every cylinder is endless there
_OPTIONS = (
  *("friction", "side", "permanent", "turns", "groove", "half_angle", "endless"),
  *("radius", "tube", "exit", "length", "bend"),
)


def lay_out(model: mujoco.MjModel, cables: dict[str, Cable]) -> Layout:
  """The tables of a model's cables; BadValue names what the kernels cannot do."""
  layout = Layout()
  for cable in cables.values():
    _place(model, cable, layout)
  add_rows(model, layout)
  count_sharers(model, layout)
  add_products(model, layout)
  return layout


# ------------------------------------ route


def _find(model, where: str, kind: mujoco.mjtObj, word: str, name: str) -> int:
  index = mujoco.mj_name2id(model, kind, name)
  if index < 0:
    count = {
      "site": model.nsite,
      "geom": model.ngeom,
      "joint": model.njnt,
      "tendon": model.ntendon,
    }[word]
    known = [mujoco.mj_id2name(model, kind, i) for i in range(count)]
    raise UnknownName(
      f"{where}: {name!r} is not a {word} of this model; {listing(word + 's', known)}"
    )
  return index


def _place(model: mujoco.MjModel, cable: Cable, layout: Layout) -> None:
  owner = f"cable {cable.name!r}"
  _refuse(cable, owner)
  placed = _take_up(model, cable, owner)
  placed.segment, placed.contact = layout.segments, layout.contacts
  nodes = []  # (site or -1, wrap or -1, body)
  for index, element in enumerate(cable.route):
    where = f"{owner}: {label(index, element)}"
    if isinstance(element, Wrap):
      nodes.append(_wrap(model, where, cable, element, layout))
    elif isinstance(element, Ring):
      nodes.append(_ring(model, where, cable, element, layout))
    elif isinstance(element, Anchor | Eyelet):
      nodes.append(_site(model, where, element.site))
    elif isinstance(element, Sheath):
      nodes += [_site(model, where, site) for site in (element.entry_site, element.exit_site)]
      sites, bend = (nodes[-2][0], nodes[-1][0]), -1.0 if element.bend is None else element.bend
      inside = placed.segment + len(nodes) - 2
      layout.housings.append(Housing(layout.contacts, inside, sites, element.length, bend))
    else:
      raise BadValue(f"{where}: not on the GPU; accepted there: Anchor, Eyelet, Wrap, Ring, Sheath")
    for key in given(element):
      if key not in _OPTIONS:
        raise BadValue(f"{where}: {key} is not on the GPU; accepted there: {', '.join(_OPTIONS)}")
    for _ in range(contact_count(element)):
      layout.contact_site.append(nodes[-1][0] if isinstance(element, Eyelet) else -1)
      layout.contact_friction.append(_friction(cable, element))
      layout.contact_held.append(False)
      layout.contact_cable.append(len(layout.cables))
  placed.contacts = len(nodes) - 2
  placed.node_site = tuple(node[0] for node in nodes)
  layout.cables.append(placed)
  _segments(model, cable, nodes, placed, layout)


def _site(model, where: str, name: str) -> tuple[int, int, int]:
  site = _find(model, where, _OBJ.mjOBJ_SITE, "site", name)
  return site, -1, int(model.site_bodyid[site])


def _friction(cable: Cable, element) -> float:
  friction = cable.coefficient if element.friction is None else element.friction
  # both walls of a V groove press on the cable
  half = element.half_angle if isinstance(element, Wrap) else None
  return friction / math.sin(half) if half else friction


def _refuse(cable: Cable, owner: str) -> None:
  if isinstance(cable.friction, Sliding):
    raise BadValue(f"{owner}: Sliding friction is not on the GPU; accepted there: a coefficient")


def _wrap(model, where: str, cable: Cable, element: Wrap, layout: Layout) -> tuple[int, int, int]:
  geom = _find(model, where, _OBJ.mjOBJ_GEOM, "geom", element.geom)
  kinds = {mujoco.mjtGeom.mjGEOM_CYLINDER: CYLINDER, mujoco.mjtGeom.mjGEOM_SPHERE: SPHERE}
  kind = kinds.get(mujoco.mjtGeom(model.geom_type[geom]))
  if kind is None:
    found = mujoco.mjtGeom(model.geom_type[geom]).name.removeprefix("mjGEOM_").lower()
    raise BadValue(
      f"{where}: a geom of type {found} is not on the GPU; accepted there: cylinder, sphere"
    )
  side, point = _hint(model, where, element)
  body = int(model.geom_bodyid[geom])
  turns, kept, depth = element.turns, element.permanent, float(element.groove or 0.0)
  if element.groove is True:
    depth = _GROOVE_DEPTH * (model.geom_size[geom, 0] + cable.radius)
  wrapped = Wrapped(layout.contacts, geom, kind, body, side, point, (), turns, kept, groove=depth)
  layout.wraps.append(wrapped)
  return -1, len(layout.wraps) - 1, body


def _hint(model, where: str, element: Wrap | Ring) -> tuple:
  # a site or a point
  if isinstance(element.side, str):
    return _find(model, where, _OBJ.mjOBJ_SITE, "site", element.side), None
  return -1, None if element.side is None else tuple(map(float, element.side))


def _ring(model, where: str, cable: Cable, element: Ring, layout: Layout) -> tuple[int, int, int]:
  site = _find(model, where, _OBJ.mjOBJ_SITE, "site", element.site)
  body, size = int(model.site_bodyid[site]), (element.radius, element.tube + cable.radius)
  if not size[1] < size[0]:
    raise BadValue(f"{where}: tube and cable leave no hole in a ring of radius {size[0]:g}")
  side, point = _hint(model, where, element)
  wrapped = Wrapped(layout.contacts, site, RING, body, side, point, (), 0, False, size)
  layout.wraps.append(wrapped)
  return -1, len(layout.wraps) - 1, body


def _segments(model, cable: Cable, nodes: list, placed: Placed, layout: Layout) -> None:
  fixed = [i for i, node in enumerate(nodes) if node[0] >= 0]
  home = home_pose(model)
  own = {c: e.friction for c, e in _contacts(cable, placed)}
  sheathed = {housing.segment - placed.segment for housing in layout.housings}
  for first, last in pairwise(fixed):
    wraps = tuple(node[1] for node in nodes[first + 1 : last])
    if any(layout.wraps[wrap].kind == RING for wrap in wraps):
      _check_alone(model, cable, wraps, layout)
      sites = (nodes[first][0], nodes[last][0])
      _check_hole(model, home, cable, sites, layout.wraps[wraps[0]])
      layout.spans.append(Span(placed.segment + first, sites, (False, False), wraps))
    elif wraps:
      ends = (first, last)
      clamped = tuple(
        _rides(model, home, cable, nodes[end], layout.wraps[wrap])
        for end, wrap in zip(ends, (wraps[0], wraps[-1]), strict=True)
      )
      _check_span(cable, model, home, wraps, layout)
      for wrap in wraps:
        if layout.wraps[wrap].groove > 0:
          check_groove(
            model, home, cable.name, layout.wraps[wrap], len(wraps), [nodes[first], nodes[last]]
          )
      sites = (nodes[first][0], nodes[last][0])
      layout.spans.append(Span(placed.segment + first, sites, clamped, wraps))  # pyright: ignore
      # on a drum an end of the cable is clamped: it does not slide
      for end, is_clamped, wrap in zip(ends, clamped, (wraps[0], wraps[-1]), strict=True):
        contact = layout.wraps[wrap].contact
        if is_clamped and end in (0, len(nodes) - 1) and own[contact] is None:
          layout.contact_friction[contact], layout.contact_held[contact] = 0.0, True
    for i in range(first, last):
      apart = wraps or i in sheathed
      straight = (-1, -1) if apart else (nodes[i][0], nodes[i + 1][0])
      layout.segment_sites.append(straight)
      layout.segment_bodies.append((nodes[i][2], nodes[i + 1][2]))
    for wrap in wraps:
      if layout.wraps[wrap].kind == RING:
        continue
      _check_side(model, home, cable, layout.wraps[wrap])
      node = layout.wraps[wrap].contact - placed.contact + 1
      hinges = _hinges(model, home, layout.wraps[wrap], nodes[node - 1][2], nodes[node + 1][2])
      layout.wraps[wrap] = replace(layout.wraps[wrap], hinges=hinges)


def _contacts(cable: Cable, placed: Placed) -> list[tuple]:
  # every contact with its element
  elements = [e for e in cable.route for _ in range(contact_count(e))]
  return [(placed.contact + i, element) for i, element in enumerate(elements)]


def _check_span(cable: Cable, model, home, wraps: tuple, layout: Layout) -> None:
  owner = f"cable {cable.name!r}"
  if len(wraps) < 2:
    return
  if len(wraps) > MAX_SPAN_WRAPS:
    raise BadValue(f"{owner}: {len(wraps)} wraps in a row; at most {MAX_SPAN_WRAPS} on the GPU")
  first = layout.wraps[wraps[0]]
  for wrap in wraps:
    w = layout.wraps[wrap]
    across = np.cross(home.geom_xmat[w.geom].reshape(3, 3)[:, 2],
                      home.geom_xmat[first.geom].reshape(3, 3)[:, 2])  # fmt: skip
    name = mujoco.mj_id2name(model, _OBJ.mjOBJ_GEOM, w.geom)
    if w.kind != CYLINDER or np.linalg.norm(across) > 1e-9:
      raise BadValue(
        f"{owner}: wrap {name!r} stands in a row of wraps that are not all parallel cylinders,"
        " which is not on the GPU; put an Eyelet between"
      )
    check_parallel(model, home, cable.name, first, w)


def _check_alone(model, cable: Cable, wraps: tuple, layout: Layout) -> None:
  if len(wraps) == 1:
    return
  sites = [layout.wraps[wrap].geom for wrap in wraps if layout.wraps[wrap].kind == RING]
  name = mujoco.mj_id2name(model, _OBJ.mjOBJ_SITE, sites[0])
  raise BadValue(
    f"cable {cable.name!r}: ring {name!r} stands in a row of {len(wraps)} wraps and rings, which is"
    " not on the GPU; put an Eyelet between"
  )


def _check_hole(model, home, cable: Cable, sites: tuple, ring: Wrapped) -> None:
  # the string at home goes through the hole, past its hint
  rot, center = home.site_xmat[ring.geom].reshape(3, 3), home.site_xpos[ring.geom]
  a, b = (rot.T @ (home.site_xpos[site] - center) / ring.ring[0] for site in sites)
  hint = np.array([1 - ring.ring[1] / ring.ring[0], 0.0, 0.0])
  if ring.hint_site >= 0:
    hint = rot.T @ (home.site_xpos[ring.hint_site] - center) / ring.ring[0]
  elif ring.hint_point is not None:
    hint = np.array(ring.hint_point) / ring.ring[0]
  # where the string shall bear: on the tube nearest to the hint
  out = np.array([*hint[:2], 0.0]) / max(np.hypot(*hint[:2]), 1e-30)
  hint = out + (hint - out) * (ring.ring[1] / ring.ring[0] / max(np.linalg.norm(hint - out), 1e-30))
  if _passes(a, hint) + _passes(hint, b) == 0:
    name = mujoco.mj_id2name(model, _OBJ.mjOBJ_SITE, ring.geom)
    raise BadValue(
      f"cable {cable.name!r}: ring {name!r} is not on the GPU, since the cable does not go through"
      " its hole at qpos0; accepted there: a Ring whose hole it goes through once"
    )


def _passes(a: np.ndarray, b: np.ndarray) -> int:
  # of the straight line through the hole
  if (a[2] >= 0) == (b[2] >= 0):
    return 0
  x = a + (b - a) * (a[2] / (a[2] - b[2]))
  return 0 if np.hypot(x[0], x[1]) >= 1 else 1 if a[2] >= 0 else -1


def _check_side(model, home, cable: Cable, wrap: Wrapped) -> None:
  # a side inside a surface asks for an inside wrap
  rot, center = home.geom_xmat[wrap.geom].reshape(3, 3), home.geom_xpos[wrap.geom]
  if wrap.hint_site < 0:
    return
  local = rot.T @ (home.site_xpos[wrap.hint_site] - center)
  if wrap.kind == CYLINDER:
    local[2] = 0.0
  if np.linalg.norm(local) < 0.8 * model.geom_size[wrap.geom, 0]:
    name = mujoco.mj_id2name(model, _OBJ.mjOBJ_GEOM, wrap.geom)
    raise BadValue(
      f"cable {cable.name!r}: the side of wrap {name!r} lies inside it, which asks for an inside"
      " wrap; that is not on the GPU"
    )


def _rides(model, home, cable: Cable, node: tuple, wrap: Wrapped) -> bool:
  if model.body_weldid[wrap.body] != model.body_weldid[node[2]]:
    return False
  local = home.geom_xmat[wrap.geom].reshape(3, 3).T @ (
    home.site_xpos[node[0]] - home.geom_xpos[wrap.geom]
  )
  if wrap.kind == CYLINDER:
    local[2] = 0.0
  return bool(
    np.linalg.norm(local) - cable.radius <= (1 + _DRUM_HEIGHT) * model.geom_size[wrap.geom, 0]
  )


def _hinges(model, home, wrap: Wrapped, before: int, after: int) -> tuple:
  # coaxial with the cylinder, between the bodies of its neighbors
  if wrap.kind != CYLINDER:
    return ()
  axis = home.geom_xmat[wrap.geom].reshape(3, 3)[:, 2]
  chains = [chain_of(model, before), chain_of(model, after)]
  found = []
  for side in range(2):
    for body in chains[side]:
      if body in chains[1 - side]:
        break
      for j in range(model.body_jntadr[body], model.body_jntadr[body] + model.body_jntnum[body]):
        if model.jnt_type[j] != mujoco.mjtJoint.mjJNT_HINGE:
          continue
        along = float(home.xaxis[j] @ axis)
        offset = home.xanchor[j] - home.geom_xpos[wrap.geom]
        apart = np.linalg.norm(offset - (offset @ axis) * axis)
        if abs(along) < 1 - 1e-6 or apart > 0.5 * model.geom_size[wrap.geom, 0]:
          continue
        sign = (1.0 if side == 1 else -1.0) * (1.0 if along > 0 else -1.0)
        found.append((int(model.jnt_qposadr[j]), sign))
  return tuple(found)


# ------------------------------------ take-up


def _take_up(model, cable: Cable, owner: str) -> Placed:
  t = cable.take_up
  tension = isinstance(t, takeup.TensionCommand | takeup.TendonDrive)
  placed = Placed(cable, 0, 0, 0, FIXED, 0.0, 0, 0.0, tension)
  if isinstance(t, takeup.SpoolJoint):
    joint = _find(model, owner, _OBJ.mjOBJ_JOINT, "joint", t.joint)
    placed.kind, placed.gain = JOINT, t.radius
    placed.address = int(model.jnt_qposadr[joint])
    placed.reference = float(model.qpos0[placed.address])
    placed.dof = int(model.jnt_dofadr[joint])
  elif isinstance(t, takeup.TendonDrive):
    placed.kind, placed.gain = TENDON, t.share
    placed.address = _find(model, owner, _OBJ.mjOBJ_TENDON, "tendon", t.tendon)
  elif t is not None:
    actuator = mujoco.mj_name2id(model, _OBJ.mjOBJ_ACTUATOR, cable.name)
    if actuator < 0:
      raise UnknownName(f"{owner}: no actuator {cable.name!r} in this model for its commands")
    if model.actuator_delay[actuator] > 0:
      raise BadValue(f"{owner}: a delayed actuator is not on the GPU; accepted there: delay 0")
    if model.actuator_actlimited[actuator]:
      raise BadValue(f"{owner}: an actrange is not on the GPU; accepted there: actlimited false")
    placed.actuator = actuator
    placed.gain = getattr(t, "radius", 1.0)
    control = int(model.actuator_ctrladr[actuator])
    if model.actuator_actnum[actuator] > 0:
      last = model.actuator_actadr[actuator] + model.actuator_actnum[actuator] - 1
      placed.kind, placed.address = ACTIVATION, int(last)
      placed.integrates = isinstance(t, takeup.SpoolRate)
      if takeup.filtered(t):  # pyright: ignore
        placed.lag = getattr(t, "lag", 0.0)
        limit = getattr(t, "rate_limit", math.inf)
        placed.rate_limit = limit if math.isfinite(limit) else 0.0
    else:
      placed.kind, placed.address = CONTROL, control
    unlimited = model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_CLAMPCTRL
    if model.actuator_ctrllimited[control] and not unlimited:
      low, high = model.actuator_ctrlrange[control]
      placed.limits = (float(low), float(high))
  return placed
