"""Route: poses and memory -> lengths, directions and wrap angles, span by span.

Numbers of worlds lie side by side: arrays are (count, worlds). Between two fixed nodes nothing else
matters: straight segments, one sphere, one grooved wheel, or parallel cylinders.
"""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false, reportIndexIssue=false

import functools

import warp as wp

from mujocable.warp.layout.parts import SPHERE
from mujocable.warp.path.circle import circle
from mujocable.warp.path.cylinders import over_cylinders
from mujocable.warp.path.groove import over_groove
from mujocable.warp.path.precision import Precision
from mujocable.warp.path.spans import records
from mujocable.warp.path.sphere import over_sphere


@functools.cache
def spans(p: Precision, room: int, keepers: bool, grooves: bool):
  """Kernel: spans with at most `room` wraps; `keepers`: one may hold the cable on a wrap;
  `grooves`: a wrap may have one."""
  r, node, sphere, zero = records(p), circle(p).node, SPHERE, p.real(0.0)
  Spans, Poses, Sides, Lines = r.Spans, r.Poses, r.Sides, r.Lines
  wrap_sphere, wrap_cylinders = over_sphere(p, keepers), over_cylinders(p, room, keepers)
  wrap_grooved = over_groove(p)

  @wp.kernel(module="unique", enable_backward=False)
  def spans_kernel(spans: Spans, poses: Poses, sides: Sides, lines: Lines):
    k, w = wp.tid()
    first = spans.wraps[k, 0]
    last = first
    if wp.static(room > 1):
      last = first + spans.wraps[k, 1] - 1
    sizes = poses.geom_size.shape[0]
    kind = spans.kind[first]
    # ends on their drums
    g = spans.geom[first]
    center = poses.geom_xpos[w, g]
    rot = poses.geom_xmat[w, g]
    radius = poses.geom_size[w % sizes, g][0] + spans.radius[first]
    a = node(poses.site_xpos[w, spans.sites[k, 0]], spans.clamped[k, 0], kind, center, rot, radius)
    h = spans.geom[last]
    size = poses.geom_size[w % sizes, h][0] + spans.radius[last]
    at = poses.geom_xpos[w, h]
    turned = poses.geom_xmat[w, h]
    b = node(poses.site_xpos[w, spans.sites[k, 1]], spans.clamped[k, 1], kind, at, turned, size)
    if wp.static(grooves):  # noqa: SIM102 - known when the kernel is built
      if spans.groove[first] > zero:
        wrap_grooved(k, w, a, b, center, rot, radius, spans, poses, sides, lines)
        return
    if kind == wp.static(sphere):
      wrap_sphere(k, w, a, b, center, rot, radius, spans, poses, sides, lines)
    else:
      wrap_cylinders(k, w, a, b, center, rot, spans, poses, sides, lines)

  return spans_kernel
