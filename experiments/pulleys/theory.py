"""Theory: machines of taut, massless cables over round sheaves, integrated by scipy.

Written from the numbered equations of the theory alone; nothing here knows the simulator. In every
rig of the laboratory the straight falls keep their direction, so all lengths are linear in the
coordinates and the geometry needs no solver.
"""

import math
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
  force: Callable[[float, list, list], Sequence[float]]  # t, x, v -> everything else
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
  """A line over numbered coordinates; rows are sparse, arithmetic is plain: machines are small."""

  def __init__(self, line: Line, names: Sequence[str]):
    def sparse(row: Row) -> tuple[tuple[int, float], ...]:
      return tuple(
        (names.index(name), float(value)) for name, value in row.items() if name in names
      )

    self.line = line
    self.falls = [(fall.length, sparse(fall.grows)) for fall in line.falls]
    self.turns = [
      (turn.angle, turn.radius, turn.friction, sparse(turn.rim), sparse(turn.winds))
      for turn in line.turns
    ]
    length = sum(fall.length for fall in line.falls)
    self.home = length + sum(turn.radius * turn.angle for turn in line.turns) - line.stretch

  def tensions(self, t: float, x: list, v: list) -> tuple[list, list]:
    """Tension of every fall and slip at every turn: (8)-(11)."""
    line = self.line
    falls = [(length + _dot(row, x), _dot(row, v)) for length, row in self.falls]
    arcs = [
      (angle + _dot(winds, x), radius, radius * _dot(winds, v))
      for angle, radius, _, _, winds in self.turns
    ]
    length = sum(fall[0] for fall in falls) + sum(arc[0] * arc[1] for arc in arcs)
    rate = sum(fall[1] for fall in falls) + sum(arc[2] for arc in arcs)

    # source: pulled with a given tension, or stretched (11)
    if line.pull is not None:
      source, stretch_rate = line.pull(t), 0.0
    else:
      c, c_rate = line.take_up(t) if line.take_up is not None else (0.0, 0.0)
      e, stretch_rate = length - self.home + c, rate + c_rate
      a = line.transition
      source = line.stiffness * onset(e, a) + line.damping * gate(e, a) * stretch_rate
      source = min(max(source, 0.0), line.max_tension)

    # slip (9), from the distal end, counted at the middle of each arc
    slip = [0.0] * len(arcs)
    beyond, growth = falls[-1]
    for i in range(len(arcs) - 1, -1, -1):
      angle, radius, arc_rate = arcs[i]
      arc = angle * radius
      strained = (beyond + arc / 2) / length * stretch_rate
      slip[i] = growth - _dot(self.turns[i][3], v) - strained
      beyond += arc + falls[i][0]
      growth += arc_rate + falls[i][1]

    # ratios (8), from the source
    tension = [source]
    for (angle, _, _), turn, speed in zip(arcs, self.turns, slip, strict=True):
      direction = -1.0 if line.forward else math.tanh(speed / line.slip_speed)
      tension.append(tension[-1] * math.exp(direction * turn[2] * angle))
    return tension, slip

  def load(self, tension: list, force: list) -> None:
    """Adds the line's load: minus tension times growth, and the grip on every rim."""
    for pull, (_, row) in zip(tension, self.falls, strict=True):
      for i, coefficient in row:
        force[i] -= pull * coefficient
    for k, (_, radius, _, rim, winds) in enumerate(self.turns):
      for i, coefficient in rim:
        force[i] += (tension[k + 1] - tension[k]) * coefficient
      for i, coefficient in winds:
        force[i] -= tension[k] * radius * coefficient


def _dot(row: tuple, x: list) -> float:
  total = 0.0
  for i, coefficient in row:
    total += coefficient * x[i]
  return total


class _System:
  """A machine as a system of first-order equations."""

  def __init__(self, machine: Machine):
    self.machine, self.names = machine, list(machine.inertia)
    self.inertia = list(machine.inertia.values())
    self.lines = {name: _Line(line, self.names) for name, line in machine.lines.items()}

  def rates(self, t: float, y) -> list:
    """Right-hand side: v, then a."""
    n = len(self.names)
    y = [float(value) for value in y]
    x, v = y[:n], y[n:]
    force = [float(value) for value in self.machine.force(t, x, v)]
    for line in self.lines.values():
      line.load(line.tensions(t, x, v)[0], force)
    return v + [f / m for f, m in zip(force, self.inertia, strict=True)]

  def motion(self, times: np.ndarray, y: np.ndarray, event: float) -> Motion:
    """States at `times` with everything that follows from them."""
    n = len(self.names)
    a = np.array([self.rates(t, state)[n:] for t, state in zip(times, y.T, strict=True)]).T
    tension, slip = {}, {}
    for name, line in self.lines.items():
      rows = [
        line.tensions(t, state[:n].tolist(), state[n:].tolist())
        for t, state in zip(times, y.T, strict=True)
      ]
      tension[name], slip[name] = (np.array(column) for column in zip(*rows, strict=True))

    def named(rows):
      return dict(zip(self.names, rows, strict=True))

    return Motion(times, named(y[:n]), named(y[n:]), tension, slip, named(a), event)


def integrate(
  machine: Machine, times: np.ndarray, watch: tuple[str, float] | None = None
) -> Motion:
  """The machine's motion at `times`, to 1e-10; `watch` = (coordinate, mark) finds the crossing."""
  system = _System(machine)
  column, mark = (system.names.index(watch[0]), watch[1]) if watch else (0, np.nan)

  def crossing(_, y):
    return y[column] - mark

  # piece by piece between the times at which the right-hand side is not smooth
  event, pieces, y = np.nan, [], np.zeros(2 * len(system.names))
  begin = times[0]
  for end in (*(b for b in sorted(machine.breaks) if begin < b < times[-1]), times[-1]):
    last = end == times[-1]
    inside = times[(times >= begin) & ((times <= end) if last else (times < end))]
    run = solve_ivp(
      system.rates,
      (begin, end),
      y,
      method="LSODA" if machine.stiff else "DOP853",
      t_eval=np.unique([*inside, end]),
      events=crossing if watch else None,
      rtol=1e-10,
      atol=1e-13,
      max_step=1e-2,
    )
    if not run.success:
      raise RuntimeError(f"scipy could not integrate the theory: {run.message}")
    if watch and np.isnan(event) and run.t_events[0].size:
      event = float(run.t_events[0][0])
    pieces.append(run.y[:, : inside.size])
    begin, y = end, run.y[:, -1]
  return system.motion(times, np.concatenate(pieces, axis=1), event)
