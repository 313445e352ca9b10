"""Jumps: where the length of a path changes by more than its moment arms explain."""

from collections.abc import Callable

import mujoco
import numpy as np

_SUSPECT = 1e-5  # a step of the length that the moment arms do not explain is looked into [m]
_HALVINGS = 12

State = Callable[[mujoco.MjData], tuple[float, np.ndarray]]  # length [m] and moment arms (nv,)


class Jumps:
  """Looks at a path from pose to pose."""

  def __init__(self, model: mujoco.MjModel, state: State):
    self._model, self._state = model, state
    self._probe = mujoco.MjData(model)
    self._before: tuple[np.ndarray, float, np.ndarray] | None = None

  def begin(self) -> None:
    """A new walk starts here."""
    self._before = None

  def look(self, qpos: np.ndarray, length: float, row: np.ndarray) -> float:
    """How far the length jumped on the way from the last pose to this one [m]; 0: it did not."""
    here = qpos.copy(), length, row
    before, self._before = self._before, here
    if before is None or self._unexplained(before, here) <= _SUSPECT:
      return 0.0
    # a jump stays as large however small the step; a bend does not
    for _ in range(_HALVINGS):
      middle = self._between(before[0], here[0])
      early = self._unexplained(before, middle) > self._unexplained(middle, here)
      before, here = (before, middle) if early else (middle, here)
    jump = self._unexplained(before, here)
    return jump if jump > _SUSPECT else 0.0

  def _unexplained(self, one, two) -> float:
    step = self._step(one[0], two[0])
    return abs(two[1] - one[1] - 0.5 * float((one[2] + two[2]) @ step))

  def _between(self, first: np.ndarray, last: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
    middle = first.copy()
    mujoco.mj_integratePos(self._model, middle, self._step(first, last), 0.5)
    self._probe.qpos[:] = middle
    mujoco.mj_fwdPosition(self._model, self._probe)
    return middle, *self._state(self._probe)

  def _step(self, first: np.ndarray, last: np.ndarray) -> np.ndarray:
    step = np.zeros(self._model.nv)
    mujoco.mj_differentiatePos(self._model, step, 1.0, first, last)
    return step
