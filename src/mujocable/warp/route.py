"""Route: poses and memory -> lengths, directions and wrap angles, span by span.

Numbers of worlds lie side by side: arrays are (count, worlds). Between two fixed nodes nothing else
matters: straight segments, one cylinder or sphere in closed form, or parallel cylinders, whose
contacts are followed from the step before.
"""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false

import functools
import math

import warp as wp

from mujocable.warp.layout import MAX_SPAN_WRAPS, SPHERE
from mujocable.warp.precision import Precision


@functools.cache
def spans(p: Precision, room: int = MAX_SPAN_WRAPS):
  """Kernel: spans with at most `room` wraps."""
  real, vec3, mat33 = p.real, p.vec3, p.mat33
  reals = wp.types.vector(room + 2, real)
  ints = wp.types.vector(room + 2, wp.int32)
  zero, one, two = real(0.0), real(1.0), real(2.0)
  pi, tau = real(math.pi), real(2 * math.pi)
  outside = real((1 + p.on_surface) ** 2)
  collinear = real(p.on_surface)
  tiny = real(1e-30)
  sphere = SPHERE

  @wp.func
  def unwrap(angle: real, near: real):
    return angle + tau * wp.round((near - angle) / tau)

  @wp.func
  def tangent_length(square: real, radius: real):
    # from a point to where its tangent touches; a point on the circle touches where it is
    if square <= outside * radius * radius:
      return zero
    return wp.sqrt(square - radius * radius)

  @wp.func
  def turned(x: vec3, y: vec3, n: vec3):
    # angle from x to y about n
    return wp.atan2(wp.dot(n, wp.cross(x, y)), wp.dot(x, y))

  @wp.func
  def node(site: vec3, on_drum: int, kind: int, center: vec3, rot: mat33, radius: real):
    # on a drum the cable ends on the surface
    if on_drum == 0:
      return site
    axis = vec3(rot[0, 2], rot[1, 2], rot[2, 2])
    d = site - center
    if kind == wp.static(sphere):
      return center + wp.normalize(d) * radius
    along = wp.dot(d, axis)
    return center + axis * along + wp.normalize(d - axis * along) * radius

  @wp.kernel(module="unique", enable_backward=False)
  def spans_kernel(
    span_segment: wp.array(dtype=int),
    span_sites: wp.array2d(dtype=int),
    span_clamped: wp.array2d(dtype=int),
    span_wraps: wp.array2d(dtype=int),  # first, how many
    wrap_contact: wp.array(dtype=int),
    wrap_geom: wp.array(dtype=int),
    wrap_kind: wp.array(dtype=int),
    wrap_radius: wp.array(dtype=p.real),  # of the cable
    wrap_hint: wp.array(dtype=int),  # 0: none, 1: a site, 2: a point; only where a reset asks it
    wrap_hint_site: wp.array(dtype=int),
    wrap_hint_point: wp.array(dtype=p.vec3),
    hinge_begin: wp.array(dtype=int),
    hinge_qpos: wp.array(dtype=int),
    hinge_sign: wp.array(dtype=p.real),
    hinge_zero: wp.array(dtype=p.real),
    site_xpos: wp.array2d(dtype=p.vec3),
    geom_xpos: wp.array2d(dtype=p.vec3),
    geom_xmat: wp.array2d(dtype=p.mat33),
    geom_size: wp.array2d(dtype=p.vec3),
    qpos: wp.array2d(dtype=p.real),
    side: wp.array(dtype=int),  # of the memory, by world
    fresh: wp.array2d(dtype=int),
    memory_touching: wp.array3d(dtype=int),
    memory_swept: wp.array3d(dtype=p.real),
    memory_plane: wp.array3d(dtype=p.vec3),  # frame of the surface
    memory_entry: wp.array3d(dtype=p.vec3),  # frame of the surface
    length: wp.array2d(dtype=p.real),
    angle: wp.array2d(dtype=p.real),
    arc: wp.array2d(dtype=p.real),
    advance: wp.array2d(dtype=p.real),
    touching: wp.array2d(dtype=int),
    direction: wp.array2d(dtype=p.vec3),
    point: wp.array2d(dtype=p.vec3),
  ):
    k, w = wp.tid()
    old = side[w]
    new = 1 - old
    is_fresh = fresh[old, w]
    first = span_wraps[k, 0]
    count = int(1)
    if wp.static(room > 1):
      count = span_wraps[k, 1]
    seg = span_segment[k]
    a = site_xpos[w, span_sites[k, 0]]
    b = site_xpos[w, span_sites[k, 1]]
    sizes = geom_size.shape[0]

    # ends on their drums
    g = wrap_geom[first]
    c = geom_xpos[w, g]
    rot = geom_xmat[w, g]
    radius = geom_size[w % sizes, g][0] + wrap_radius[first]
    a = node(a, span_clamped[k, 0], wrap_kind[first], c, rot, radius)
    g1 = wrap_geom[first + count - 1]
    r1 = geom_size[w % sizes, g1][0] + wrap_radius[first + count - 1]
    b = node(b, span_clamped[k, 1], wrap_kind[first], geom_xpos[w, g1], geom_xmat[w, g1], r1)

    if wrap_kind[first] == wp.static(sphere):
      # great circle in the plane of both ends and the center
      ca = a - c
      cb = b - c
      preferred = rot * memory_plane[old, first, w]
      if is_fresh == 1 and wrap_hint[first] > 0:
        hint = site_xpos[w, wrap_hint_site[first]]
        if wrap_hint[first] == 2:
          hint = c + rot * wrap_hint_point[first]
        preferred = wp.cross(ca, hint - c)
        chord = wp.cross(ca, cb)
        if wp.length(chord) > collinear * wp.length(ca) * wp.length(cb):
          n = wp.normalize(chord)
          cv = hint - c - n * wp.dot(hint - c, n)
          preferred = n
          if turned(ca, cv, n) + turned(cv, cb, n) < zero:
            preferred = -n
      cross = wp.cross(ca, cb)
      sine = wp.length(cross)
      sweep = wp.atan2(sine, wp.dot(ca, cb))
      normal = preferred
      if sine > collinear * wp.length(ca) * wp.length(cb):
        normal = cross / sine
        if wp.dot(normal, preferred) < zero:
          normal = -normal
          sweep = tau - sweep
      else:
        u = wp.normalize(ca)
        normal = wp.normalize(preferred - u * wp.dot(preferred, u))
      ta = tangent_length(wp.dot(ca, ca), radius)
      tb = tangent_length(wp.dot(cb, cb), radius)
      wrap = sweep - wp.atan2(ta, radius) - wp.atan2(tb, radius)
      contact = wrap_contact[first]
      if wrap > zero:
        # entry and exit: turned from the directions to both ends
        ea = ca / wp.length(ca)
        eb = cb / wp.length(cb)
        la = wp.sqrt(ta * ta + radius * radius)
        lb = wp.sqrt(tb * tb + radius * radius)
        ua = (radius * ea + ta * wp.cross(normal, ea)) / la
        ub = (radius * eb - tb * wp.cross(normal, eb)) / lb
        entry = wp.transpose(rot) * ua
        came = memory_entry[old, first, w]
        moved = zero
        if memory_touching[old, first, w] == 1:
          moved = radius * turned(came, entry, wp.transpose(rot) * normal)
        touching[contact, w] = 1
        memory_touching[new, first, w] = 1
        memory_plane[new, first, w] = wp.transpose(rot) * normal
        memory_entry[new, first, w] = entry
        advance[contact, w] = moved
        angle[contact, w] = wrap
        arc[contact, w] = radius * wrap
        length[seg, w] = ta
        length[seg + 1, w] = tb
        direction[seg, w] = wp.cross(normal, ua)
        direction[seg + 1, w] = wp.cross(normal, ub)
        point[seg, w] = c + radius * ua
        point[seg + 1, w] = c + radius * ub
      else:
        # off the sphere nothing holds the string to one side: it comes back the shorter chord
        if sweep > pi:
          normal = -normal
        touching[contact, w] = 0
        memory_touching[new, first, w] = 0
        memory_plane[new, first, w] = wp.transpose(rot) * normal
        memory_entry[new, first, w] = memory_entry[old, first, w]
        advance[contact, w] = zero
        angle[contact, w] = zero
        arc[contact, w] = zero
        length[seg, w] = wp.length(b - a)
        length[seg + 1, w] = zero
        direction[seg, w] = wp.normalize(b - a)
        direction[seg + 1, w] = wp.normalize(b - a)
        point[seg, w] = a
        point[seg + 1, w] = a
      return

    # cylinders: seen along them the string is planar
    ex = vec3(rot[0, 0], rot[1, 0], rot[2, 0])
    ey = vec3(rot[0, 1], rot[1, 1], rot[2, 1])
    ez = vec3(rot[0, 2], rot[1, 2], rot[2, 2])
    origin = c
    x = reals()
    y = reals()
    size = reals()  # radius
    swept = reals()  # about ez, from the point before to the point after
    sense = reals()  # 1: the center is on the left
    on = ints()
    x[0] = wp.dot(a - origin, ex)
    y[0] = wp.dot(a - origin, ey)
    x[count + 1] = wp.dot(b - origin, ex)
    y[count + 1] = wp.dot(b - origin, ey)
    for i in range(count):
      wi = first + i
      gi = wrap_geom[wi]
      ci = geom_xpos[w, gi]
      ri = geom_xmat[w, gi]
      x[i + 1] = wp.dot(ci - origin, ex)
      y[i + 1] = wp.dot(ci - origin, ey)
      size[i + 1] = geom_size[w % sizes, gi][0] + wrap_radius[wi]
      along = ri[0, 2] * ez[0] + ri[1, 2] * ez[1] + ri[2, 2] * ez[2]
      flip = one
      if along < zero:
        flip = -one
      bias = zero
      for h in range(hinge_begin[wi], hinge_begin[wi + 1]):
        bias += hinge_sign[h] * (qpos[w, hinge_qpos[h]] - hinge_zero[h])
      turn = flip * (memory_swept[old, wi, w] + bias)
      if is_fresh == 1 and wrap_hint[wi] > 0 and count == 1:
        hint = site_xpos[w, wrap_hint_site[wi]]
        if wrap_hint[wi] == 2:
          hint = ci + ri * wrap_hint_point[wi]
        hx = wp.dot(hint - origin, ex) - x[1]
        hy = wp.dot(hint - origin, ey) - y[1]
        px = x[0] - x[1]
        py = y[0] - y[1]
        qx = x[2] - x[1]
        qy = y[2] - y[1]
        # of the turns that are wound only the number is kept
        way = wp.atan2(px * hy - py * hx, px * hx + py * hy)
        way += wp.atan2(hx * qy - hy * qx, hx * qx + hy * qy)
        turn = way + tau * wp.round((turn - way) / tau)
        if turn * way < zero:
          turn = way
      swept[i + 1] = turn
      sense[i + 1] = one
      if turn < zero:
        sense[i + 1] = -one
      on[i + 1] = memory_touching[old, wi, w]
      if count == 1 or is_fresh == 1:
        on[i + 1] = 1

    # contacts as they were; who turns the wrong way lifts, who is cut touches
    tx = reals()  # direction of the straight part that leaves circle i
    ty = reals()
    tl = reals()  # its length
    turn_of = reals()
    for trial in range(4 * wp.static(room)):
      last = int(0)
      worst = int(0)
      least = zero
      for i in range(1, count + 2):
        if i <= count and on[i] == 0:
          continue
        # from circle `last` to circle i; ends are circles of no radius
        rf = sense[last] * size[last]
        rt = zero
        if i <= count:
          rt = sense[i] * size[i]
        dx = x[i] - x[last]
        dy = y[i] - y[last]
        square = dx * dx + dy * dy
        offset = rt - rf
        rest = square - offset * offset
        # a point on the circle itself touches where it is
        if (last == 0 or i == count + 1) and square <= outside * offset * offset:
          rest = zero
        reach = wp.sqrt(wp.max(rest, zero))
        scale = one / wp.max(wp.sqrt(reach * reach + offset * offset) * wp.sqrt(square), tiny)
        tx[last] = (reach * dx + offset * dy) * scale
        ty[last] = (reach * dy - offset * dx) * scale
        tl[last] = reach
        last = i
      # how far it turns on each
      before = int(0)
      for i in range(1, count + 1):
        if on[i] == 0:
          continue
        sn = sense[i] * (tx[before] * ty[i] - ty[before] * tx[i])
        cs = tx[before] * tx[i] + ty[before] * ty[i]
        more = wp.atan2(tl[before], size[i]) + wp.atan2(tl[i], size[i])
        turn = unwrap(wp.atan2(sn, cs), sense[i] * swept[i] - more)
        turn_of[i] = turn
        swept[i] = sense[i] * (turn + more)
        if turn <= least:
          least = turn
          worst = i
        before = i
      if worst > 0:
        on[worst] = 0
        turn_of[worst] = zero
        continue
      # lifted ones between their neighbors
      changed = int(0)
      for i in range(1, count + 1):
        if on[i] == 1:
          continue
        f = i - 1
        while f > 0 and on[f] == 0:
          f -= 1
        t = i + 1
        while t <= count and on[t] == 0:
          t += 1
        fx = x[f] + sense[f] * size[f] * ty[f] - x[i]
        fy = y[f] - sense[f] * size[f] * tx[f] - y[i]
        gx = fx + tl[f] * tx[f]
        gy = fy + tl[f] * ty[f]
        swept[i] = unwrap(wp.atan2(fx * gy - fy * gx, fx * gx + fy * gy), swept[i])
        sense[i] = one
        if swept[i] < zero:
          sense[i] = -one
        more = wp.atan2(tangent_length(fx * fx + fy * fy, size[i]), size[i])
        more += wp.atan2(tangent_length(gx * gx + gy * gy, size[i]), size[i])
        if wp.abs(swept[i]) > more and changed == 0 and trial < 3 * wp.static(room):
          on[i] = 1
          changed = 1
      if changed == 0:
        break

    # straight in the unrolled plane, so the height advances evenly with the planar length
    planar = tl[0]
    for i in range(1, count + 1):
      if on[i] == 1:
        planar += size[i] * turn_of[i] + tl[i]
    bottom = wp.dot(a - origin, ez)
    rise = wp.dot(b - a, ez)
    total = wp.sqrt(planar * planar + rise * rise)
    steep = total / wp.max(planar, tiny)
    cosine = planar / wp.max(total, tiny)
    up = rise / wp.max(total, tiny)
    slope = rise / wp.max(planar, tiny)

    # segments: where wraps are lifted the first one has the whole length
    here = int(0)  # the circle that the straight part leaves
    passed = zero  # planar length up to there
    for i in range(count + 1):
      sr = sense[here] * size[here]
      if here == 0:
        sr = zero
      foot = origin + ex * (x[here] + sr * ty[here]) + ey * (y[here] - sr * tx[here])
      point[seg + i, w] = foot + ez * (bottom + slope * passed)
      direction[seg + i, w] = cosine * (ex * tx[here] + ey * ty[here]) + up * ez
      length[seg + i, w] = zero
      if i == here:
        length[seg + i, w] = tl[here] * steep
      if i < count:
        wi = first + i
        contact = wrap_contact[wi]
        gi = wrap_geom[wi]
        ri = geom_xmat[w, gi]
        flip = one
        if ri[0, 2] * ez[0] + ri[1, 2] * ez[1] + ri[2, 2] * ez[2] < zero:
          flip = -one
        bias = zero
        for h in range(hinge_begin[wi], hinge_begin[wi + 1]):
          bias += hinge_sign[h] * (qpos[w, hinge_qpos[h]] - hinge_zero[h])
        memory_swept[new, wi, w] = flip * swept[i + 1] - bias
        memory_touching[new, wi, w] = on[i + 1]
        touching[contact, w] = on[i + 1]
        if on[i + 1] == 1:
          # entry, around the axis in the frame of the surface
          sr = sense[i + 1] * size[i + 1]
          out = ex * (sr * ty[here]) - ey * (sr * tx[here])
          entry = wp.transpose(ri) * out
          moved = zero
          if memory_touching[old, wi, w] == 1:
            was = memory_entry[old, wi, w]
            around = wp.atan2(
              was[0] * entry[1] - was[1] * entry[0], was[0] * entry[0] + was[1] * entry[1]
            )
            moved = flip * sense[i + 1] * size[i + 1] * around * steep
          memory_entry[new, wi, w] = entry
          advance[contact, w] = moved
          angle[contact, w] = turn_of[i + 1] * cosine
          arc[contact, w] = size[i + 1] * turn_of[i + 1] * steep
          passed += tl[here] + size[i + 1] * turn_of[i + 1]
          here = i + 1
        else:
          memory_entry[new, wi, w] = memory_entry[old, wi, w]
          advance[contact, w] = zero
          angle[contact, w] = zero
          arc[contact, w] = zero

  del two
  return spans_kernel
