"""An independent judge of a path: geodesics integrated anew, corners, and what cuts a surface."""

from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

from experiments.opensim.scenes import Scene, Surface


@dataclass(frozen=True)
class Path:
  """A path over some surfaces of a scene: straight, arc, straight, ..."""

  length: float
  touched: tuple[int, ...]  # surfaces
  entry: np.ndarray  # shape [touched, 3]
  exit: np.ndarray


@dataclass(frozen=True)
class Certificate:
  """How far a path is from a taut one."""

  corner: float  # largest angle between a segment and the arc that it meets [rad]
  miss: float  # largest distance of an arc's end from where its geodesic ends [m]
  depth: float  # deepest cut of a segment [m]
  length: float  # error of the sum of all pieces [m]

  def holds(self) -> bool:
    """Whether it is a taut path, to what the solver declares (a corner of 1e-6 rad)."""
    return bool(max(self.corner, self.miss, self.depth, self.length) <= 2e-6)


def value(s: Surface, x: np.ndarray) -> tuple[float, np.ndarray]:
  """Implicit function, positive outside, and its gradient, in the frame of the surface."""
  if s.kind == "ellipsoid":
    d = 1 / np.square(s.radii)
    return 0.5 * (x @ (d * x) - 1), d * x
  if s.kind == "torus":
    rho = np.hypot(x[0], x[1])
    out = np.array([x[0] / rho, x[1] / rho, 0.0])
    g = (rho - s.radii[0]) * out + np.array([0.0, 0.0, x[2]])
    return 0.5 * (g @ g - s.radii[1] ** 2), g
  flat = np.array([1.0, 1.0, 0.0 if s.kind == "cylinder" else 1.0])
  return 0.5 * (x @ (flat * x) - s.radii[0] ** 2), flat * x


def bending(s: Surface, x: np.ndarray, t: np.ndarray) -> float:
  """Second derivative of the implicit function along t."""
  if s.kind == "ellipsoid":
    return t @ (t / np.square(s.radii))
  if s.kind == "torus":
    rho = np.hypot(x[0], x[1])
    around = (x[0] * t[1] - x[1] * t[0]) / rho
    return t @ t - s.radii[0] / rho * around**2
  flat = np.array([1.0, 1.0, 0.0 if s.kind == "cylinder" else 1.0])
  return t @ (flat * t)


def depth(s: Surface, points: np.ndarray, samples: int = 801) -> float:
  """How deep a polyline cuts into a surface, by sampling every piece [m]."""
  x = s.local(points)
  u = np.linspace(0, 1, samples)[:, None, None]
  x = ((1 - u) * x[:-1] + u * x[1:]).reshape(-1, 3)
  if s.kind == "ellipsoid":
    g = x / np.square(s.radii)
    f = 0.5 * (np.sum(x * g, axis=1) - 1)
    off = f / np.maximum(np.linalg.norm(g, axis=1), 1e-12)
  elif s.kind == "torus":
    off = np.hypot(np.hypot(x[:, 0], x[:, 1]) - s.radii[0], x[:, 2]) - s.radii[1]
  else:
    off = np.linalg.norm(x[:, : 2 if s.kind == "cylinder" else 3], axis=1) - s.radii[0]
  return max(0.0, -float(off.min()))


def certify(scene: Scene, path: Path) -> Certificate:
  """Integrates every arc from its entry along the segment before it."""
  points = [scene.origin]
  for entry, leave in zip(path.entry, path.exit, strict=True):
    points += [entry, leave]
  points.append(scene.insertion)
  legs = [(points[i], points[i + 1]) for i in range(0, len(points), 2)]
  straight = [float(np.linalg.norm(b - a)) for a, b in legs]
  arcs_in_all = max(0.0, path.length - sum(straight))
  corner = miss = arcs = 0.0
  for k, i in enumerate(path.touched):
    s = scene.surfaces[i]
    incoming = (legs[k][1] - legs[k][0]) / straight[k]
    outgoing = (legs[k + 1][1] - legs[k + 1][0]) / straight[k + 1]
    x, t = s.local(path.entry[k]), incoming @ s.mat
    goal, after = s.local(path.exit[k]), outgoing @ s.mat
    _, g = value(s, x)
    corner = max(corner, float(abs(t @ g) / np.linalg.norm(g)))
    found, x, t = _fly(s, x, t, goal, arcs_in_all)
    arcs += found
    miss = max(miss, float(np.linalg.norm(x - goal)))
    corner = max(corner, float(np.linalg.norm(np.cross(t, after))))
  cut = max(depth(s, np.array(leg)) for s in scene.surfaces for leg in legs)
  return Certificate(corner, miss, cut, abs(sum(straight) + arcs - path.length))


def _fly(s, x, t, goal, longest):
  """The geodesic from x along t where it is nearest to `goal`: arc length, point, tangent."""

  def slope(_, y):
    _, g = value(s, y[:3])
    return np.concatenate([y[3:], -bending(s, y[:3], y[3:]) / (g @ g) * g])

  start = np.concatenate([x, t])
  if longest < 1e-12:
    return 0.0, x, t
  flight = solve_ivp(
    slope, (0, 1.01 * longest), start, method="DOP853", rtol=1e-12, atol=1e-13, dense_output=True
  )
  lengths = np.linspace(0, 1.01 * longest, 400)
  nearest = int(np.argmin(np.linalg.norm(flight.sol(lengths)[:3].T - goal, axis=1)))
  at = float(lengths[nearest])
  for _ in range(20):
    y = flight.sol(at)
    at = float(np.clip(at + (goal - y[:3]) @ y[3:], 0, 1.01 * longest))
  y = flight.sol(at)
  return at, y[:3], y[3:] / np.linalg.norm(y[3:])
