"""Theory: machines of taut, massless cables over round sheaves, integrated by scipy.

Written from the numbered equations of the theory alone; nothing here knows the simulator. In every
rig of the laboratory the straight falls keep their direction, so all lengths are linear in the
coordinates and the geometry needs no solver.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.integrate import solve_ivp

GRAVITY = 9.81  # [m/s^2]

Row = Mapping[str, float]  # coordinate -> coefficient


@dataclass(frozen=True)
class Fall:
  """A straight piece of cable between two nodes."""

  length: float  # at the start [m]
  grows: Row = field(default_factory=dict)  # d(length)/d(coordinate)


@dataclass(frozen=True)
class Turn:
  """A contact between two falls: a sheave, a drum, or an eyelet (radius 0)."""

  angle: float  # at the start [rad]
  radius: float = 0.0  # [m]
  friction: float = 0.0
  rim: Row = field(default_factory=dict)  # speed of the rim toward the distal end [m/s per unit]
  winds: Row = field(default_factory=dict)  # d(angle)/d(coordinate), of a drum that is wound


@dataclass(frozen=True)
class Line:
  """One cable: falls and turns alternate, source first."""

  falls: Sequence[Fall]
  turns: Sequence[Turn]
  stiffness: float = np.inf  # kappa [N/m]
  damping: float = 0.0  # d [N s/m]
  transition: float = 0.0  # a [m]
  stretch: float = 0.0  # e at the start [m]
  max_tension: float = np.inf  # [N]
  slip_speed: float = 0.01  # v_s [m/s]
  forward: bool = False  # sustained sliding toward the source, whatever the slip
  take_up: Callable[[float], tuple[float, float]] | None = None  # t -> c, cdot [m, m/s]
  pull: Callable[[float], float] | None = None  # t -> source tension [N], instead of stiffness


@dataclass(frozen=True)
class Machine:
  """Masses on coordinates, joined by lines; starts at rest at the origin of its coordinates."""

  inertia: Row  # coordinate -> mass or moment of inertia
  lines: Mapping[str, Line]
  force: Callable[[float, np.ndarray, np.ndarray], np.ndarray]  # t, x, v -> everything else
  breaks: Sequence[float] = ()  # times at which the right-hand side is not smooth [s]
  stiff: bool = False  # an implicit method pays


@dataclass(frozen=True)
class Motion:
  """What a machine did: one row per sample."""

  time: np.ndarray  # [s], shape (n,)
  x: Mapping[str, np.ndarray]  # coordinate -> (n,)
  v: Mapping[str, np.ndarray]  # its rate
  tension: Mapping[str, np.ndarray]  # line -> (n, falls) [N], source first
  slip: Mapping[str, np.ndarray] = field(default_factory=dict)  # line -> (n, turns) [m/s]
  a: Mapping[str, np.ndarray] = field(default_factory=dict)  # rate of v
  event: float = np.nan  # when the watched coordinate reached its mark [s]

  def until(self, end: float) -> "Motion":
    """The samples before `end`."""
    return self._keep(self.time < end)

  def every(self, stride: int) -> "Motion":
    """One sample in `stride`, the first and its followers."""
    return self._keep(slice(None, None, stride))

  def _keep(self, keep) -> "Motion":
    def cut(table):
      return {name: rows[keep] for name, rows in table.items()}

    tables = map(cut, (self.x, self.v, self.tension, self.slip, self.a))
    return Motion(self.time[keep], *tables, self.event)


def onset(e: float, a: float) -> float:
  """psi_a of (11)."""
  return 0.0 if e <= 0 else e * e / (2 * a) if e < a else e - a / 2


def gate(e: float, a: float) -> float:
  """eta_a of (11)."""
  return 0.0 if e <= 0 else e / a if e < a else 1.0


def stretch_at(tension: float, stiffness: float, a: float) -> float:
  """The stretch that makes `tension` at rest."""
  psi = tension / stiffness
  return psi + a / 2 if psi >= a / 2 else np.sqrt(2 * a * psi)


class _Line:
  """A line as matrices over the coordinates."""

  def __init__(self, line: Line, names: Sequence[str]):
    def rows(table: Sequence[Row]) -> np.ndarray:
      return np.array([[row.get(name, 0.0) for name in names] for row in table]).reshape(
        len(table), len(names)
      )

    self.line = line
    self.fall = np.array([fall.length for fall in line.falls])
    self.grows = rows([fall.grows for fall in line.falls])
    self.angle = np.array([turn.angle for turn in line.turns])
    self.winds = rows([turn.winds for turn in line.turns])
    self.rim = rows([turn.rim for turn in line.turns])
    self.radius = np.array([turn.radius for turn in line.turns])
    self.friction = np.array([turn.friction for turn in line.turns])
    self.home = self.fall.sum() + self.radius @ self.angle - line.stretch

  def tensions(self, t: float, x: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Tension of every fall and slip at every turn: (8)-(13)."""
    line, n = self.line, len(self.angle)
    fall, fall_rate = self.fall + self.grows @ x, self.grows @ v
    angle = self.angle + self.winds @ x
    arc, arc_rate = self.radius * angle, self.radius * (self.winds @ v)
    length, rate = fall.sum() + arc.sum(), fall_rate.sum() + arc_rate.sum()

    # source: pulled with a given tension, or stretched (11)
    if line.pull is not None:
      source, stretch_rate = line.pull(t), 0.0
    else:
      c, c_rate = line.take_up(t) if line.take_up is not None else (0.0, 0.0)
      e, stretch_rate = length - self.home + c, rate + c_rate
      a = line.transition
      source = line.stiffness * onset(e, a) + line.damping * gate(e, a) * stretch_rate
      source = min(max(source, 0.0), line.max_tension)

    # slip (9), from the distal end, counted at the middle of each arc; then the ratios (13)
    slip, tension = np.zeros(n), np.empty(n + 1)
    beyond, growth = fall[n], fall_rate[n]
    for i in range(n - 1, -1, -1):
      slip[i] = growth - self.rim[i] @ v - (beyond + arc[i] / 2) / length * stretch_rate
      beyond += arc[i] + fall[i]
      growth += arc_rate[i] + fall_rate[i]
    direction = -np.ones(n) if line.forward else np.tanh(slip / line.slip_speed)
    tension[0] = source
    tension[1:] = source * np.exp(np.cumsum(direction * self.friction * angle))
    return tension, slip

  def load(self, tension: np.ndarray) -> np.ndarray:
    """Generalized load of the line: minus tension times growth, and the grip on every rim."""
    wound = tension[:-1] * self.radius
    return np.diff(tension) @ self.rim - tension @ self.grows - wound @ self.winds


def integrate(
  machine: Machine, times: np.ndarray, watch: tuple[str, float] | None = None
) -> Motion:
  """The machine's motion at `times`, to 1e-10; `watch` = (coordinate, mark) finds the crossing."""
  names = list(machine.inertia)
  inertia = np.array([machine.inertia[name] for name in names])
  lines = {name: _Line(line, names) for name, line in machine.lines.items()}
  n = len(names)

  def rhs(t: float, y: np.ndarray) -> np.ndarray:
    x, v = y[:n], y[n:]
    force = machine.force(t, x, v)
    for line in lines.values():
      force = force + line.load(line.tensions(t, x, v)[0])
    return np.concatenate([v, force / inertia])

  event, pieces, y = np.nan, [], np.zeros(2 * n)
  ends = [*(b for b in sorted(machine.breaks) if times[0] < b < times[-1]), times[-1]]
  begin = times[0]
  for end in ends:
    inside = times[(times >= begin) & ((times < end) | (end == times[-1]))]
    crossing = None
    if watch is not None:
      column, mark = names.index(watch[0]), watch[1]

      def crossing(_, state, column=column, mark=mark):
        return state[column] - mark

    run = solve_ivp(
      rhs,
      (begin, end),
      y,
      method="LSODA" if machine.stiff else "DOP853",
      t_eval=np.unique([*inside, end]),
      events=crossing,
      rtol=1e-10,
      atol=1e-13,
      max_step=1e-2,
    )
    if not run.success:
      raise RuntimeError(f"scipy could not integrate the theory: {run.message}")
    if crossing is not None and np.isnan(event) and run.t_events[0].size:
      event = float(run.t_events[0][0])
    pieces.append(run.y[:, : inside.size])
    begin, y = end, run.y[:, -1]
  y = np.concatenate(pieces, axis=1)

  rates = np.array([rhs(t, y[:, k]) for k, t in enumerate(times)]).T
  results = {
    name: [line.tensions(t, y[:n, k], y[n:, k]) for k, t in enumerate(times)]
    for name, line in lines.items()
  }
  return Motion(
    time=times,
    x={name: y[i] for i, name in enumerate(names)},
    v={name: y[n + i] for i, name in enumerate(names)},
    tension={name: np.array([tension for tension, _ in rows]) for name, rows in results.items()},
    slip={name: np.array([slip for _, slip in rows]) for name, rows in results.items()},
    a={name: rates[n + i] for i, name in enumerate(names)},
    event=event,
  )
