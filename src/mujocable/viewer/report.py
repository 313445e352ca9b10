"""Report: the read-outs a builder asks for, of every cable of a model.

    report = mujocable.report(model, data)        # one state, or
    report = mujocable.report(model, recording)   # a Recording, or an array of states
    print(report)
    report.write("out/report.html")

How much cable the actuator takes in and how hard it pulls, the tension at each guide and which one
loses most, what arrives at the end, when the cable is slack, and the moment arm and stroke of every
joint over its range.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import mujoco
import numpy as np
from numpy.polynomial import Polynomial

from mujocable.errors import BadValue, UnknownCable, listing
from mujocable.runtime.view import CableView, bind
from mujocable.spec.write import ELEMENT, RING
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
  lost: float  # energy turned into heat, all the time [J]

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

  @property
  def stroke(self) -> float:
    """Cable taken in between the extremes [m]."""
    return float(np.ptp(self.take_up))

  @property
  def peak(self) -> float:
    """Largest tension at the source [N]."""
    return float(self.tension[:, 0].max())

  @property
  def hardest(self) -> int:
    """The sample in which the source pulls hardest; the last of them at a tension limit."""
    return _hardest(self.tension)

  @property
  def peak_time(self) -> float:
    """When the source pulls hardest [s]."""
    return float(self.time[self.hardest])

  @property
  def efficiency(self) -> float:
    """Tension at the distal end / tension at the source, while the source pulls hardest."""
    row = self.tension[self.hardest]
    return float(row[-1] / row[0]) if row[0] > 0 else float("nan")

  @property
  def worst(self) -> Guide | None:
    """The guide that takes most of the tension [N]; None where none takes any."""
    taken = max(self.guides, key=lambda guide: abs(guide.before - guide.behind), default=None)
    return taken if taken is not None and taken.before != taken.behind else None


@dataclass(frozen=True)
class Report:
  """All cables; prints as tables."""

  model: str  # its name
  cables: Mapping[str, CableReport] = field(default_factory=dict)  # by name

  def rows(self) -> list[dict[str, object]]:
    """The main table: one row per cable, units in the names."""
    return [
      {
        "cable": one.name,
        "stroke [mm]": 1e3 * one.stroke,
        "peak tension [N]": one.peak,
        "at [s]": one.peak_time if one.peak > 0 else float("nan"),
        "at the end [N]": float(one.tension[one.hardest, -1]),
        "efficiency": one.efficiency,
        "worst guide": one.worst.name if one.worst else "",
        "its loss [N]": abs(one.worst.before - one.worst.behind) if one.worst else 0.0,
        "slack events": len(one.slack),
        "longest [s]": max((s.end - s.begin for s in one.slack), default=0.0),
        "valid": one.valid,
      }
      for one in self.cables.values()
    ]

  def __str__(self) -> str:
    from mujocable.viewer import report_page

    return report_page.text(self)

  def plots(self) -> dict:
    """Matplotlib figures by name."""
    from mujocable.viewer import report_page

    return report_page.plots(self)

  def write(self, path: str | Path) -> Path:
    """One HTML page with the tables and the plots inside."""
    from mujocable.viewer import report_page

    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(report_page.html(self), encoding="utf-8")
    return path


def report(
  model: mujoco.MjModel,
  source: mujoco.MjData | Recording | np.ndarray,
  cables: Iterable[str] | None = None,
  steps: int = _STEPS,
) -> Report:
  """Read-outs of the cables (all, or those named).

  `source` is an MjData (its present state), a Recording with the fields it has by default, or an
  array of states, shape (samples, size of mjSTATE_INTEGRATION) as mj_getState writes them.
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
  found = {name: _cable(model, data, views[name], recording, steps) for name in names}
  return Report(title, found)


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


def _cable(model, data, view: CableView, recording: Recording, steps: int) -> CableReport:
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
    for i, label in enumerate(_guide_names(model, name, turn.shape[1]))
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
  )


def _hardest(tension: np.ndarray) -> int:
  return int(np.flatnonzero(tension[:, 0] >= (1 - 1e-9) * tension[:, 0].max())[-1])


def _guide_names(model: mujoco.MjModel, cable: str, count: int) -> Sequence[str]:
  """From the route's tuple; a route written as text has numbers only."""
  plain = [f"contact {i}" for i in range(count)]
  index = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_TUPLE, cable)
  if index < 0:
    return plain
  start, size = model.tuple_adr[index], model.tuple_size[index]
  elements = [
    mujoco.mj_id2name(model, int(model.tuple_objtype[i]), int(model.tuple_objid[i])) or ""
    for i in range(start, start + size)
    if model.tuple_objprm[i] in (ELEMENT, RING)
  ]
  return elements[1:-1] if len(elements) == count + 2 else plain


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
