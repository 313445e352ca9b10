"""Case: what every machine of the laboratory has, and how its errors are measured."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import mujoco
import numpy as np

from experiments.pulleys.theory import Machine, Motion

SAMPLES = 8000  # compared at most
ROUNDING = 1e-12  # bound of what is zero in theory [SI]
MM = (1e3, "mm")
QUARTER = np.pi / 2  # wrap of a fall that turns from level to vertical [rad]


@dataclass(frozen=True)
class Signal:
  """A quantity that theory and simulation both have."""

  name: str
  unit: str  # SI
  of: Callable[[Motion], np.ndarray]
  shown: tuple[float, str] = (1.0, "")  # factor and unit for figures; "" is the SI unit


@dataclass(frozen=True)
class Entry:
  """One number of the result table: how far the simulation is from the theory."""

  key: str
  kind: str  # one of MEASURES
  signal: Signal
  paper: float | None = None  # the published error [SI]; None: none was published
  target: float | None = None  # bound on |error| [SI]; None: a tenth of the paper's


@dataclass(frozen=True)
class Fact:
  """A single figure of a run beside its closed form, and what others published for it."""

  name: str
  unit: str
  value: float
  theory: float
  published: float | None = None


def _rmse(signal: Signal, sim: Motion, ref: Motion) -> float:
  return float(np.sqrt(np.mean((signal.of(sim) - signal.of(ref)) ** 2)))


def _final(signal: Signal, sim: Motion, ref: Motion) -> float:
  return float(signal.of(sim)[-1] - signal.of(ref)[-1])


def _peak(signal: Signal, sim: Motion, ref: Motion) -> float:
  return float(np.abs(signal.of(sim)).max() - np.abs(signal.of(ref)).max())


def _largest(signal: Signal, sim: Motion, ref: Motion) -> float:
  return float(np.abs(signal.of(sim) - signal.of(ref)).max())


def _event(_: Signal, sim: Motion, ref: Motion) -> float:
  return sim.event - ref.event


MEASURES = {
  "rmse": _rmse,  # root mean square of the difference over the trajectory
  "final": _final,  # difference at the last sample
  "peak": _peak,  # difference of the largest magnitudes
  "largest": _largest,  # largest difference
  "event": _event,  # difference of the times at which the mark is reached
}


@dataclass(frozen=True, kw_only=True)
class Case:
  """Parameters of a machine; its rig, its theory and its textbook form are made from them."""

  name: str
  title: str
  duration: float = 2.0  # [s]
  timestep: float = 5e-4  # [s]
  integrator: str = "implicitfast"
  stiffness: float = 15000.0  # kappa of the cables [N/m]
  damping: float = 20.0  # d [N s/m]
  transition: float = 1e-5  # a [m]
  friction: float = 0.0
  slip_speed: float = 0.02  # v_s [m/s]
  watch: tuple[str, float] | None = None  # coordinate and mark of an event

  def times(self) -> np.ndarray:
    """Where theory and simulation are compared: every step, or one in several of many."""
    steps = round(self.duration / self.timestep)
    stride = -(-steps // SAMPLES)
    return self.timestep * stride * np.arange(steps // stride + 1)

  def spec(self) -> mujoco.MjSpec:
    """The rig, with its cables."""
    raise NotImplementedError

  def machine(self) -> Machine:
    """The same rig for the theory: coordinates have the names of the joints."""
    raise NotImplementedError

  def textbook(self, times: np.ndarray) -> Motion | None:
    """The rigid closed form: inextensible cable, no slip where the sheave is driven; or None."""
    return None

  def stiff_limit(self, times: np.ndarray) -> Motion | None:
    """What the motion tends to as the stiffness grows: as the textbook, but slip remains."""
    return self.textbook(times)

  def signals(self) -> tuple[Signal, ...]:
    """What the figure shows."""
    raise NotImplementedError

  def entries(self) -> tuple[Entry, ...]:
    """What the table shows."""
    raise NotImplementedError

  def facts(self, sim: Motion, ref: Motion) -> tuple[Fact, ...]:
    """Single figures with a closed form."""
    return ()

  def command(self, t: float) -> Mapping[str, float]:
    """Actuator -> control."""
    return {}

  def applied(self, t: float) -> Mapping[str, float]:
    """Joint -> generalized force applied from outside."""
    return {}

  def start(self) -> Mapping[str, float]:
    """Joint -> position, where the start is not the authored pose."""
    return {}


def measure(entry: Entry, sim: Motion, ref: Motion) -> float:
  """The error of an entry at the times that both motions have; NaN where `ref` does not say.

  Samples after an event in either motion do not count.
  """
  step, step_ref = sim.time[1] - sim.time[0], ref.time[1] - ref.time[0]
  sim, ref = sim.every(max(1, round(step_ref / step))), ref.every(max(1, round(step / step_ref)))
  end = np.nanmin([sim.event, ref.event, np.inf])
  try:
    return MEASURES[entry.kind](entry.signal, sim.until(end), ref.until(end))
  except KeyError:
    return np.nan


def scale(entry: Entry, ref: Motion) -> float:
  """The paper's normalization: the largest magnitude of the theory."""
  return ref.event if entry.kind == "event" else float(np.abs(entry.signal.of(ref)).max())


def coordinate(name: str, of: str, unit: str, shown=(1.0, ""), sign: float = 1.0) -> Signal:
  """The signal that is a coordinate."""
  return Signal(name, unit, lambda motion: sign * motion.x[of], shown)


def rate(name: str, of: str, unit: str, shown=(1.0, ""), sign: float = 1.0) -> Signal:
  """The signal that is the rate of a coordinate."""
  return Signal(name, unit, lambda motion: sign * motion.v[of], shown)


def tension(name: str, line: str, fall: int) -> Signal:
  """The signal that is the tension of a fall."""
  return Signal(name, "N", lambda motion: motion.tension[line][:, fall])
