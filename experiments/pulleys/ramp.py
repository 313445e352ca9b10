"""Ramp: the smooth command that every hoist of the laboratory follows."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Smoothstep:
  """From 0 to `stroke` in `duration`: stroke (3 u^2 - 2 u^3), then held."""

  stroke: float
  duration: float  # [s]

  def __call__(self, t: float) -> tuple[float, float]:
    """Value and rate."""
    return self.value(t), self.rate(t)

  def value(self, t: float) -> float:
    u = min(max(t / self.duration, 0.0), 1.0)
    return self.stroke * u * u * (3 - 2 * u)

  def rate(self, t: float) -> float:
    u = min(max(t / self.duration, 0.0), 1.0)
    return 6 * self.stroke * u * (1 - u) / self.duration

  def acceleration(self, t: float) -> float:
    """Jumps at both ends of the ramp: 6 stroke / duration^2 at the start."""
    u = t / self.duration
    return 6 * self.stroke * (1 - 2 * u) / self.duration**2 if 0 <= u < 1 else 0.0
