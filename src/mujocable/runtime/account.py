"""Account: what every cable of a simulation did, summed over all of its steps.

    followed = Follower(model, data)
    for _ in range(steps):
      mujoco.mj_step(model, data)
      followed.step()
    account = followed.finish()["hoist"]
    account.peak_tension, account.efficiency, account.lost, account.residual

Nothing here depends on how often a simulation is sampled: every step counts.
"""

import math
from ctypes import CFUNCTYPE, c_int, c_void_p
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Literal

import mujoco
import numpy as np

from mujocable.runtime.config import config, contact_names, instance_of
from mujocable.runtime.library import library
from mujocable.runtime.view import CableView, bind

_ROWS = 256  # steps that are summed at once
_AT_LIMIT = 1 - 1e-9  # of the tension limit
_OUTRUN = 0.01  # slack that nobody paid out, relative to the path: the load flies
_READ = (
  "length",
  "stretch",
  "slack",
  "take_up",
  "source_tension",
  "status",
  "energy",
  "tension",
  "dissipation",
  "touching",
  "derailments",
)
# take-ups whose motor does work that is no load on a joint: by cable taken in, or by path let in
_BY_TAKE_UP = ("length", "spool_angle", "spool_rate")
_BY_PATH = ("tension", "tendon")
_WARNINGS = {
  mujoco.mjtWarning.mjWARN_BADQPOS: "a position",
  mujoco.mjtWarning.mjWARN_BADQVEL: "a velocity",
  mujoco.mjtWarning.mjWARN_BADQACC: "an acceleration",
}


TroubleKind = Literal["invalid", "derailed", "flies", "saturated", "diverged"]


@dataclass(frozen=True)
class Trouble:
  """Why a run is not to be trusted as it stands."""

  kind: TroubleKind
  name: str  # of the cable or actuator; empty for the whole simulation
  time: float  # when it began [s]
  text: str  # in words

  def __str__(self) -> str:
    return f"{self.name}: {self.text}" if self.name else self.text


@dataclass(frozen=True)
class Account:
  """One cable over all steps.

  Energy that enters the cable (from its motor, or from bodies that pull on it) is in `work_in`;
  energy that leaves it to bodies or back into the motor in `work_out`. What is put in and does not
  come out is stored, rubbed off at the contacts, damped in the cable, or not accounted for:
  `residual`, the rounding of the steps.
  """

  name: str  # of the cable
  duration: float  # [s]
  steps: int  # that were summed
  peak_tension: float  # largest at the source [N]
  peak_time: float  # when [s]
  end_tension: float  # at the distal end in that step [N]
  peak_end_tension: float  # largest at the distal end [N]
  rms_tension: float  # at the source, root of the mean square [N]
  peak_rate: float  # fastest take-up [m/s]
  peak_power: float  # most that the motor gives at once [W]
  stroke: float  # cable taken in between the extremes [m]
  max_slack: float  # [m]
  slack_share: float  # of the steps
  valid: float  # share of the steps with a path
  saturated: float  # share of the steps at the tension limit
  engaged: dict[str, float]  # share of the steps in which it bears on each contact, source first
  derailments: int  # how often it left a groove, or the end of a cylinder
  work_in: float  # energy that entered at either end [J]
  work_out: float  # energy that left at either end [J]
  motor_work: float  # net, of the motor alone [J]
  body_work: float  # net, on the bodies [J]
  stored: float  # elastic energy gained [J]
  friction: dict[str, float]  # heat at each contact [J], source first
  damping: float  # heat inside the cable [J]
  residual: float  # not accounted for [J]

  @property
  def lost(self) -> float:
    """Heat of friction [J]."""
    return sum(self.friction.values())

  @property
  def engagement(self) -> float:
    """Share of the steps in which a contact is touched, the mean of all; 1 where there is none."""
    return sum(self.engaged.values()) / len(self.engaged) if self.engaged else 1.0

  @property
  def efficiency(self) -> float:
    """Work out / work in, with what is still stored given back: 1 - heat / work in.

    NaN where nothing went in, or where the path was lost.
    """
    if not self.work_in > 0 or self.valid < 1:
      return math.nan
    return 1 - (self.lost + self.damping) / self.work_in

  @property
  def closes(self) -> float:
    """What is not accounted for, relative to the work that went in."""
    return abs(self.residual) / self.work_in if self.work_in > 0 else 0.0

  @property
  def worst(self) -> str:
    """The contact with the most heat; empty where none has any."""
    name = max(self.friction, key=self.friction.__getitem__, default="")
    return name if name and self.friction[name] > 0 else ""

  def to_dict(self) -> dict:
    """Plain data, for JSON; what is not defined is None."""
    values = asdict(self) | {
      "lost": self.lost,
      "engagement": self.engagement,
      "efficiency": self.efficiency,
      "closes": self.closes,
      "worst": self.worst,
    }
    return {
      key: None if isinstance(x, float) and not math.isfinite(x) else x for key, x in values.items()
    }


class Follower:
  """Sums over the steps of one simulation; call `step` after every mj_step."""

  def __init__(self, model: mujoco.MjModel, data: mujoco.MjData):
    self._model, self._data = model, data
    self.views = bind(model, data)
    self._cables = [_Sums(model, data, view) for view in self.views.values()]
    self._sensors, self._qvel = data.sensordata, data.qvel
    self._records = np.zeros((_ROWS + 1, model.nsensordata))
    self._speeds = np.zeros((_ROWS, model.nv))
    self._forces = np.zeros((_ROWS, data.actuator_force.size))
    self._filled = self._steps = 0
    self._begin = float(data.time)
    # actuators whose one force can saturate
    limited = model.actuator_forcelimited.astype(bool) & (model.actuator_outnum == 1)
    self._forced = np.flatnonzero(limited)
    self._pinned = np.zeros(model.nactuator)
    self._pinned_at = np.full(model.nactuator, math.nan)
    self._diverged = [int(data.warning[int(w)].number) for w in _WARNINGS]
    self._accounts: dict[str, Account] | None = None

  def step(self) -> None:
    """Notes the step that mj_step has just made."""
    if self._steps == 0:
      self._see_who_acts()
    row = self._filled
    self._records[row] = self._sensors
    self._speeds[row] = self._qvel
    if self._forced.size:
      self._forces[row] = self._data.actuator_force
    for cable in self._cables:
      cable.read(row)
    self._filled += 1
    self._steps += 1
    if self._filled == _ROWS:
      self._flush()

  def _see_who_acts(self) -> None:
    # moment arms are known from the first step on
    rows = {name: np.abs(view.jacobian) > 0 for name, view in self.views.items()}
    for cable in self._cables:
      cable.alone = _acts_alone(self._model, self.views[cable.name], rows)

  def _flush(self) -> None:
    # the last row is the begin of the next piece: its step ends where that one starts
    count = self._filled - 1
    self._sum(count)
    self._records[0] = self._records[count]
    self._speeds[0] = self._speeds[count]
    self._forces[0] = self._forces[count]
    for cable in self._cables:
      cable.carry(count)
    self._filled = 1

  def _sum(self, count: int) -> None:
    if count < 1:
      return
    first = self._steps - self._filled
    for cable in self._cables:
      cable.sum(self._records, self._speeds, count, first)
    if self._forced.size:
      self._look_at_forces(count, first)

  def _look_at_forces(self, count: int, first: int) -> None:
    model, ids = self._model, self._forced
    force = self._forces[:count, model.actuator_outadr[ids]]
    low, high = model.actuator_forcerange[ids].T
    # a limit of zero is the side on which nothing pulls
    pinned = ((force <= low * _AT_LIMIT) & (low < 0)) | ((force >= high * _AT_LIMIT) & (high > 0))
    for column, actuator in enumerate(ids):
      where = np.flatnonzero(pinned[:, column])
      if where.size and math.isnan(self._pinned_at[actuator]):
        self._pinned_at[actuator] = self._begin + (first + where[0]) * model.opt.timestep
      self._pinned[actuator] += where.size

  def finish(self) -> dict[str, Account]:
    """The accounts by name. Evaluates the present state (mj_forward), which changes nothing."""
    if self._accounts is None:
      if self._filled:
        mujoco.mj_forward(self._model, self._data)
        count = self._filled
        self._records[count] = self._sensors
        for cable in self._cables:
          cable.read_last(count)
        self._sum(count)
      self._accounts = {cable.name: cable.account(self._steps) for cable in self._cables}
    return self._accounts

  @property
  def clean(self) -> bool:
    """Whether nothing was found wrong in the steps that are summed so far (in pieces of 256)."""
    if any(cable.in_trouble for cable in self._cables) or self._pinned.any():
      return False
    return self._warned() is None

  def _warned(self) -> str | None:
    for number, (kind, what) in enumerate(_WARNINGS.items()):
      if int(self._data.warning[int(kind)].number) > self._diverged[number]:
        return what
    return None

  def troubles(self) -> tuple[Trouble, ...]:
    """What went wrong: no path, a wheel left, a load that flies, a limit reached, divergence."""
    self.finish()
    found = []
    what = self._warned()
    if what is not None:
      text = f"the simulation diverged: {what} became too large, and MuJoCo started anew"
      found.append(Trouble("diverged", "", float(self._data.time), text))
    for cable in self._cables:
      found += cable.troubles(self._begin, self._steps)
    for actuator in np.flatnonzero(self._pinned):
      share = self._pinned[actuator] / max(1, self._steps)
      name = self._model.actuator(int(actuator)).name or f"actuator {actuator}"
      text = f"its force is at the limit in {share:.1%} of the steps, first at"
      at = float(self._pinned_at[actuator])
      found.append(Trouble("saturated", name, at, f"{text} {at:.3g} s"))
    return tuple(found)


class _Sums:
  """The running sums of one cable."""

  def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, view: CableView):
    self._model, self._data, self._view = model, data, view
    self.name = view.name
    self._instance = instance = instance_of(model, view.name)
    address = library().mujocable_sensor_address(model._address, data._address, instance)
    self._live = address >= 0
    begin = max(0, address)
    self._at = {
      field: slice(begin + view._places[field].start, begin + view._places[field].stop)
      for field in _READ
    }
    self._pull_at = self._at["source_tension"].start
    # a cable without a sensor is evaluated anew
    self._own = None if self._live else np.zeros((_ROWS + 1, view._size))
    self._loads = np.zeros((_ROWS, model.nv))
    self._loads_at = self._loads.ctypes.data
    self._load, self._read = _calls()
    self._addresses = model._address, data._address, instance
    words = config(model, instance)
    self.take_up = words.get("take_up") or "fixed"
    self._transition = float(words.get("transition") or 0.0)
    self._by_length = words.get("damping_rate") == "length"
    self._damping, self._stiffness = view.damping, view.stiffness
    self._limit = math.inf if self.take_up == "tension" else view.max_tension
    self._contacts = contact_names(model, view.name, view.touching.size)
    # dofs of one body are neighbors: where each body's begin
    self._bodies = np.flatnonzero(np.diff(model.dof_bodyid, prepend=-1))
    self.alone = False  # whether nothing else drives the bodies that it moves
    self._heat = np.zeros(len(self._contacts))
    self._touched = np.zeros(len(self._contacts))
    self._derailed_before = view.derailments if self._live else 0
    self._derailments = 0
    for name in ("_in", "_out", "_motor", "_body", "_damped", "_residual"):
      setattr(self, name, 0.0)
    self._first_energy = self._last_energy = 0.0
    self._valid = self._loose = self._pinned = 0
    self._peak = self._peak_end = self._end = self._fastest = self._slack = 0.0
    self._peak_step = 0
    self._square = self._power = 0.0
    self._most, self._least = -math.inf, math.inf
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
    if self._own is not None:
      self._read(*self._addresses, self._own.ctypes.data + 8 * row * self._own.shape[1])
      pulls = self._own[row, self._pull_at] > 0
    else:
      pulls = self._data.sensordata[self._pull_at] > 0
    if pulls:
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
    h = float(self._model.opt.timestep)

    def field(name: str) -> np.ndarray:
      return rows[: count + 1, self._at[name]]

    length, stretch = field("length")[:, 0], field("stretch")[:, 0]
    energy = self._energy(stretch, field("energy")[:, 0])
    take_up, slack = field("take_up")[:, 0], field("slack")[:count, 0]
    pull, valid = field("source_tension")[:count, 0], field("status")[:count, 0] == 0
    tension, heat = field("tension")[:count], field("dissipation")[:count] * h
    taken, stretched = np.diff(take_up), np.diff(stretch)
    # energy of each step
    motor = np.zeros(count)
    if self.take_up in _BY_TAKE_UP:
      motor = pull * taken
    elif self.take_up in _BY_PATH:
      motor = -pull * np.diff(length)
    powers = self._loads[:count] * speeds[:count] * h
    bodies = np.add.reduceat(powers, self._bodies, axis=1) if powers.size else np.zeros((count, 1))
    rubbed = heat.sum(axis=1)
    rate = np.diff(length) if self._by_length else stretched
    gate = np.clip(stretch[:count] / self._transition, 0, 1) if self._transition > 0 else 1.0
    damped = np.where(pull > 0, self._damping * gate * rate * stretched / h, 0.0)
    if self.take_up in _BY_PATH:
      damped = np.zeros(count)
    gained = np.diff(energy)
    at_limit = pull >= self._limit * _AT_LIMIT
    damped = np.where(at_limit, 0.0, damped)
    rest = motor - bodies.sum(axis=1) - rubbed - damped - gained
    self._in += float(np.maximum(motor, 0).sum() + np.maximum(-bodies, 0).sum())
    self._out += float(np.maximum(-motor, 0).sum() + np.maximum(bodies, 0).sum())
    self._motor += float(motor.sum())
    self._body += float(bodies.sum())
    self._damped += float(damped.sum())
    self._residual += float(rest.sum())
    self._heat += heat.sum(axis=0)
    self._touched += field("touching")[:count].sum(axis=0)
    derailments = field("derailments")[:count, 0] - self._derailed_before
    self._derailments = int(derailments[-1])
    self._first_energy = energy[0] if first == 0 else self._first_energy
    self._last_energy = energy[count]
    # extremes
    top = int(pull.argmax())
    if pull[top] > self._peak:
      self._peak, self._end = float(pull[top]), float(tension[top, -1])
      self._peak_step = first + top
    self._peak_end = max(self._peak_end, float(tension[:, -1].max()))
    self._square += float(pull @ pull)
    self._power = max(self._power, float(motor.max()) / h)
    self._fastest = max(self._fastest, float(np.abs(taken).max()) / h)
    self._most = max(self._most, float(take_up.max()))
    self._least = min(self._least, float(take_up.min()))
    self._slack = max(self._slack, float(slack.max()))
    # troubles
    self._valid += int(valid.sum())
    self._loose += int((slack > 0).sum())
    self._pinned += int(at_limit.sum())
    self._note("invalid", ~valid, first)
    self._note("derailed", derailments > 0, first)
    self._note("saturated", at_limit, first)
    if self.alone and self.take_up in (*_BY_TAKE_UP, "spool_joint"):
      self._look_for_flight(pull, slack, take_up, length, first)

  def _energy(self, stretch: np.ndarray, energy: np.ndarray) -> np.ndarray:
    # beyond the limit a stretch costs no more than the limit
    limit, kappa, a = self._limit, self._stiffness, self._transition
    if not (math.isfinite(limit) and kappa > 0):
      return energy
    psi = limit / kappa
    most = psi + a / 2 if psi >= a / 2 else math.sqrt(2 * a * psi)
    full = most**3 / (6 * a) if most < a else most**2 / 2 - a * most / 2 + a * a / 6
    return np.where(
      stretch > most, np.minimum(energy, kappa * full + limit * (stretch - most)), energy
    )

  def _note(self, kind: TroubleKind, where: np.ndarray, first: int) -> None:
    if kind not in self._first and where.any():
      self._first[kind] = first + int(where.argmax())

  def _look_for_flight(self, pull, slack, take_up, length, first: int) -> None:
    # slack beyond what was paid out since the cable last pulled
    count = pull.size
    index = np.where(pull > 0, np.arange(count), -1)
    last = np.maximum.accumulate(index)
    before = math.nan if self._taut_take_up is None else self._taut_take_up
    since = np.where(last >= 0, take_up[np.maximum(last, 0)], before)
    paid = np.maximum(0.0, since - take_up[:count])
    outrun = np.where(np.isnan(since), 0.0, slack - paid)
    self._outrun = max(self._outrun, float(outrun.max()))
    self._note("flies", outrun > _OUTRUN * length[:count], first)
    if last[-1] >= 0:
      self._taut_take_up = float(take_up[last[-1]])

  # ------------------------------------ results

  def account(self, steps: int) -> Account:
    """All of it."""
    h = float(self._model.opt.timestep)
    count = max(1, steps)
    return Account(
      name=self.name,
      duration=steps * h,
      steps=steps,
      peak_tension=self._peak,
      peak_time=self._peak_step * h,
      end_tension=self._end,
      peak_end_tension=self._peak_end,
      rms_tension=math.sqrt(self._square / count),
      peak_rate=self._fastest,
      peak_power=self._power,
      stroke=max(0.0, self._most - self._least) if steps else 0.0,
      max_slack=self._slack,
      slack_share=self._loose / count,
      valid=self._valid / count if steps else 1.0,
      saturated=self._pinned / count,
      engaged=_by_contact(self._contacts, self._touched / count),
      derailments=self._derailments,
      work_in=self._in,
      work_out=self._out,
      motor_work=self._motor,
      body_work=self._body,
      stored=float(self._last_energy - self._first_energy),
      friction=_by_contact(self._contacts, self._heat),
      damping=self._damped,
      residual=self._residual,
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
  prototype = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_void_p)
  return tuple(prototype((name, library())) for name in ("mujocable_load", "mujocable_read"))


def _acts_alone(model: mujoco.MjModel, view: CableView, rows: dict[str, np.ndarray]) -> bool:
  # whether nothing else drives the bodies that this cable moves
  trees = set(model.dof_treeid[rows[view.name]].tolist())
  reach = np.array([tree in trees for tree in model.dof_treeid.tolist()], bool)
  if any(np.any(reach & row) for name, row in rows.items() if name != view.name):
    return False
  own = view.actuator
  for actuator in range(model.nactuator):
    if actuator == own:
      continue
    kind, target = model.actuator_trntype[actuator], int(model.actuator_trnid[actuator, 0])
    if kind in (mujoco.mjtTrn.mjTRN_JOINT, mujoco.mjtTrn.mjTRN_JOINTINPARENT):
      if reach[model.jnt_dofadr[target]]:
        return False
    elif model.actuator_plugin[actuator] < 0:
      return False  # a tendon or a body: taken as acting
  return True
