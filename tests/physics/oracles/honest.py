"""Is a read-out a taut path at all? Rebuilt from entry, exit and wrap angle alone, in numpy."""

from __future__ import annotations

import numpy as np

import mujocable as mjc
from oracles import build, shapes


def complaints(model, data, view, route, radius, kink=1e-6, depth=1e-6, slip=1e-8):
  """What is wrong with a path that calls itself valid; an empty list when nothing is.

  None where it cannot judge: a guide nearer to a wrap than the cable's own radius.

  kink [rad], depth [m]: the thresholds given to the cable; slip: relative tolerance of sums.
  """
  wrong = []
  if any(buried(model, data, route, radius)):
    return None
  nodes = [_end(model, data, route, 0, radius)]  # ends of straight segments, in pairs
  surfaces, total = [], 0.0
  lifted = []  # wraps between the last node and the next one

  def smooth(element):
    return shapes.is_smooth(model, element)

  def arrive(point):
    nonlocal total
    total += np.linalg.norm(point - nodes[-1])
    for element in lifted:
      deep = _depth(model, data, element, radius, nodes[-1], point)
      if deep > depth + (shapes.known_to(model, element)[0] if smooth(element) else 0):
        wrong.append(f"segment runs {deep:.3g} m inside lifted {name_of(element)!r}")
    lifted.clear()

  for i, element in enumerate(route[1:-1]):
    if isinstance(element, mjc.Eyelet):
      point = data.site(element.site).xpos.copy()
      arrive(point)
      nodes.append(point)
      continue
    if not view.touching[i]:
      lifted.append(element)
      if view.wrap_angle[i] != 0 or not np.isnan(view.entry[i]).all():
        wrong.append(f"lifted {name_of(element)!r} still has an arc")
      continue
    entry, leave = np.array(view.entry[i]), np.array(view.exit[i])
    if isinstance(element, mjc.Wrap) and element.permanent and np.array_equal(entry, leave):
      # held by its groove at one point, like an eyelet
      arrive(entry)
      nodes.append(leave)
      continue
    arrive(entry)
    surfaces.append((i, element, nodes[-1], entry, leave))
    nodes.append(leave)
  arrive(_end(model, data, route, -1, radius))
  after = _following(model, data, view, route, radius)
  bent = 0.0  # chords of arcs whose length is not known here
  for i, element, before, entry, leave in surfaces:
    ends = (before, entry, leave, after[i])
    if shapes.is_smooth(model, element):
      wrong += _smooth_complaints(model, data, element, radius, ends, kink)
      bent += float(np.linalg.norm(leave - entry))
      continue
    arc, more = _arc_complaints(model, data, view, i, element.geom, radius, *ends, kink)
    total += arc
    wrong += more
  error = total + bent - view.length
  if error > (slip + 10 * view.smoothness) * view.length or (
    bent == 0 and -error > (slip + 10 * view.smoothness) * total
  ):
    wrong.append(f"pieces sum to {total + bent!r}, length says {view.length!r}")
  return wrong


def name_of(element):
  """What the model calls the geom or the site of an element."""
  return element.site if isinstance(element, mjc.Ring) else element.geom


def _smooth_complaints(model, data, element, radius, ends, kink):
  """What is wrong with the contact on a smooth surface: off it, a kink, a segment that cuts it."""
  before, entry, leave, after = ends
  wrong, name = [], name_of(element)
  off, normals = shapes.gap(model, data, element, radius, np.array([entry, leave]))
  size = np.abs(off).max()
  known, tilt = shapes.known_to(model, element)
  far = known + 1e-9 * (np.linalg.norm(entry - before) + np.linalg.norm(after - leave) + 1e-3)
  if size > far:
    wrong.append(f"contact off the surface of {name!r} by {size:.3g} m")
  for begin, end, normal in ((before, entry, normals[0]), (leave, after, normals[1])):
    run = np.linalg.norm(end - begin)
    if run > 1e-6 and abs((end - begin) @ normal) / run > kink + tilt + far / run:
      wrong.append(f"kink of {abs((end - begin) @ normal) / run:.3g} rad at {name!r}")
    deep = _depth(model, data, element, radius, begin, end)
    if deep > far + kink * run:
      wrong.append(f"its own segment runs {deep:.3g} m inside {name!r}")
  return wrong


def buried(model, data, route, radius):
  """Per fixed node: whether it lies inside a wrap of its own span (drum knots excepted)."""
  out = []
  for i, element in enumerate(route):
    if isinstance(element, mjc.Wrap | mjc.Ring):
      continue
    inside = False
    for step in (1, -1):
      j = i + step
      while 0 <= j < len(route) and isinstance(route[j], mjc.Wrap | mjc.Ring):
        point = _end(model, data, route, i, radius) if i in (0, len(route) - 1) else None
        if point is None:
          point = data.site(element.site).xpos
        if shapes.is_smooth(model, route[j]):
          inside |= bool(shapes.gap(model, data, route[j], radius, point)[0][0] < 0)
        else:
          inside |= _reach(model, data, route[j].geom, point) < (1 - 1e-9) * (
            model.geom(route[j].geom).size[0] + radius
          )
        j += step
    out.append(bool(inside))
  return out


def _reach(model, data, name, point):
  """Distance from a sphere's center or a cylinder's axis."""
  pos, mat = _frame(data, name)
  p = mat.T @ (point - pos)
  ball = int(model.geom(name).type[0]) == int(build.SPHERE)
  return np.linalg.norm(p if ball else p[:2])


def _end(model, data, route, which, radius):
  """Where an anchor holds the cable: at its site, or above it on the drum it is knotted to."""
  point = data.site(route[which].site).xpos.copy()
  neighbor = route[1 if which == 0 else -2]
  if not isinstance(neighbor, mjc.Wrap) or shapes.kind_of(model, neighbor) != "cylinder":
    return point
  same = model.geom(neighbor.geom).bodyid[0] == model.site(route[which].site).bodyid[0]
  pos, mat = _frame(data, neighbor.geom)
  p = mat.T @ (point - pos)
  reach, outer = np.hypot(p[0], p[1]), model.geom(neighbor.geom).size[0] + radius
  if same and reach <= outer * (1 + 1e-9):
    p[:2] *= outer / reach
  return pos + mat @ p


def _following(model, data, view, route, radius):
  """The next touched point after each contact."""
  out, ahead = {}, _end(model, data, route, -1, radius)
  for i in range(len(route) - 3, -1, -1):
    element = route[i + 1]
    out[i] = ahead
    if isinstance(element, mjc.Eyelet):
      ahead = data.site(element.site).xpos.copy()
    elif view.touching[i]:
      ahead = np.array(view.entry[i])
  return out


def _frame(data, name):
  geom = data.geom(name)
  return geom.xpos.copy(), geom.xmat.reshape(3, 3).copy()


def _depth(model, data, element, radius, start, end):
  """How deep a straight segment runs inside a (finite) surface, by sampling."""
  t = np.linspace(0, 1, 401)[:, None]
  if shapes.is_smooth(model, element):
    t = t[::5]
    return float(-shapes.gap(model, data, element, radius, (1 - t) * start + t * end)[0].min())
  name = element.geom
  pos, mat = _frame(data, name)
  size = model.geom(name).size
  p = ((1 - t) * start + t * end - pos) @ mat
  outer = size[0] + radius
  if int(model.geom(name).type[0]) == int(build.SPHERE):
    return float(np.max(outer - np.linalg.norm(p, axis=1)))
  inside = np.abs(p[:, 2]) < size[1]
  gap = outer - np.linalg.norm(p[:, :2], axis=1)
  return float(np.max(np.where(inside, gap, -np.inf)))


def _arc_complaints(model, data, view, i, name, radius, before, entry, leave, after, kink):
  """Length of the arc and what is wrong with it."""
  pos, mat = _frame(data, name)
  outer = model.geom(name).size[0] + radius
  ball = int(model.geom(name).type[0]) == int(build.SPHERE)
  p, q = mat.T @ (entry - pos), mat.T @ (leave - pos)
  a, b = mat.T @ (before - pos), mat.T @ (after - pos)
  flat = np.array([1, 1, 1.0]) if ball else np.array([1, 1, 0.0])
  wrong = []
  normals = [x * flat / max(np.linalg.norm(x * flat), 1e-300) for x in (p, q)]
  for x in (p, q):
    if abs(np.linalg.norm(x * flat) - outer) > 1e-9 * outer + 1e-12:
      wrong.append(
        f"contact off the surface of {name!r} by {np.linalg.norm(x * flat) - outer:.3g} m"
      )
  directions = []
  for begin, end, normal in ((a, p, normals[0]), (q, b, normals[1])):
    gap = np.linalg.norm(end - begin)
    if gap < 1e-9 * outer:
      directions.append(None)  # a segment of no length has no direction
      continue
    e = (end - begin) / gap
    directions.append(e)
    # a segment shorter than round-off over the kink cannot show its angle
    if abs(e @ normal) > kink + 1e-14 * outer / gap:
      wrong.append(f"kink of {abs(e @ normal):.3g} rad at {name!r}")
  phi = view.wrap_angle[i]
  if ball:
    # the exit is the entry turned by phi about the normal of the plane
    cos = normals[0] @ normals[1]
    if abs(cos - np.cos(phi)) > 1e-7:
      wrong.append(f"wrap angle {phi!r} does not lead from entry to exit on {name!r}")
    return outer * phi, wrong
  e = directions[0] if directions[0] is not None else directions[1]
  if e is None:
    # both ends knotted on the barrel: wound^2 = phi^2 + (phi rise / r wound)^2 has one root
    rise = (q[2] - p[2]) / outer
    wound = np.sqrt(0.5 * phi * (phi + np.sqrt(phi**2 + 4 * rise**2)))
    return outer * np.hypot(wound, rise), wrong
  cos = np.sqrt(max(1e-30, 1 - e[2] ** 2))
  wound = phi / cos
  turned = np.arctan2(q[1], q[0]) - np.arctan2(p[1], p[0])
  miss = min(abs(np.angle(np.exp(1j * (turned - s * wound)))) for s in (1, -1))
  if miss > 1e-6:
    wrong.append(f"wrap angle {phi!r} does not lead from entry to exit on {name!r}: {miss:.3g}")
  arc = outer * wound / cos
  if abs((q[2] - p[2]) - arc * e[2]) > (1e-6 + 10 * view.smoothness / cos) * max(outer, arc):
    wrong.append(f"the arc on {name!r} is not a helix of the segment's pitch")
  return arc, wrong
