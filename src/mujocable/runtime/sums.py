"""Sums: one cable over many steps, added up in blocks of rows."""

import math
from ctypes import CFUNCTYPE, c_int, c_void_p
from functools import lru_cache

import mujoco
import numpy as np

from mujocable.runtime.config import config, contact_names
from mujocable.runtime.ledger import Account, Trouble, TroubleKind
from mujocable.runtime.library import library
from mujocable.runtime.view import CableView

ROWS = 256  # steps that are summed at once
AT_LIMIT = 1 - 1e-9  # of the tension limit
_OUTRUN = 0.01  # slack that nobody paid out, relative to the path: the load flies
# take-ups whose motor does work that is no load on a joint: by cable taken in, or by path let in
_BY_TAKE_UP = ("length", "spool_angle", "spool_rate")
_BY_PATH = ("tension", "tendon")


class Sums:
  """The running sums of one cable."""

  def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, view: CableView):
    self._model, self._data = model, data
    self.name = view.name
    live = view._address >= 0
    begin = max(0, view._address)
    self._at = {
      field: slice(begin + place.start, begin + place.stop) for field, place in view._places.items()
    }
    self._pull_at = self._at["source_tension"].start
    # a cable without a sensor is evaluated anew
    self._own = None if live else np.zeros((ROWS + 1, view._size))
    self._loads = np.zeros((ROWS, model.nv))
    self._loads_at = self._loads.ctypes.data
    self._load, self._read = _calls()
    self._addresses = model._address, data._address, view._member.instance, view._member.number
    words = config(model, view._member)
    self.take_up = words.get("take_up") or "fixed"
    self._transition = float(words.get("transition") or 0.0)
    self._by_length = words.get("damping_rate") == "length"
    self._damping, self._stiffness = view.damping, view.stiffness
    # constant rigidity, at home that of its stiffness
    rigid = bool(words.get("EA")) or (
      words.get("friction_law") != "sliding" and view.friction.any()
    )
    self._home = view.home_length if rigid else None
    # a tension is given, and no stiffness: pieces are as soft as the step wants them
    self._soft = self.take_up == "tendon" or (self.take_up == "tension" and not self._stiffness > 0)
    self._limit = math.inf if self.take_up == "tension" else view.max_tension
    self._contacts = contact_names(model, view.name, view.touching.size)
    # dofs of one body are neighbors: where each body's begin
    self._bodies = np.flatnonzero(np.diff(model.dof_bodyid, prepend=-1))
    self.alone = False  # whether nothing else drives the bodies that it moves
    self._derailed_before = view.derailments if live else 0
    # by name in Account; heat and touch of each contact
    energies = ("work_in", "work_out", "motor_work", "body_work", "damping", "residual")
    peaks = ("peak_end_tension", "peak_rate", "peak_power", "max_slack")
    self._sum: dict[str, float] = dict.fromkeys(energies, 0.0)
    self._most: dict[str, float] = dict.fromkeys(peaks, 0.0)
    self._heat = np.zeros(len(self._contacts))
    self._touched = np.zeros(len(self._contacts))
    self._square = 0.0  # of the tension at the source
    self._peak, self._end, self._peak_step = 0.0, 0.0, 0  # tension at both ends, and when
    self._first_energy = self._last_energy = 0.0
    self._taken = [math.inf, -math.inf]  # least and most take-up
    self._valid = self._loose = self._pinned = self._derailments = 0
    self._first: dict[str, int] = {}  # kind of trouble -> its first step
    self._taut_take_up: float | None = None  # when the cable pulled last [m]
    self._outrun = 0.0

  @property
  def in_trouble(self) -> bool:
    """Whether anything was found wrong so far."""
    return bool(self._first)

  # ------------------------------------ reading

  def read(self, row: int) -> None:
    """After a step: its load, and its record where no sensor has it."""
    self.read_last(row)
    pull = self._data.sensordata if self._own is None else self._own[row]
    if pull[self._pull_at] > 0:
      self._load(*self._addresses, self._loads_at + 8 * row * self._loads.shape[1])
    else:
      self._loads[row] = 0.0

  def read_last(self, row: int) -> None:
    """The state after the last step."""
    if self._own is not None:
      self._read(*self._addresses, self._own.ctypes.data + 8 * row * self._own.shape[1])

  def carry(self, row: int) -> None:
    """The last row becomes the first."""
    self._loads[0] = self._loads[row]
    if self._own is not None:
      self._own[0] = self._own[row]

  # ------------------------------------ summing

  def sum(self, records: np.ndarray, speeds: np.ndarray, count: int, first: int) -> None:
    """Adds `count` steps; row `count` is where the last of them ends."""
    rows = self._own if self._own is not None else records
    found = {field: rows[: count + 1, at] for field, at in self._at.items()}
    at_limit = found["source_tension"][:count, 0] >= self._limit * AT_LIMIT
    motor = self._add_energy(found, speeds[:count], at_limit, first)
    self._add_extremes(found, motor, first)
    self._look_for_trouble(found, at_limit, first)

  def _add_energy(
    self, found: dict, speeds: np.ndarray, at_limit: np.ndarray, first: int
  ) -> np.ndarray:
    # returns the work of the motor in each step
    count, h = at_limit.size, float(self._model.opt.timestep)
    length, stretch = found["length"][:, 0], found["stretch"][:, 0]
    energy = self._energy(found)
    pull, heat = found["source_tension"][:count, 0], found["dissipation"][:count] * h
    stretched, lengthened = np.diff(stretch), np.diff(length)
    motor = damped = np.zeros(count)
    if self.take_up in _BY_TAKE_UP:
      motor = self._worth(pull) * np.diff(found["take_up"][:, 0])
    elif self.take_up in _BY_PATH:
      motor = -self._worth(pull) * np.diff(self._let_in(found))
    powers = self._loads[:count] * speeds * h
    bodies = np.add.reduceat(powers, self._bodies, axis=1) if powers.size else np.zeros((count, 1))
    if self.take_up not in _BY_PATH:
      rate = lengthened if self._by_length else stretched
      gate = np.clip(stretch[:count] / self._transition, 0, 1) if self._transition > 0 else 1.0
      damps = (pull > 0) & ~at_limit
      damped = np.where(damps, self._damping * gate * rate * stretched / h, 0.0)
      # one that leaves no tension takes all that the stretch gives up
      if self._damping > 0:
        damped += np.where(pull == 0, np.maximum(-np.diff(energy), 0), 0.0)
    rest = motor - bodies.sum(axis=1) - heat.sum(axis=1) - damped - np.diff(energy)
    for name, value in {
      "work_in": np.maximum(motor, 0).sum() + np.maximum(-bodies, 0).sum(),
      "work_out": np.maximum(-motor, 0).sum() + np.maximum(bodies, 0).sum(),
      "motor_work": motor.sum(),
      "body_work": bodies.sum(),
      "damping": damped.sum(),
      "residual": rest.sum(),
    }.items():
      self._sum[name] += float(value)
    self._heat += heat.sum(axis=0)
    self._first_energy = energy[0] if first == 0 else self._first_energy
    self._last_energy = energy[count]
    return motor

  def _let_in(self, found: dict) -> np.ndarray:
    # what the motor of a given tension leaves to the path: material; of soft pieces the path itself
    return found["length"][:, 0] if self._soft else found["segment_rest"].sum(axis=1)

  def _worth(self, pull):
    # what a length of material costs that is taken in: where rigidity is constant its strain too
    if not (self._home and self._stiffness > 0):
      return pull
    x = pull / (self._stiffness * self._home)
    return pull * (1 + x * (1 / 2 + x * (1 / 3 + x / 4)))

  def _energy(self, found: dict) -> np.ndarray:
    # beyond the limit a stretch costs no more than the limit, and what was taken in comes back:
    # where it rubs nowhere it is part of the stretch, else of the pieces without it
    limit, kappa, a = self._limit, self._stiffness, self._transition
    length, stretch, energy = (found[name][:, 0] for name in ("length", "stretch", "energy"))
    if not (math.isfinite(limit) and kappa > 0):
      return energy
    longer = length / self._home if self._home else np.ones_like(length)
    kappa, a = kappa / longer, a * longer
    psi = limit / kappa
    begun = psi < a / 2
    most = np.where(begun, np.sqrt(2 * a * psi), psi + a / 2)
    full = np.where(begun, most * psi / 3, most**2 / 2 - a * most / 2 + a * a / 6)
    worth = self._worth(limit)
    kept = found["segment_rest"].sum(axis=1) - (length - stretch)
    least = np.minimum(energy, kappa * full + worth * (stretch - most))
    return np.where(stretch > most, least, energy) + worth * np.maximum(0.0, kept)

  def _add_extremes(self, found: dict, motor: np.ndarray, first: int) -> None:
    count, h = motor.size, float(self._model.opt.timestep)
    pull, take_up = found["source_tension"][:count, 0], found["take_up"][:, 0]
    if self.take_up in _BY_PATH:
      take_up = -self._let_in(found)
    elif self.take_up == "spool_joint":
      motor = pull * np.diff(take_up)  # through a joint: in the accounts it is a body's work
    tension, slack = found["tension"][:count], found["slack"][:count, 0]
    top = int(pull.argmax())
    if pull[top] > self._peak:
      self._peak, self._end = float(pull[top]), float(tension[top, -1])
      self._peak_step = first + top
    for name, value in {
      "peak_end_tension": tension[:, -1].max(),
      "peak_rate": np.abs(np.diff(take_up)).max() / h,
      "peak_power": motor.max() / h,
      "max_slack": slack.max(),
    }.items():
      self._most[name] = max(self._most[name], float(value))
    self._square += float(pull @ pull)
    least, most = self._taken
    self._taken = [min(least, float(take_up.min())), max(most, float(take_up.max()))]
    self._touched += found["touching"][:count].sum(axis=0)
    self._loose += int((slack > 0).sum())

  def _look_for_trouble(self, found: dict, at_limit: np.ndarray, first: int) -> None:
    count = at_limit.size
    valid = found["status"][:count, 0] == 0
    derailments = found["derailments"][:count, 0] - self._derailed_before
    self._derailments = int(derailments[-1])
    self._valid += int(valid.sum())
    self._pinned += int(at_limit.sum())
    self._note("invalid", ~valid, first)
    self._note("derailed", derailments > 0, first)
    self._note("saturated", at_limit, first)
    if self.alone and self.take_up in (*_BY_TAKE_UP, "spool_joint"):
      names = ("source_tension", "slack", "take_up", "length")
      self._look_for_flight({name: found[name][:count, 0] for name in names}, first)

  def _note(self, kind: TroubleKind, where: np.ndarray, first: int) -> None:
    if kind not in self._first and where.any():
      self._first[kind] = first + int(where.argmax())

  def _look_for_flight(self, found: dict, first: int) -> None:
    # slack beyond what was paid out since the cable last pulled
    pull, take_up = found["source_tension"], found["take_up"]
    index = np.where(pull > 0, np.arange(pull.size), -1)
    last = np.maximum.accumulate(index)
    before = math.nan if self._taut_take_up is None else self._taut_take_up
    since = np.where(last >= 0, take_up[np.maximum(last, 0)], before)
    paid = np.maximum(0.0, since - take_up)
    outrun = np.where(np.isnan(since), 0.0, found["slack"] - paid)
    self._outrun = max(self._outrun, float(outrun.max()))
    self._note("flies", outrun > _OUTRUN * found["length"], first)
    if last[-1] >= 0:
      self._taut_take_up = float(take_up[last[-1]])

  # ------------------------------------ results

  def account(self, steps: int) -> Account:
    """All of it."""
    h = float(self._model.opt.timestep)
    count = max(1, steps)
    least, most = self._taken
    sums, heat = self._sum, self._heat
    if self._soft and heat.any():
      # what soft pieces stretch rubs too, and is none of the cable's: the work says how much is
      spent = max(0.0, sums["motor_work"] - sums["body_work"])
      sums = sums | {"residual": sums["residual"] + float(heat.sum()) - spent}
      heat = heat * (spent / float(heat.sum()))
    return Account(
      name=self.name,
      duration=steps * h,
      steps=steps,
      peak_tension=self._peak,
      peak_time=self._peak_step * h,
      end_tension=self._end,
      rms_tension=math.sqrt(self._square / count),
      stroke=max(0.0, most - least) if steps else 0.0,
      slack_share=self._loose / count,
      valid=self._valid / count if steps else 1.0,
      saturated=self._pinned / count,
      engaged=_by_contact(self._contacts, self._touched / count),
      derailments=self._derailments,
      stored=float(self._last_energy - self._first_energy),
      friction=_by_contact(self._contacts, heat),
      **sums,
      **self._most,
    )

  def troubles(self, begin: float, steps: int) -> list[Trouble]:
    """What went wrong with this cable."""
    h, found = float(self._model.opt.timestep), []
    count = max(1, steps)
    texts: dict[TroubleKind, str] = {
      "invalid": f"no valid path in {1 - self._valid / count:.1%} of the steps",
      "derailed": f"left a groove, or the end of a cylinder, {self._derailments} times",
      "flies": f"the load outruns its cable: {self._outrun:.3g} m of slack that nobody paid out",
      "saturated": f"at its limit of {self._limit:.4g} N in {self._pinned / count:.1%} of the"
      " steps",
    }
    for kind, text in texts.items():
      if kind in self._first:
        at = begin + self._first[kind] * h
        found.append(Trouble(kind, self.name, at, f"{text}, first at {at:.3g} s"))
    return found


def _by_contact(names: list[str], values: np.ndarray) -> dict[str, float]:
  # a guide that is passed twice has two entries
  found: dict[str, float] = {}
  for name, value in zip(names, values, strict=True):
    label, number = name, 2
    while label in found:
      label, number = f"{name} ({number})", number + 1
    found[label] = float(value)
  return found


@lru_cache(maxsize=1)
def _calls():
  # of the library, with plain addresses: faster than typed pointers
  prototype = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int, c_void_p)
  return tuple(prototype((name, library())) for name in ("mujocable_load", "mujocable_read"))
