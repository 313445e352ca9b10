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

import mujoco
import numpy as np

from mujocable.runtime.ledger import Account, Trouble
from mujocable.runtime.sums import AT_LIMIT, ROWS, Sums
from mujocable.runtime.view import CableView, bind

_WARNINGS = {
  mujoco.mjtWarning.mjWARN_BADQPOS: "a position",
  mujoco.mjtWarning.mjWARN_BADQVEL: "a velocity",
  mujoco.mjtWarning.mjWARN_BADQACC: "an acceleration",
}


class Follower:
  """Sums over the steps of one simulation; call `step` after every mj_step."""

  def __init__(self, model: mujoco.MjModel, data: mujoco.MjData):
    self._model, self._data = model, data
    self.views = bind(model, data)
    self._cables = [Sums(model, data, view) for view in self.views.values()]
    self._sensors, self._qvel = data.sensordata, data.qvel
    self._records = np.zeros((ROWS + 1, model.nsensordata))
    self._speeds = np.zeros((ROWS, model.nv))
    self._forces = np.zeros((ROWS, data.actuator_force.size))
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
    if self._filled == ROWS:
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
    pinned = ((force <= low * AT_LIMIT) & (low < 0)) | ((force >= high * AT_LIMIT) & (high > 0))
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
