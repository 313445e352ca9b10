"""Task: what is observed, wanted and rewarded, for any number of simulations at once.

The same few lines serve one environment and a batch, so that both give the same bits, and worlds on
a GPU: arrays are NumPy's or torch's.
"""

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar

import mujoco
import numpy as np

from mujocable.errors import BadValue
from mujocable.runtime.members import members
from mujocable.runtime.parameters import rubs, slice_of

LATE = 0.7  # from this share of an episode on the distance counts


@dataclass(frozen=True)
class Seen:
  """Fields of n simulations after a step: (n, ...) arrays as MjData names them."""

  qpos: Any  # (n, nq)
  qvel: Any  # (n, nv)
  site_xpos: Any  # (n, nsite, 3) [m]
  sensordata: Any  # (n, nsensordata); in worlds on a GPU without the sensors of cables
  cable: Callable[[str, str], Any]  # ("flexor", "tension") -> (n, count): what its sensor reads

  FIELDS: ClassVar = ("qpos", "qvel", "site_xpos", "sensordata")


class Task(ABC):
  """A robot, its goal and its reward; actions are in [-1, 1].

  A task sets `camera`, `substeps` (simulation steps per action), `action_size`, `goal_size` and
  `observation_size`, `near` and `unit`, and has the methods below.
  """

  camera: str
  near: float = 0.1  # a goal is reached if the mean distance late in the episode is below this
  unit: str = ""  # of the distance
  substeps: int
  action_size: int
  goal_size: int
  observation_size: int

  def __init__(
    self,
    model: mujoco.MjModel | mujoco.MjSpec,
    friction: tuple[float, float] | float,
    horizon: int,
  ):
    """`friction` is drawn anew for every episode from this range; one number fixes it.

    An MjSpec is compiled; only from one can a task be made that runs where no engine plugin is.
    """
    low, high = _range(friction)
    if not (isinstance(horizon, Integral) and not isinstance(horizon, bool) and horizon >= 1):
      raise BadValue(f"horizon must be a whole number of steps, 1 or more, got {horizon!r}")
    self.spec = model if isinstance(model, mujoco.MjSpec) else None
    self.model = model if self.spec is None else self.spec.compile()
    self.horizon = int(horizon)
    self.friction = float(low), float(high)
    data = mujoco.MjData(self.model)
    # in plugin_state, of every contact that rubs by the friction of its cable
    self._frictions = [
      np.arange(self.model.npluginstate)[slice_of(member, name, "friction")][
        rubs(self.model, data, member)
      ]
      for name, member in members(self.model).items()
    ]

  @property
  def fps(self) -> float:
    """Actions per simulated second."""
    return 1 / (self.substeps * self.model.opt.timestep)

  def seen(self, qpos, qvel, site_xpos, sensordata) -> Seen:
    """What the engine's arrays show; a cable is read from its sensors "name.tension", ..."""
    places: dict[tuple[str, str], slice] = {}

    def cable(name: str, what: str):
      if (name, what) not in places:
        places[name, what] = sensor_slice(self.model, f"{name}.{what}")
      return sensordata[:, places[name, what]]

    return Seen(qpos, qvel, site_xpos, sensordata, cable)

  # ------------------------------------ an episode

  def draw(self, random: np.random.Generator, options: dict | None) -> tuple[float, np.ndarray]:
    """Friction and goal of an episode; `options` may fix either ("friction", "goal")."""
    friction, goal = float(random.uniform(*self.friction)), self.draw_goal(random)
    options = options or {}
    if unknown := set(options) - {"friction", "goal"}:
      raise BadValue(f"reset takes the options 'friction' and 'goal', got {sorted(unknown)}")
    coefficient = numbers(options.get("friction", friction), 1)
    if coefficient is None or coefficient[0] < 0:
      raise BadValue(f"option 'friction' must be finite, >= 0, got {options['friction']!r}")
    given = numbers(options.get("goal", goal), goal.size)
    if given is None:
      raise BadValue(f"option 'goal' must be {goal.size} finite numbers, got {options['goal']!r}")
    return float(coefficient[0]), given

  def set_friction(self, plugin_state: np.ndarray, friction: np.ndarray) -> None:
    """Writes one friction per simulation (n,) into every contact that rubs, in plugin_state."""
    for places in self._frictions:
      plugin_state[:, places] = friction[:, None]

  # ------------------------------------ what a task is

  # (arrays of any number of simulations, NumPy's or torch's: `arrays_of` has the functions of both)

  @abstractmethod
  def draw_goal(self, random: np.random.Generator) -> np.ndarray:
    """A goal (goal_size,)."""

  @abstractmethod
  def ctrl(self, actions) -> Any:
    """Controls (n, nu) of actions (n, action_size)."""

  @abstractmethod
  def observe(self, seen: Seen, goals, actions) -> Any:
    """Observations (n, observation_size), each number of the order of one."""

  @abstractmethod
  def distance(self, seen: Seen, goals) -> Any:
    """How far from the goal (n,); the reward is minus this."""

  @abstractmethod
  def features(self, observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The last actions (n, action_size); what their change may depend on (n, action_size, k)."""


def _range(friction: object) -> tuple[float, float]:
  # of the friction of an episode
  found = numbers(friction, 2)
  if found is None:
    one = numbers(friction, 1)
    found = None if one is None else np.repeat(one, 2)
  if found is None or not 0 <= found[0] <= found[1]:
    raise BadValue(f"friction must be a number or (low, high), 0 <= low <= high, got {friction!r}")
  return float(found[0]), float(found[1])


def numbers(value: Any, count: int) -> np.ndarray | None:
  """So many finite numbers in a row; None where it is something else."""
  try:
    found = np.asarray(value, float).reshape(-1)
  except (TypeError, ValueError):
    return None
  return found if found.size == count and np.isfinite(found).all() else None


def sensor_slice(model: mujoco.MjModel, name: str) -> slice:
  """Where a sensor lies in sensordata."""
  sensor = model.sensor(name)
  return slice(int(sensor.adr[0]), int(sensor.adr[0] + sensor.dim[0]))


def arrays_of(array) -> Any:
  """The module whose functions take this array: numpy or torch."""
  return np if isinstance(array, np.ndarray) else sys.modules["torch"]
