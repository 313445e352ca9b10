"""Route: poses and memory -> lengths (1), directions and wrap angles (7), span by span.

Numbers of worlds lie side by side: arrays are (count, worlds). Between two fixed nodes nothing else
matters: straight segments, one sphere, one grooved wheel, or parallel cylinders.
"""

import functools

import warp as wp

from mujocable.warp.layout.parts import SPHERE
from mujocable.warp.path.circle import circle
from mujocable.warp.path.cylinders import over_cylinders
from mujocable.warp.path.groove import over_groove
from mujocable.warp.path.precision import Precision
from mujocable.warp.path.spans import records, singles
from mujocable.warp.path.sphere import over_sphere


@functools.cache
def spans(p: Precision, room: int, keepers: bool, grooves: bool):
  """Kernel: spans with at most `room` wraps; `keepers`: one may hold the cable on a wrap;
  `grooves`: a wrap may have one."""
  r, node, sphere, zero = records(p), circle(p).node, SPHERE, p.real(0.0)
  Spans, Scene, single = r.Spans, r.Scene, singles(p)
  wrap_sphere, wrap_cylinders = over_sphere(p, keepers), over_cylinders(p, room, keepers)
  wrap_grooved = over_groove(p)

  @wp.kernel(module="unique", enable_backward=False)
  def spans_kernel(spans: Spans, scene: Scene):
    k, w = wp.tid()
    s = single.first_wrap(k, w, spans, scene)
    last = s.index
    if wp.static(room > 1):
      last = s.index + spans.wraps[k, 1] - 1
    kind = spans.kind[s.index]
    # ends on their drums
    s.a = node(s.a, spans.clamped[k, 0], kind, s.center, s.rot, s.radius)
    center = scene.poses.geom_xpos[w, spans.geom[last]]
    rot = scene.poses.geom_xmat[w, spans.geom[last]]
    radius = single.radius_of(last, w, spans, scene)
    s.b = node(s.b, spans.clamped[k, 1], kind, center, rot, radius)
    if wp.static(grooves):  # noqa: SIM102 - known when the kernel is built
      if spans.groove[s.index] > zero:
        wrap_grooved(s, spans, scene)
        return
    if kind == wp.static(sphere):
      wrap_sphere(s, spans, scene)
    else:
      count = int(1)
      if wp.static(room > 1):
        count = spans.wraps[k, 1]
      wrap_cylinders(s, count, spans, scene)

  return spans_kernel
