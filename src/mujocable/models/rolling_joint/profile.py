"""Profile: the outline of a condyle, two arcs that meet with one tangent where the bones touch.

In the plane of rolling, seen from the proximal bone: u along the finger, w toward the palm. The
palmar arc is centered on the hinge at u = 0, the dorsal arc where both touch at u = palmar radius.
"""

from dataclasses import dataclass, replace
from math import ceil, pi

import numpy as np


@dataclass(frozen=True)
class Profile:
  """Radii of the arcs and how far they go."""

  palmar: float = 6.0e-3  # [m]
  dorsal: float = 3.0e-3  # [m]
  palmar_end: float = 84.5 * pi / 180  # [rad]
  dorsal_end: float = pi / 2  # [rad]
  width: float = 13.0e-3  # across the finger [m]

  @property
  def dorsal_center(self) -> float:
    """u of the center of the dorsal arc [m]."""
    return self.palmar - self.dorsal

  def inset(self, depth: float, width: float) -> "Profile":
    """The parallel outline `depth` [m] inside: a groove, `width` [m] across."""
    return replace(self, palmar=self.palmar - depth, dorsal=self.dorsal - depth, width=width)

  def outline(self, facet: float, back: float) -> np.ndarray:
    """Corners (u, w) on the arcs, at most `facet` [rad] apart, closed by a straight back at u =
    `back` [m]; convex, counter-clockwise, shape (n, 2)."""
    dorsal = _arc(self.dorsal_center, self.dorsal, -self.dorsal_end, 0.0, facet)
    palmar = _arc(0.0, self.palmar, 0.0, self.palmar_end, facet)
    corners = np.vstack([dorsal, palmar[1:]])
    ends = np.array([[back, corners[-1, 1]], [back, corners[0, 1]]])
    return np.vstack([corners, ends])

  def solid(self, facet: float, back: float, mirrored: bool = False) -> tuple:
    """Vertices (x, y, z) = (across, w, u) and triangles of the outline pulled `width` across.

    `mirrored` is the distal bone: u is counted backward from its hinge.
    """
    flat = self.outline(facet, back)
    if mirrored:
      flat = np.column_stack([-flat[:, 0], flat[:, 1]])[::-1]
    count, half = len(flat), self.width / 2
    vertices = np.vstack(
      [np.column_stack([np.full(count, x), flat[:, 1], flat[:, 0]]) for x in (-half, half)]
    )
    # (y, z) = (w, u) runs clockwise about +x: the near side looks along -x as it is
    following = np.roll(np.arange(count), -1)
    sides = [
      triangle
      for i, j in zip(range(count), following, strict=True)
      for triangle in ((i, i + count, j), (j, i + count, j + count))
    ]
    caps = [
      triangle
      for i in range(1, count - 1)
      for triangle in ((0, i, i + 1), (count, count + i + 1, count + i))
    ]
    return vertices, np.array(sides + caps)


def _arc(center: float, radius: float, start: float, end: float, facet: float) -> np.ndarray:
  angles = np.linspace(start, end, ceil((end - start) / facet - 1e-9) + 1)
  return np.column_stack([center + radius * np.cos(angles), radius * np.sin(angles)])
