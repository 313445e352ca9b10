"""Cylinders: parallel ones in a row. Seen along them the string is planar (row.py), and straight in
the unrolled plane, so that its height advances evenly with the planar length.

Contacts are followed from the step before: who turns the wrong way lifts, who is cut touches.
"""

import functools

import warp as wp

from mujocable.warp.path.kept import kept_on
from mujocable.warp.path.precision import Precision
from mujocable.warp.path.row import HELD, contacts, straights
from mujocable.warp.path.spans import records, singles, writers
from mujocable.warp.path.winding import winding

_SLIDES = 40  # rounds in which held points slide to where the string is shortest: few are usual


@functools.cache
def over_cylinders(p: Precision, room: int, keepers: bool):
  """Function: all wraps of a span, at most `room`; `keepers`: one may hold the cable on a wrap.

  It is long, since what it knows of the whole row stays where it is: functions would get copies,
  which doubles the memory of a thread.
  """
  real, vec3, r, single, write = p.real, p.vec3, records(p), singles(p), writers(p)
  Spans, Scene, Single = r.Spans, r.Scene, single.Single
  way, part, contact, keep_on = winding(p), straights(p), contacts(p), kept_on(p)
  reals, ints = wp.types.vector(room + 2, real), wp.types.vector(room + 2, wp.int32)
  zero, tiny, still = real(0.0), real(1e-30), real(p.on_surface)
  held_row = keepers and room > 1
  trials = 4 * room + (4 * _SLIDES if held_row else 0)

  @wp.func
  def wrap_cylinders(s: Single, count: int, spans: Spans, scene: Scene):
    ex = vec3(s.rot[0, 0], s.rot[1, 0], s.rot[2, 0])
    ey = vec3(s.rot[0, 1], s.rot[1, 1], s.rot[2, 1])
    ez = vec3(s.rot[0, 2], s.rot[1, 2], s.rot[2, 2])
    x = reals()  # centers; number 0 and the last one are the nodes
    y = reals()
    size = reals()  # radius
    swept = reals()  # about ez, from the point before to the point after
    sense = reals()  # 1: the center is on the left
    on = ints()
    ox = reals()  # center and radius of a cylinder where the string is held at a point
    oy = reals()
    full = reals()
    fresh = scene.sides.fresh[s.before, s.w]
    x[0] = wp.dot(s.a - s.center, ex)
    y[0] = wp.dot(s.a - s.center, ey)
    x[count + 1] = wp.dot(s.b - s.center, ex)
    y[count + 1] = wp.dot(s.b - s.center, ey)
    for i in range(1, count + 1):
      wrap = s.index + i - 1
      center = scene.poses.geom_xpos[s.w, spans.geom[wrap]]
      rot = scene.poses.geom_xmat[s.w, spans.geom[wrap]]
      x[i] = wp.dot(center - s.center, ex)
      y[i] = wp.dot(center - s.center, ey)
      size[i] = single.radius_of(wrap, s.w, spans, scene)
      turn = way.flip_of(rot, ez) * way.followed(wrap, s.w, s.before, spans, scene)
      if fresh == 1 and spans.hint[wrap] > 0 and count == 1:
        hint = single.hint_of(wrap, s.w, center, rot, spans, scene)
        turn = way.hinted(turn, hint, x[0] - x[1], y[0] - y[1], x[2] - x[1], y[2] - y[1], ex, ey)
      swept[i] = turn
      sense[i] = way.sign_of(turn)
      on[i] = scene.sides.touching[s.before, wrap, s.w]
      if count == 1 or fresh == 1:
        on[i] = 1
      if wp.static(held_row):
        ox[i] = x[i]
        oy[i] = y[i]
        full[i] = size[i]
        if on[i] == wp.static(HELD):
          was = rot * scene.sides.entry[s.before, wrap, s.w]
          x[i] += size[i] * wp.dot(was, ex)
          y[i] += size[i] * wp.dot(was, ey)
          size[i] = zero

    tx = reals()  # direction of the straight part that leaves circle i
    ty = reals()
    tl = reals()  # its length
    turn_of = reals()
    slides = int(0)  # of held points since contacts changed
    slid = int(0)  # in all
    for trial in range(wp.static(trials)):
      by = int(0)
      for i in range(1, count + 2):
        if i <= count and on[i] == 0:
          continue
        # from circle `by` to circle i; ends are circles of no radius
        offset = sense[i] * size[i] - sense[by] * size[by]
        ends = by == 0 or i == count + 1
        to_x, to_y, reach = part.tangent(x[i] - x[by], y[i] - y[by], offset, ends)
        tx[by] = to_x
        ty[by] = to_y
        tl[by] = reach
        by = i
      if wp.static(held_row):
        # held points slide along their circles
        furthest = zero
        by = int(0)
        for i in range(1, count + 1):
          if on[i] == wp.static(HELD):
            to_x, to_y, move = part.slide(
              x[i] - ox[i], y[i] - oy[i], full[i], tx[by], ty[by], tl[by], tx[i], ty[i], tl[i]
            )
            x[i] = ox[i] + to_x
            y[i] = oy[i] + to_y
            furthest = wp.max(furthest, wp.abs(move))
          if on[i] > 0:
            by = i
        if furthest > still and slides < wp.static(_SLIDES):
          slides += 1
          slid += 1
          continue
      # how far it turns on each, or past it
      may = trial < slid + 3 * wp.static(room)
      worst = int(0)
      least = zero
      pressed = int(0)
      by = int(0)
      for i in range(1, count + 1):
        if on[i] == 1:
          turn, sweep = part.turn(
            sense[i], swept[i], size[i], tx[by], ty[by], tl[by], tx[i], ty[i], tl[i]
          )
          turn_of[i] = turn
          swept[i] = sweep
          if turn <= least:
            least = turn
            worst = i
        elif wp.static(held_row) and on[i] == wp.static(HELD):
          fx = x[by] + sense[by] * size[by] * ty[by] - ox[i]
          fy = y[by] - sense[by] * size[by] * tx[by] - oy[i]
          gx = x[i] + tl[i] * tx[i] - ox[i]
          gy = y[i] + tl[i] * ty[i] - oy[i]
          sweep, cut = part.past(fx, fy, gx, gy, full[i], swept[i])
          swept[i] = sweep
          sense[i] = way.sign_of(sweep)
          if cut:
            pressed = i
        if on[i] > 0:
          by = i
      if worst > 0:
        on[worst] = 0
        turn_of[worst] = zero
        if wp.static(held_row) and spans.kept[s.index + worst - 1] == 1:
          # held where it was about to lift
          on[worst] = wp.static(HELD)
          x[worst] += sense[worst] * size[worst] * ty[worst]
          y[worst] -= sense[worst] * size[worst] * tx[worst]
          size[worst] = zero
          slides = 0
        continue
      if wp.static(held_row) and pressed > 0 and may:
        # pressed on, it lies on the cylinder again
        on[pressed] = 1
        x[pressed] = ox[pressed]
        y[pressed] = oy[pressed]
        size[pressed] = full[pressed]
        slides = 0
        continue
      # lifted ones between their neighbors; the first that is cut touches
      changed = int(0)
      for i in range(1, count + 1):
        if on[i] > 0:
          continue
        by = i - 1
        while by > 0 and on[by] == 0:
          by -= 1
        fx = x[by] + sense[by] * size[by] * ty[by] - x[i]
        fy = y[by] - sense[by] * size[by] * tx[by] - y[i]
        gx = fx + tl[by] * tx[by]
        gy = fy + tl[by] * ty[by]
        sweep, cut = part.past(fx, fy, gx, gy, size[i], swept[i])
        swept[i] = sweep
        sense[i] = way.sign_of(sweep)
        if cut and changed == 0 and may:
          on[i] = 1
          changed = 1
      if changed == 0:
        break

    if wp.static(keepers):  # noqa: SIM102 - known when the kernel is built
      if count == 1 and on[1] == 0 and spans.kept[s.index] == 1:
        scene.sides.swept[s.now, s.index, s.w] = swept[1] - way.wound(s.index, s.w, spans, scene)
        keep_on(s, swept[1], scene)
        return

    planar = tl[0]
    for i in range(1, count + 1):
      if on[i] > 0:
        planar += size[i] * turn_of[i] + tl[i]
    bottom = wp.dot(s.a - s.center, ez)
    rise = wp.dot(s.b - s.a, ez)
    total = wp.sqrt(planar * planar + rise * rise)
    steep = total / wp.max(planar, tiny)
    cosine = planar / wp.max(total, tiny)
    up = rise / wp.max(total, tiny)
    slope = rise / wp.max(planar, tiny)

    # segments: where wraps are lifted the first one has the whole length
    here = int(0)  # the circle that the straight part leaves
    passed = zero  # planar length up to there
    for i in range(1, count + 2):
      sr = sense[here] * size[here]
      foot = s.center + ex * (x[here] + sr * ty[here]) + ey * (y[here] - sr * tx[here])
      foot += ez * (bottom + slope * passed)
      direction = cosine * (ex * tx[here] + ey * ty[here]) + up * ez
      straight = zero
      if i == here + 1:
        straight = tl[here] * steep
      write.segment(scene.lines, s.segment + i - 1, s.w, straight, direction, foot)
      if i <= count:
        wrap = s.index + i - 1
        rot = scene.poses.geom_xmat[s.w, spans.geom[wrap]]
        flip = way.flip_of(rot, ez)
        scene.sides.swept[s.now, wrap, s.w] = flip * swept[i] - way.wound(wrap, s.w, spans, scene)
        scene.sides.touching[s.now, wrap, s.w] = on[i]
        if on[i] == 0:
          scene.sides.entry[s.now, wrap, s.w] = scene.sides.entry[s.before, wrap, s.w]
          write.contact(scene.lines, spans.contact[wrap], s.w, 0, zero, zero, zero)
        elif on[i] == 1:
          sr = sense[i] * size[i]
          arc = size[i] * turn_of[i]
          passed += tl[here]
          center = scene.poses.geom_xpos[s.w, spans.geom[wrap]]
          at = bottom + slope * passed - wp.dot(center - s.center, ez)
          out = ex * (sr * ty[here]) - ey * (sr * tx[here]) + ez * at
          angle = turn_of[i] * cosine
          contact.arc(
            s, wrap, rot, out, flip * sr, angle, arc * steep, cosine, flip * up, spans, scene
          )
          passed += arc
          here = i
        elif wp.static(held_row):
          passed += tl[here]
          here = i
          ux = (x[i] - ox[i]) / full[i]
          uy = (y[i] - oy[i]) / full[i]
          onward = cosine * (ex * tx[i] + ey * ty[i]) + up * ez
          at = bottom + slope * passed
          contact.point(
            s, wrap, rot, ux, uy, direction, onward, flip, at, up, full[i], spans, scene
          )

  return wrap_cylinders
