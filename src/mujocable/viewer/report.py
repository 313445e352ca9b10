"""Report: the read-outs a builder asks for, of every cable of a model.

    report = mujocable.report(model, data)        # one state, or
    report = mujocable.report(model, recording)   # a Recording, or an array of states
    print(report)
    report.write("out/report.html")               # and out/report.json

`mujocable run` adds what all steps add up to: peaks, energies, whether the run is to be trusted.

How much cable the actuator takes in and how hard it pulls, the tension at each guide and which one
loses most, what arrives at the end, when the cable is slack, and the moment arm and stroke of every
joint over its range.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import mujoco
import numpy as np
from numpy.polynomial import Polynomial

from mujocable.errors import BadValue, UnknownCable, listing
from mujocable.runtime.account import Account, Trouble
from mujocable.runtime.config import contact_names
from mujocable.runtime.view import CableView, bind
from mujocable.viewer.recording import Recording

_STEPS = 61  # of a joint's sweep
_NO_ARM = 1e-9  # smaller is none [m or m/rad]


@dataclass(frozen=True)
class Guide:
  """A Wrap or an Eyelet, while the source pulls hardest."""

  name: str  # of the site or geom
  before: float  # tension on the side of the source [N]
  behind: float  # tension on the side of the distal end [N]
  peak: float  # largest tension on either side, at any time [N]
  turn: float  # of the cable [rad]
  lost: float  # energy turned into heat, all the time [J]; of the samples where no steps are known

  @property
  def loss(self) -> float:
    """Share of the larger tension that the guide takes."""
    larger = max(self.before, self.behind)
    return abs(self.before - self.behind) / larger if larger > 0 else 0.0


@dataclass(frozen=True)
class Slack:
  """A time in which the cable hangs loose."""

  begin: float  # [s]
  end: float  # [s]
  most: float  # [m]


@dataclass(frozen=True)
class Sweep:
  """A joint moved through its range with those that an equality ties to it, the others where they
  were."""

  joint: str  # its name
  unit: str  # of the joint: rad or m
  position: np.ndarray  # [unit]
  length: np.ndarray  # of the cable's path [m]
  arm: np.ndarray  # -dL/dq [m/rad or m/m]: positive where the cable pulls toward larger q

  @property
  def stroke(self) -> float:
    """Cable that must be taken in and paid out over the range [m]."""
    return float(np.ptp(self.length))


@dataclass(frozen=True)
class CableReport:
  """One cable."""

  name: str  # of the cable
  time: np.ndarray  # [s]
  take_up: np.ndarray  # [m]
  tension: np.ndarray  # [N], shape (samples, segments)
  guides: tuple[Guide, ...]  # every contact, source first
  slack: tuple[Slack, ...]  # times in which it hangs loose
  sweeps: tuple[Sweep, ...]  # one for each limited joint that it can move
  valid: float  # share of the samples with a valid path
  account: Account | None = None  # sums over all steps; None: samples are all there is

  @property
  def stroke(self) -> float:
    """Cable taken in between the extremes [m]."""
    return self.account.stroke if self.account else float(np.ptp(self.take_up))

  @property
  def peak(self) -> float:
    """Largest tension at the source [N]: of all steps, or of the samples."""
    return self.account.peak_tension if self.account else float(self.tension[:, 0].max())

  @property
  def hardest(self) -> int:
    """The sample in which the source pulls hardest; the last of them at a tension limit."""
    return _hardest(self.tension)

  @property
  def peak_time(self) -> float:
    """When the source pulls hardest [s]."""
    return self.account.peak_time if self.account else float(self.time[self.hardest])

  @property
  def ratio(self) -> float:
    """Tension at the distal end / tension at the source, while the source pulls hardest.

    At rest this says what friction holds, not what it costs.
    """
    row = self.tension[self.hardest]
    return float(row[-1] / row[0]) if row[0] > 0 else float("nan")

  @property
  def efficiency(self) -> float:
    """Work out / work in, over all steps; NaN where only samples are known."""
    return self.account.efficiency if self.account else float("nan")

  @property
  def worst(self) -> Guide | None:
    """The guide that makes most heat over all steps; of samples, that takes most tension."""
    hot = max(self.guides, key=lambda guide: guide.lost, default=None)
    if self.account and hot is not None and hot.lost > 0:
      return hot
    taken = max(self.guides, key=lambda guide: abs(guide.before - guide.behind), default=None)
    return taken if taken is not None and taken.before != taken.behind else None


@dataclass(frozen=True)
class Report:
  """All cables; prints as tables."""

  model: str  # its name
  cables: Mapping[str, CableReport] = field(default_factory=dict)  # by name
  troubles: tuple[Trouble, ...] = ()  # why not to trust it
  notes: tuple[str, ...] = ()  # to know beside
  pictures: Mapping[str, bytes] = field(default_factory=dict)  # PNG files by title

  @property
  def verdict(self) -> str:
    """One sentence: whether the numbers are to be trusted."""
    if self.troubles:
      kinds = ", ".join(dict.fromkeys(one.kind for one in self.troubles))
      return f"Not to be trusted as it stands: {kinds}."
    accounts = [one.account for one in self.cables.values() if one.account]
    if not accounts:
      return "No trouble in the samples; what happened between them is not known."
    worst = max(accounts, key=lambda one: one.closes)
    return (
      f"Sound over all {worst.steps} steps: every path valid, no limit reached, no load flying;"
      f" the energy closes to {worst.closes:.1g} of the work put in."
    )

  def rows(self) -> list[dict[str, object]]:
    """The main table: one row per cable, units in the names."""
    moved = any(one.stroke > 0 for one in self.cables.values())
    return [_row(one, moved) for one in self.cables.values()]

  def to_dict(self) -> dict:
    """Plain data, for JSON."""
    return {
      "model": self.model,
      "verdict": self.verdict,
      "troubles": [
        {"kind": one.kind, "name": one.name, "time": one.time, "text": one.text}
        for one in self.troubles
      ],
      "notes": list(self.notes),
      "cables": {name: _plain_cable(one) for name, one in self.cables.items()},
    }

  def __str__(self) -> str:
    from mujocable.viewer import report_page

    return report_page.text(self)

  def plots(self) -> dict:
    """Matplotlib figures by name."""
    from mujocable.viewer import report_page

    return report_page.plots(self)

  def write(self, path: str | Path) -> Path:
    """One HTML page with the verdict, the tables and the plots inside; the data as JSON beside."""
    from mujocable.viewer import report_page

    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(report_page.html(self), encoding="utf-8")
    data = json.dumps(self.to_dict(), indent=2) + "\n"
    path.with_suffix(".json").write_text(data, encoding="utf-8")
    return path


def _row(one: CableReport, moved: bool) -> dict[str, object]:
  row: dict[str, object] = {"cable": one.name}
  if moved:
    row["stroke [mm]"] = 1e3 * one.stroke
  row |= {
    "peak tension [N]": one.peak,
    "at [s]": one.peak_time if one.peak > 0 else float("nan"),
    "end / source then": one.ratio,
  }
  if one.account:
    row |= {
      "work in [J]": one.account.work_in,
      "efficiency": one.efficiency,
      "energy closes to": one.account.closes,
    }
  row |= {
    "rubbed off [J]": sum(guide.lost for guide in one.guides),
    "worst guide": one.worst.name if one.worst else "",
    "its heat [J]": one.worst.lost if one.worst else 0.0,
    "slack events": len(one.slack),
    "longest [s]": max((s.end - s.begin for s in one.slack), default=0.0),
    "valid": one.account.valid if one.account else one.valid,
  }
  return row


def _plain_cable(one: CableReport) -> dict:
  numbers = {
    "peak_tension": one.peak,
    "peak_time": one.peak_time,
    "end_over_source": one.ratio,
    "stroke": one.stroke,
    "valid": one.valid,
  }
  return {
    **{key: None if np.isnan(x) else float(x) for key, x in numbers.items()},
    "account": one.account.to_dict() if one.account else None,
    "guides": [vars(guide) | {"loss": guide.loss} for guide in one.guides],
    "slack": [vars(event) for event in one.slack],
    "joints": {
      s.joint: {"stroke": s.stroke, "least_arm": float(s.arm.min()), "most_arm": float(s.arm.max())}
      for s in one.sweeps
    },
  }


def report(
  model: mujoco.MjModel,
  source: mujoco.MjData | Recording | np.ndarray,
  cables: Iterable[str] | None = None,
  steps: int = _STEPS,
  *,
  accounts: Mapping[str, Account] | None = None,
  troubles: Sequence[Trouble] = (),
  notes: Sequence[str] = (),
  pictures: Mapping[str, bytes] | None = None,
) -> Report:
  """Read-outs of the cables (all, or those named).

  `source` is an MjData (its present state), a Recording with the fields it has by default, or an
  array of states, shape (samples, size of mjSTATE_INTEGRATION) as mj_getState writes them.
  `accounts` and `troubles` come from a Follower that saw every step.
  """
  data = mujoco.MjData(model)
  if isinstance(source, mujoco.MjData):
    mujoco.mj_copyData(data, model, source)
    mujoco.mj_forward(model, data)
    recording = Recording(bind(model, data).values())
    recording.sample(data.time)
  elif isinstance(source, Recording):
    recording = source
  else:
    recording = _replay(model, data, source)
  if len(recording) == 0:
    raise BadValue("report(model, recording): the recording has no sample")
  views = bind(model, data)
  names = list(views) if cables is None else list(cables)
  for name in names:
    if name not in views:
      raise UnknownCable(f"cable {name!r} is not in this model; {listing('cables', views)}")
  title = model.names.split(b"\0", 1)[0].decode() or "a model without a name"
  sums = accounts or {}
  found = {
    name: _cable(model, data, views[name], recording, steps, sums.get(name)) for name in names
  }
  return Report(title, found, tuple(troubles), tuple(notes), dict(pictures or {}))


def _replay(model: mujoco.MjModel, data: mujoco.MjData, states: object) -> Recording:
  kind = int(mujoco.mjtState.mjSTATE_INTEGRATION)
  size = mujoco.mj_stateSize(model, kind)
  array = np.atleast_2d(np.asarray(states, dtype=float))
  if array.ndim != 2 or array.shape[1] != size:
    raise BadValue(
      "report(model, source): source must be an MjData, a Recording, or states of shape"
      f" (samples, {size}) written by mj_getState with mjSTATE_INTEGRATION, got {array.shape}"
    )
  recording = Recording(bind(model, data).values())
  for state in array:
    mujoco.mj_setState(model, data, state, kind)
    mujoco.mj_forward(model, data)
    recording.sample(data.time)
  return recording


def _cable(
  model, data, view: CableView, recording: Recording, steps: int, account: Account | None
) -> CableReport:
  name, time = view.name, recording["time"]

  def columns(what: str) -> np.ndarray:
    found = recording.columns(f"{name}.{what}[")
    return np.array(list(found.values())).T.reshape(time.size, -1)

  try:
    tension, turn, heat = (columns(f) for f in ("tension", "wrap_angle", "dissipation"))
    take_up, slack = recording[f"{name}.take_up"], recording[f"{name}.slack"]
    status = recording[f"{name}.status"]
  except KeyError as missing:
    raise BadValue(f"report: the recording has no column {missing}") from None
  at = _hardest(tension)
  if account is not None:
    lost = np.array(list(account.friction.values()))
  else:
    lost = ((heat[1:] + heat[:-1]) / 2 * np.diff(time)[:, None]).sum(axis=0)
  guides = tuple(
    Guide(
      name=label,
      before=float(tension[at, i]),
      behind=float(tension[at, i + 1]),
      peak=float(tension[:, i : i + 2].max()),
      turn=float(turn[at, i]),
      lost=float(lost[i]),
    )
    for i, label in enumerate(contact_names(model, name, turn.shape[1]))
  )
  return CableReport(
    name=name,
    time=time,
    take_up=take_up,
    tension=tension,
    guides=guides,
    slack=_slack_events(time, slack),
    sweeps=_sweeps(model, data, view, steps),
    valid=float(np.mean(status == 0)),
    account=account,
  )


def _hardest(tension: np.ndarray) -> int:
  return int(np.flatnonzero(tension[:, 0] >= (1 - 1e-9) * tension[:, 0].max())[-1])


def _slack_events(time: np.ndarray, slack: np.ndarray) -> tuple[Slack, ...]:
  loose = np.concatenate([[False], slack > 0, [False]])
  edges = np.flatnonzero(loose[1:] != loose[:-1])
  return tuple(
    Slack(float(time[a]), float(time[b - 1]), float(slack[a:b].max()))
    for a, b in zip(edges[::2], edges[1::2], strict=True)
  )


def _sweeps(model, data, view: CableView, steps: int) -> tuple[Sweep, ...]:
  """Every limited hinge and slide that the cable acts on."""
  home, sweeps, ties = data.qpos.copy(), [], _ties(model)
  for joint in range(model.njnt):
    hinge = model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE
    if not hinge and model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_SLIDE:
      continue
    if not model.jnt_limited[joint]:
      continue
    low, high = model.jnt_range[joint]
    positions = np.linspace(low, high, steps)
    length, arm = np.zeros(steps), np.zeros(steps)
    here = model.jnt_qposadr[joint]
    for i, position in enumerate(positions):
      data.qpos[here] = position
      rates = {model.jnt_dofadr[joint]: 1.0}
      for tied, law in ties.get(joint, ()):
        there = model.jnt_qposadr[tied]
        moved = position - model.qpos0[here]
        data.qpos[there] = model.qpos0[there] + law(moved)
        rates[model.jnt_dofadr[tied]] = law.deriv()(moved)
      mujoco.mj_forward(model, data)
      length[i] = view.length
      arm[i] = -sum(rate * view.jacobian[dof] for dof, rate in rates.items())
    data.qpos[:] = home
    if np.abs(arm).max() > _NO_ARM:
      name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, joint) or f"joint {joint}"
      sweeps.append(Sweep(name, "rad" if hinge else "m", positions, length, arm))
  mujoco.mj_forward(model, data)
  return tuple(sweeps)


def _ties(model: mujoco.MjModel) -> dict[int, list[tuple[int, Polynomial]]]:
  """Joints that an equality makes follow another: leader -> [(follower, its law)]."""
  found: dict[int, list[tuple[int, Polynomial]]] = {}
  for i in range(model.neq):
    follower, leader = int(model.eq_obj1id[i]), int(model.eq_obj2id[i])
    if model.eq_type[i] == mujoco.mjtEq.mjEQ_JOINT and leader >= 0 and model.eq_active0[i]:
      found.setdefault(leader, []).append((follower, Polynomial(model.eq_data[i, :5])))
  return found
