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

from collections.abc import Iterable, Mapping, Sequence

import mujoco
import numpy as np

from mujocable.errors import BadValue, UnknownCable, listing
from mujocable.runtime.account import Account, Trouble
from mujocable.runtime.config import contact_names
from mujocable.runtime.view import CableView, bind
from mujocable.viewer.recording import Recording
from mujocable.viewer.report.joints import sweeps
from mujocable.viewer.report.result import CableReport, Guide, Report, Slack, hardest

_STEPS = 61  # of a joint's sweep


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
  if not isinstance(model, mujoco.MjModel):
    kind = type(model).__name__
    raise BadValue(f"report(model, source): model must be an MjModel, got {kind}")
  if isinstance(source, mujoco.MjData):
    bind(model, source)  # refuses what does not belong together
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
  at = hardest(tension)
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
    sweeps=sweeps(model, data, view, steps),
    valid=float(np.mean(status == 0)),
    account=account,
  )


def _slack_events(time: np.ndarray, slack: np.ndarray) -> tuple[Slack, ...]:
  loose = np.concatenate([[False], slack > 0, [False]])
  edges = np.flatnonzero(loose[1:] != loose[:-1])
  return tuple(
    Slack(float(time[a]), float(time[b - 1]), float(slack[a:b].max()))
    for a, b in zip(edges[::2], edges[1::2], strict=True)
  )
