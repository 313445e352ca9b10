"""Live: a simulation that keeps pace with the clock, with what its cables did lately.

Shared by the viewers. Nothing here draws, and nothing needs a display.
"""

import threading
import time
from collections import deque
from collections.abc import Callable

import mujoco
import numpy as np

from mujocable.errors import BadValue
from mujocable.runtime.view import bind
from mujocable.viewer.offscreen import snapshot

Control = Callable[[mujoco.MjModel, mujoco.MjData], None]  # writes data.ctrl before every step

SPEEDS = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0)  # simulated seconds per second
_LATEST = 0.1  # a slow simulation is not owed more than this: it runs late, not ever later [s]
_CHUNK = 0.01  # the longest that a viewer waits for the lock, about [s]


class History:
  """Tension and take-up of every cable over the last seconds."""

  def __init__(self, length: float, every: float):
    self.every = every  # between samples [s]
    self._rows: deque[tuple] = deque(maxlen=round(length / every) + 1)

  def add(self, moment: float, source: list, end: list, take_up: list) -> None:
    """One sample: time [s]; at the source and at the end of every cable [N]; take-up [m]."""
    self._rows.append((moment, source, end, take_up))

  def clear(self) -> None:
    """Forgets everything."""
    self._rows.clear()

  @property
  def last(self) -> float:
    """Time of the newest sample [s]; -inf where there is none."""
    return self._rows[-1][0] if self._rows else -np.inf

  def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """time (n,), source tension, end tension and take-up (n, ncable)."""
    columns = zip(*self._rows, strict=True) if self._rows else ((), (), (), ())
    time_, source, end, take_up = (np.array(column, float) for column in columns)
    return time_, source, end, take_up


class Live:
  """A simulation that runs, pauses and starts over. Hold `lock` while touching `data`."""

  def __init__(
    self,
    model: mujoco.MjModel,
    data: mujoco.MjData | None = None,
    control: Control | None = None,
    speed: float = 1.0,
    paused: bool = False,
    history: float = 10.0,
  ):
    """Starts from `data`, which a reset brings back; `control` is called before every step."""
    self.model, self.data = model, data if data is not None else mujoco.MjData(model)
    self.cables = bind(model, self.data)
    self.lock = threading.RLock()
    self.control, self.automatic = control, control is not None
    self.paused = paused
    self.history = History(history, max(0.02, model.opt.timestep))
    self._speed = 1.0
    self.speed = speed
    self._frictions: dict[str, float] = {}
    self._owed = 0.0  # simulated time that the clock is ahead [s]
    self._rate = 0.0  # what one second of the clock really brings [s]
    self._step_cost = 0.0  # of the clock [s]
    mujoco.mj_forward(model, self.data)
    self._start = snapshot(model, self.data)
    self._sample()

  @property
  def speed(self) -> float:
    """Simulated seconds per second of the clock."""
    return self._speed

  @speed.setter
  def speed(self, value: float) -> None:
    if not (np.isfinite(value) and value > 0):
      raise BadValue(f"speed must be finite, > 0, got {value!r}")
    self._speed = float(value)

  @property
  def rate(self) -> float:
    """What was reached lately: simulated seconds per second of the clock."""
    return 0.0 if self.paused else self._rate

  def command(self, control: int, value: float) -> None:
    """Sets one control, by its place in `ctrl`."""
    with self.lock:
      self.data.ctrl[control] = value

  def set_friction(self, cable: str, value: float) -> None:
    """Gives every contact of a cable but drums this friction, also after a reset."""
    with self.lock:
      self.cables[cable].friction = value
      self._frictions[cable] = value

  def reset(self) -> None:
    """Back to the state it started from; frictions that were set stay."""
    with self.lock:
      kind = int(mujoco.mjtState.mjSTATE_INTEGRATION)
      mujoco.mj_setState(self.model, self.data, self._start, kind)
      for cable, value in self._frictions.items():
        self.cables[cable].friction = value
      mujoco.mj_forward(self.model, self.data)
      self._owed = 0.0
      self.history.clear()
      self._sample()

  def advance(self, elapsed: float) -> int:
    """Simulates what `elapsed` seconds of the clock call for; returns the number of steps."""
    if self.paused:
      self._owed = 0.0
      return 0
    step = self.model.opt.timestep
    self._owed = min(self._owed + elapsed * self.speed, _LATEST * max(1.0, self.speed))
    wanted, done = int(self._owed / step), 0
    began = time.perf_counter()
    while done < wanted and time.perf_counter() - began < _LATEST:
      # short enough that a slider is never kept waiting
      chunk = min(wanted - done, max(1, int(_CHUNK / max(self._step_cost, 1e-6))))
      with self.lock:
        since = time.perf_counter()
        self.step(chunk)
        cost = (time.perf_counter() - since) / chunk
      self._step_cost = cost if self._step_cost == 0 else 0.8 * self._step_cost + 0.2 * cost
      done += chunk
    self._owed -= done * step
    if elapsed > 0:
      self._rate += min(1.0, elapsed / 0.5) * (done * step / elapsed - self._rate)
    return done

  def step(self, count: int = 1) -> None:
    """Steps, whatever the clock says, and keeps the history."""
    model, data = self.model, self.data
    while count > 0:
      due = (self.history.last + self.history.every - data.time) / model.opt.timestep
      steps = min(count, max(1, round(due)))
      if self.control is not None and self.automatic:
        for _ in range(steps):
          self.control(model, data)
          mujoco.mj_step(model, data)
      else:
        mujoco.mj_step(model, data, nstep=steps)
      count -= steps
      if data.time < self.history.last:  # MuJoCo started over after a bad state
        self.history.clear()
      if data.time >= self.history.last + self.history.every - 0.5 * model.opt.timestep:
        self._sample()

  def _sample(self) -> None:
    cables = self.cables.values()
    tensions = [cable.tension for cable in cables]
    self.history.add(
      self.data.time,
      [tension[0] for tension in tensions],
      [tension[-1] for tension in tensions],
      [cable.take_up for cable in cables],
    )


class Pacer(threading.Thread):
  """A thread that advances a simulation with the clock and shows it, until it is stopped."""

  def __init__(self, live: Live, show: Callable[[], None], fps: float = 25.0):
    """`show` is called `fps` times a second, in this thread, with the lock held."""
    super().__init__(name="mujocable-live", daemon=True)
    self._live, self._show, self._period = live, show, 1 / fps
    self._stopping = threading.Event()
    self.error: BaseException | None = None  # what ended it, if anything did

  def run(self) -> None:
    """The loop; what it raises is kept in `error`."""
    last = shown = time.perf_counter()
    try:
      while not self._stopping.is_set():
        now = time.perf_counter()
        self._live.advance(now - last)
        last = now
        if now - shown >= self._period:
          shown = now
          with self._live.lock:
            self._show()
        self._stopping.wait(max(0.001, min(self._period, shown + self._period - now) / 4))
    except BaseException as error:
      self.error = error

  def stop(self, timeout: float = 5.0) -> None:
    """Ends the loop and waits for it."""
    self._stopping.set()
    if self.is_alive() and threading.current_thread() is not self:
      self.join(timeout)
