"""Cylinders: parallel ones in a row. Seen along them the string is planar, and straight in the
unrolled plane; contacts are followed from the step before. A keeper holds it at a point of its
cylinder, where the string is shortest: for the rest of the row a circle of no radius."""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false, reportIndexIssue=false

import functools

import warp as wp

from mujocable.warp.path.circle import circle
from mujocable.warp.path.precision import Precision
from mujocable.warp.path.spans import records
from mujocable.warp.path.winding import winding

_HELD = 2  # memory of a wrap in a row where a keeper holds the string at a point
_SLIDES = 40  # rounds in which held points slide to where the string is shortest: few are usual


@functools.cache
def over_cylinders(p: Precision, room: int, keepers: bool):
  """Function: all wraps of a span, at most `room`; `keepers`: one may hold the cable on a wrap."""
  real, vec3, mat33, c, r = p.real, p.vec3, p.mat33, circle(p), records(p)
  Spans, Poses, Sides, Lines = r.Spans, r.Poses, r.Sides, r.Lines
  unwrap, tangent_length, keeper, between = c.unwrap, c.tangent_length, c.keeper, c.between
  write_contact, write_segment = r.write_contact, r.write_segment
  way = winding(p)
  wound, sign_of, around, hinted = way.wound, way.sign_of, way.around, way.hinted
  reals = wp.types.vector(room + 2, real)
  ints = wp.types.vector(room + 2, wp.int32)
  zero, one, half = real(0.0), real(1.0), real(0.5)
  outside = real((1 + p.on_surface) ** 2)
  tiny = real(1e-30)
  held_row = keepers and room > 1
  trials = 4 * room + (4 * _SLIDES if held_row else 0)
  small, still, stride = real(1e-3), real(p.on_surface), real(0.3)

  @wp.func
  def tangent(dx: real, dy: real, offset: real, ends: bool):
    # between two circles: direction and length; `offset`: the difference of their radii
    square = dx * dx + dy * dy
    rest = square - offset * offset
    # a point on the circle itself touches where it is
    if ends and square <= outside * offset * offset:
      rest = zero
    reach = wp.sqrt(wp.max(rest, zero))
    scale = one / wp.max(wp.sqrt(reach * reach + offset * offset) * wp.sqrt(square), tiny)
    return (reach * dx + offset * dy) * scale, (reach * dy - offset * dx) * scale, reach

  @wp.func
  def horizons(fx: real, fy: real, gx: real, gy: real, size: real):
    # angles from two points to where their tangents touch a circle, together
    more = wp.atan2(tangent_length(fx * fx + fy * fy, size), size)
    return more + wp.atan2(tangent_length(gx * gx + gy * gy, size), size)

  @wp.func
  def slide(
    ux: real, uy: real, px: real, py: real, pl: real, qx: real, qy: real, ql: real, size: real
  ):  # fmt: skip
    # angle by which a held point moves on its circle: Newton, on the length of both parts
    come = ux * py - uy * px
    leave = ux * qy - uy * qx
    down = -(ux * px + uy * py)
    rise = ux * qx + uy * qy
    bend = (one - come * come) / wp.max(pl, small * size)
    bend += (one - leave * leave) / wp.max(ql, small * size)
    bend += wp.max(down + rise, zero) / size
    pull = leave - come
    if leave + come > half:
      # the same, where both hardly differ
      pull = (down - rise) * (down + rise) / (leave + come)
    return wp.clamp(pull / (wp.max(bend, tiny) * size), -stride, stride)

  @wp.func
  def keep_on(
    wrap: int, w: int, seg: int, a: vec3, b: vec3, center: vec3, rot: mat33, radius: real,
    swept: real, spans: Spans, sides: Sides, lines: Lines
  ):  # fmt: skip
    # a keeper holds the string on the one cylinder, at one point
    old = sides.side[w]
    new = 1 - old
    back = wp.transpose(rot)
    la = back * (a - center)
    lb = back * (b - center)
    ra = wp.sqrt(la[0] * la[0] + la[1] * la[1])
    rb = wp.sqrt(lb[0] * lb[0] + lb[1] * lb[1])
    sense = sign_of(swept)
    at = keeper(ra, rb, radius, wp.abs(swept))
    cosine = wp.cos(at)
    sine = sense * wp.sin(at)
    ux = (cosine * la[0] - sine * la[1]) / wp.max(ra, tiny)
    uy = (sine * la[0] + cosine * la[1]) / wp.max(ra, tiny)
    da = wp.length(vec3(radius * ux - la[0], radius * uy - la[1], zero))
    db = wp.length(vec3(radius * ux - lb[0], radius * uy - lb[1], zero))
    share = half
    if da + db > zero:
      share = da / (da + db)
    held = vec3(radius * ux, radius * uy, la[2] + share * (lb[2] - la[2]))
    tangent = vec3(-sense * uy, sense * ux, zero)
    to = held - la
    on = lb - held
    one_way = rot * wp.where(wp.length(to) > zero, wp.normalize(to), tangent)
    other = rot * wp.where(wp.length(on) > zero, wp.normalize(on), tangent)
    entry = vec3(ux, uy, zero)
    moved = zero
    if sides.touching[old, wrap, w] == 1:
      was = sides.entry[old, wrap, w]
      moved = sense * radius * around(was[0], was[1], ux, uy)
    sides.touching[new, wrap, w] = 1
    sides.entry[new, wrap, w] = entry
    at_point = center + rot * held
    write_contact(lines, spans.contact[wrap], w, 1, between(one_way, other), zero, moved)
    write_segment(lines, seg, w, wp.length(to), one_way, at_point)
    write_segment(lines, seg + 1, w, wp.length(on), other, at_point)

  @wp.func
  def wrap_cylinders(
    k: int, w: int, a: vec3, b: vec3, origin: vec3, rot: mat33, spans: Spans, poses: Poses,
    sides: Sides, lines: Lines
  ):  # fmt: skip
    old = sides.side[w]
    new = 1 - old
    is_fresh = sides.fresh[old, w]
    first = spans.wraps[k, 0]
    count = int(1)
    if wp.static(room > 1):
      count = spans.wraps[k, 1]
    seg = spans.segment[k]
    sizes = poses.geom_size.shape[0]
    ex = vec3(rot[0, 0], rot[1, 0], rot[2, 0])
    ey = vec3(rot[0, 1], rot[1, 1], rot[2, 1])
    ez = vec3(rot[0, 2], rot[1, 2], rot[2, 2])
    x = reals()
    y = reals()
    size = reals()  # radius
    swept = reals()  # about ez, from the point before to the point after
    sense = reals()  # 1: the center is on the left
    on = ints()
    ox = reals()  # center and radius of a cylinder where the string is held at a point
    oy = reals()
    full = reals()
    x[0] = wp.dot(a - origin, ex)
    y[0] = wp.dot(a - origin, ey)
    x[count + 1] = wp.dot(b - origin, ex)
    y[count + 1] = wp.dot(b - origin, ey)
    for i in range(count):
      wi = first + i
      gi = spans.geom[wi]
      ci = poses.geom_xpos[w, gi]
      ri = poses.geom_xmat[w, gi]
      x[i + 1] = wp.dot(ci - origin, ex)
      y[i + 1] = wp.dot(ci - origin, ey)
      size[i + 1] = poses.geom_size[w % sizes, gi][0] + spans.radius[wi]
      flip = sign_of(ri[0, 2] * ez[0] + ri[1, 2] * ez[1] + ri[2, 2] * ez[2])
      turn = flip * (sides.swept[old, wi, w] + wound(wi, w, spans, poses))
      if is_fresh == 1 and spans.hint[wi] > 0 and count == 1:
        hint = poses.site_xpos[w, spans.hint_site[wi]] - ci
        if spans.hint[wi] == 2:
          hint = ri * spans.hint_point[wi]
        turn = hinted(turn, hint, x[0] - x[1], y[0] - y[1], x[2] - x[1], y[2] - y[1], ex, ey)
      swept[i + 1] = turn
      sense[i + 1] = sign_of(turn)
      on[i + 1] = sides.touching[old, wi, w]
      if count == 1 or is_fresh == 1:
        on[i + 1] = 1
      if wp.static(held_row):
        ox[i + 1] = x[i + 1]
        oy[i + 1] = y[i + 1]
        full[i + 1] = size[i + 1]
        if on[i + 1] == wp.static(_HELD):
          was = ri * sides.entry[old, wi, w]
          x[i + 1] += size[i + 1] * wp.dot(was, ex)
          y[i + 1] += size[i + 1] * wp.dot(was, ey)
          size[i + 1] = zero

    # contacts as they were; who turns the wrong way lifts, who is cut touches
    tx = reals()  # direction of the straight part that leaves circle i
    ty = reals()
    tl = reals()  # its length
    turn_of = reals()
    slides = int(0)  # of held points since contacts changed
    slid = int(0)  # in all
    for trial in range(wp.static(trials)):
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
        ends = last == 0 or i == count + 1
        to_x, to_y, reach = tangent(x[i] - x[last], y[i] - y[last], rt - rf, ends)
        tx[last] = to_x
        ty[last] = to_y
        tl[last] = reach
        last = i
      if wp.static(held_row):
        # held points slide along their circles
        furthest = zero
        by = int(0)
        for i in range(1, count + 1):
          if on[i] == wp.static(_HELD):
            ux = (x[i] - ox[i]) / full[i]
            uy = (y[i] - oy[i]) / full[i]
            move = slide(ux, uy, tx[by], ty[by], tl[by], tx[i], ty[i], tl[i], full[i])
            cosine = wp.cos(move)
            sine = wp.sin(move)
            x[i] = ox[i] + full[i] * (cosine * ux - sine * uy)
            y[i] = oy[i] + full[i] * (sine * ux + cosine * uy)
            furthest = wp.max(furthest, wp.abs(move))
          if on[i] > 0:
            by = i
        if furthest > still and slides < wp.static(_SLIDES):
          slides += 1
          slid += 1
          continue
      # how far it turns on each
      before = int(0)
      pressed = int(0)
      for i in range(1, count + 1):
        if on[i] == 0:
          continue
        if wp.static(held_row):  # noqa: SIM102 - known when the kernel is built
          if on[i] == wp.static(_HELD):
            fx = x[before] + sense[before] * size[before] * ty[before] - ox[i]
            fy = y[before] - sense[before] * size[before] * tx[before] - oy[i]
            gx = x[i] + tl[i] * tx[i] - ox[i]
            gy = y[i] + tl[i] * ty[i] - oy[i]
            swept[i] = unwrap(around(fx, fy, gx, gy), swept[i])
            sense[i] = sign_of(swept[i])
            if wp.abs(swept[i]) > horizons(fx, fy, gx, gy, full[i]):
              pressed = i
            before = i
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
        if wp.static(held_row):  # noqa: SIM102 - known when the kernel is built
          if spans.kept[first + worst - 1] == 1:
            # held where it was about to lift
            on[worst] = wp.static(_HELD)
            x[worst] += sense[worst] * size[worst] * ty[worst]
            y[worst] -= sense[worst] * size[worst] * tx[worst]
            size[worst] = zero
            slides = 0
        continue
      if wp.static(held_row):  # noqa: SIM102 - known when the kernel is built
        if pressed > 0 and trial < slid + 3 * wp.static(room):
          # pressed on, it lies on the cylinder again
          on[pressed] = 1
          x[pressed] = ox[pressed]
          y[pressed] = oy[pressed]
          size[pressed] = full[pressed]
          slides = 0
          continue
      # lifted ones between their neighbors
      changed = int(0)
      for i in range(1, count + 1):
        if on[i] > 0:
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
        swept[i] = unwrap(around(fx, fy, gx, gy), swept[i])
        sense[i] = sign_of(swept[i])
        more = horizons(fx, fy, gx, gy, size[i])
        if wp.abs(swept[i]) > more and changed == 0 and trial < slid + 3 * wp.static(room):
          on[i] = 1
          changed = 1
      if changed == 0:
        break

    if wp.static(keepers):  # noqa: SIM102 - known when the kernel is built
      if count == 1 and on[1] == 0 and spans.kept[first] == 1:
        sides.swept[new, first, w] = swept[1] - wound(first, w, spans, poses)
        keep_on(first, w, seg, a, b, origin, rot, size[1], swept[1], spans, sides, lines)
        return

    # straight in the unrolled plane, so the height advances evenly with the planar length
    planar = tl[0]
    for i in range(1, count + 1):
      if on[i] > 0:
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
      direction = cosine * (ex * tx[here] + ey * ty[here]) + up * ez
      straight = zero
      if i == here:
        straight = tl[here] * steep
      write_segment(lines, seg + i, w, straight, direction, foot + ez * (bottom + slope * passed))
      if i < count:
        wi = first + i
        ri = poses.geom_xmat[w, spans.geom[wi]]
        flip = sign_of(ri[0, 2] * ez[0] + ri[1, 2] * ez[1] + ri[2, 2] * ez[2])
        sides.swept[new, wi, w] = flip * swept[i + 1] - wound(wi, w, spans, poses)
        sides.touching[new, wi, w] = on[i + 1]
        if wp.static(held_row):  # noqa: SIM102 - known when the kernel is built
          if on[i + 1] == wp.static(_HELD):
            # both segments end at the point
            ux = (x[i + 1] - ox[i + 1]) / full[i + 1]
            uy = (y[i + 1] - oy[i + 1]) / full[i + 1]
            along = ex * (-uy) + ey * ux
            passed += tl[here]
            here = i + 1
            onward = cosine * (ex * tx[here] + ey * ty[here]) + up * ez
            corner = between(direction, onward)
            # around the axis, and along it
            entry = wp.transpose(ri) * (ex * ux + ey * uy)
            at = bottom + slope * passed
            at -= wp.dot(poses.geom_xpos[w, spans.geom[wi]] - origin, ez)
            entry = vec3(entry[0], entry[1], flip * at)
            moved = zero
            if sides.touching[old, wi, w] > 0:
              was = sides.entry[old, wi, w]
              slip = flip * full[i + 1] * around(was[0], was[1], entry[0], entry[1])
              moved = half * slip * wp.dot(along, direction + onward)
              if sides.touching[old, wi, w] == wp.static(_HELD):
                moved += up * flip * (entry[2] - was[2])
            sides.entry[new, wi, w] = entry
            write_contact(lines, spans.contact[wi], w, 1, corner, zero, moved)
            continue
        if on[i + 1] == 1:
          # entry, around the axis in the frame of the surface
          sr = sense[i + 1] * size[i + 1]
          entry = wp.transpose(ri) * (ex * (sr * ty[here]) - ey * (sr * tx[here]))
          moved = zero
          if sides.touching[old, wi, w] > 0:
            was = sides.entry[old, wi, w]
            moved = flip * sr * around(was[0], was[1], entry[0], entry[1]) * steep
          sides.entry[new, wi, w] = entry
          arc = size[i + 1] * turn_of[i + 1]
          write_contact(lines, spans.contact[wi], w, 1, turn_of[i + 1] * cosine, arc * steep, moved)
          passed += tl[here] + arc
          here = i + 1
        else:
          sides.entry[new, wi, w] = sides.entry[old, wi, w]
          write_contact(lines, spans.contact[wi], w, 0, zero, zero, zero)

  return wrap_cylinders
