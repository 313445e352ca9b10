"""An elastic string over a rough post, in many small parts, relaxed pair by pair.

Independent of the engine's solver: nothing but the condition at one contact is used, again and
again, on all even and all odd contacts in turn.
"""

import numpy as np


class Bend:
  """Motor, span, half a turn around a post, span, spring. Parts hold material; the law is
  T = rigidity (1 - rest / length)."""

  def __init__(self, rigidity, spans, radius, friction, spring, angle=np.pi, parts=60):
    arc = radius * angle
    inner = np.full(parts - 1, arc / parts)
    self.length = np.r_[spans[0] + arc / parts / 2, inner, spans[1] + arc / parts / 2]
    self.rigidity, self.spring = rigidity, spring
    self.ratio = np.exp(friction * angle / parts)
    self.rest = self.length.copy()
    self.at, self.given = 0.0, 0.0  # take-up; how far the spring has given way
    self.home = 0.0

  def pretension(self, tension):
    self.rest = self.length * (1 - tension / self.rigidity)
    self.home = tension

  def tensions(self):
    length = self.length.copy()
    length[-1] -= self.given
    return self.rigidity * (1 - self.rest / length), length

  def relax(self):
    for _ in range(20000):
      worst = 0.0
      # the spring and the last part: T = spring * given, the pretension being carried by a stop
      t, length = self.tensions()
      stiff = self.rigidity / length[-1]
      step = (t[-1] - self.spring * self.given) / (stiff + self.spring)
      self.given += step
      worst = abs(step) * stiff
      for first in (0, 1):
        t, length = self.tensions()
        a, b = t[first:-1:2], t[first + 1 :: 2]
        n = min(len(a), len(b))
        a, b = a[:n], b[:n]
        la, lb = length[first:-1:2][:n], length[first + 1 :: 2][:n]
        ka, kb = self.rigidity / la, self.rigidity / lb
        # material toward the higher tension until the ratio is on the cone
        up = np.maximum(b - self.ratio * a, 0) / (kb + self.ratio * ka)
        down = np.maximum(a - self.ratio * b, 0) / (ka + self.ratio * kb)
        move = up - down
        self.rest[first:-1:2][:n] -= move
        self.rest[first + 1 :: 2][:n] += move
        worst = max(worst, np.abs(move * ka).max())
      if worst < 1e-6:
        return
    raise RuntimeError("the string did not relax")

  def drive(self, targets, step):
    """Rows of take-up, tension at the motor, tension at the spring, along the way."""
    rows = []
    self.relax()
    for target in targets:
      count = max(1, round(abs(target - self.at) / step))
      start = self.at
      for k in range(count):
        now = start + (target - start) * (k + 1) / count
        self.rest[0] -= now - self.at
        self.at = now
        self.relax()
        t, _ = self.tensions()
        rows.append((self.at, t[0], t[-1]))
    return np.array(rows)
