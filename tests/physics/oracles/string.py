"""An elastic string over a rough post as a continuum: exact, but for the rule of integration.

Where the tension at an end changes, the string slips next to that end, as far as the Capstan slope
meets the tension that was there before; beyond, it sticks and nothing changes. One number per step
is unknown, the tension at the motor, and the material of the whole string gives it.
"""

import numpy as np


class Bend:
  """Motor, span, a turn around a post, span, spring; T = rigidity (1 - rest / length)."""

  def __init__(self, rigidity, spans, radius, friction, spring, angle=np.pi, points=801):
    self.rigidity, self.spans, self.radius, self.spring = rigidity, spans, radius, spring
    self.angle = np.linspace(0, angle, points)
    self.slope = friction
    self.profile = np.zeros(points)  # logarithm of the tension along the arc
    self.taken = 0.0  # by the motor
    self.material = 0.0  # with nothing taken in

  def start(self, tension):
    """Even tension everywhere, the spring in balance with it."""
    self.profile[:] = np.log(tension)
    self.rest = tension  # the spring's force where it stands
    self.material = self._holds(self.profile)

  def _holds(self, profile):
    strain = np.exp(profile) / self.rigidity
    arc = self.radius * np.trapezoid(1 - strain, self.angle)
    given = (np.exp(profile[-1]) - self.rest) / self.spring
    near, far = self.spans
    return near * (1 - strain[0]) + arc + (far - given) * (1 - strain[-1])

  def _with(self, tension):
    # the profile that a tension at the motor leads to
    s, phi = self.slope, self.angle
    first = np.log(tension)
    reach = s * phi[-1]
    last = np.clip(self.profile[-1], first - reach, first + reach)
    low = np.maximum(first - s * phi, last - s * (phi[-1] - phi))
    high = np.minimum(first + s * phi, last + s * (phi[-1] - phi))
    return np.clip(self.profile, low, high)

  def take(self, taken):
    """The motor has taken in so much."""
    low, high = 1e-9, 10 * self.rigidity
    for _ in range(80):
      middle = np.sqrt(low * high)
      # more tension, less material
      if self._holds(self._with(middle)) > self.material - taken:
        low = middle
      else:
        high = middle
    self.profile = self._with(np.sqrt(low * high))
    self.taken = taken
    return np.exp(self.profile[0]), np.exp(self.profile[-1])

  def drive(self, targets, step):
    """Rows of take-up, tension at the motor, tension at the spring, along the way."""
    rows = []
    for target in targets:
      start = self.taken
      count = max(1, round(abs(target - start) / step))
      for k in range(count):
        taken = start + (target - start) * (k + 1) / count
        rows.append((taken, *self.take(taken)))
    return np.array(rows)
