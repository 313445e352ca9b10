"""SpiralReach: three cables bend a spiral arm until its tip is at a point in space."""

from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import mujoco
import numpy as np

from mujocable.gym.task import Seen, Task, arrays_of
from mujocable.models import spirob
from mujocable.spec.write import add_sensor

ARM = spirob.Spirob(
  spiral=spirob.Spiral(units=10, radius=6e-3),
  cables=3,
  drive="tension",
  stiffness=0.03,
  damping=0.006,
  max_tension=2.0,
  timestep=1e-3,
)
PLACES = 64  # goals to draw from
_TIP, _WAY, _LAST = slice(-15, -12), slice(-12, -9), slice(-3, None)  # of an observation
_ANGLES = 2 * np.pi * np.arange(3) / 3
_SIDES = np.stack([-np.sin(_ANGLES), np.cos(_ANGLES)], axis=1)  # where the cables run
_SETTLED = 800  # steps until the arm is about where a pull holds it


class SpiralReach(Task):
  """Goal: a place of the tip [m]. Action: the tension of each cable, from none to its limit."""

  camera = spirob.CAMERA
  substeps = 40  # 40 ms
  action_size = 3
  goal_size = 3
  near, unit = 0.15, "of its length"

  def __init__(self, friction: tuple[float, float] | float = (0.0, 0.15), horizon: int = 50):
    super().__init__(_spec(), friction, horizon)
    self.observation_size = 2 * self.model.nv + 3 * self.action_size + 6
    self._tip = self.model.site("tip").id
    joint = self.model.jnt_range[0, 1]
    self._length, self._angle = float(self.model.stat.extent), float(joint)

  def draw_goal(self, random: np.random.Generator) -> np.ndarray:
    """One of the places where the tip came to rest under random pulls, without friction."""
    _, places = pulls_and_places()
    return places[random.integers(len(places))].copy()

  def ctrl(self, actions):
    """-1 is slack, +1 the most."""
    return 0.5 * ARM.max_tension * (1 + actions)

  def observe(self, seen: Seen, goals, actions):
    """Angles, their rates, tip, tip to goal, tension at the source and at the end, last action."""
    tip = seen.site_xpos[:, self._tip]
    tensions = [seen.cable(name, "tension") / ARM.max_tension for name in _names()]
    parts = [
      seen.qpos / self._angle,
      0.05 * seen.qvel,
      tip / self._length,
      (goals - tip) / self._length,
      *(end for tension in tensions for end in (tension[:, :1], tension[:, -1:])),
      actions,
    ]
    return arrays_of(actions).concatenate(parts, axis=1)

  def distance(self, seen: Seen, goals):
    """Distance of the tip from its goal / length of the arm."""
    apart = seen.site_xpos[:, self._tip] - goals
    return arrays_of(goals).sqrt((apart * apart).sum(axis=1)) / self._length

  def features(self, observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The last actions; these, way and goal toward the side of the cable and up, reach, one."""
    tip, way, last = (observations[:, part] for part in (_TIP, _WAY, _LAST))
    goal = tip + way
    same = np.ones_like(last)
    parts = [
      last,
      way[:, :2] @ _SIDES.T,
      same * way[:, 2:],
      goal[:, :2] @ _SIDES.T,
      same * goal[:, 2:],
      same * np.linalg.norm(goal[:, :2], axis=1, keepdims=True),
      same,
    ]
    return last, np.stack(parts, axis=2)


@lru_cache(maxsize=1)
def pulls_and_places() -> tuple[np.ndarray, np.ndarray]:
  """Tensions (n, 3) [N] and where they hold the tip (n, 3) [m]; the same in every process."""
  random = np.random.default_rng(20)
  pulls = random.uniform(0.0, ARM.max_tension, (PLACES, 3))
  pulls[np.arange(PLACES), random.integers(3, size=PLACES)] = 0.0  # one lets go
  model = _spec().compile()
  with ThreadPoolExecutor() as pool:
    places = np.array(list(pool.map(lambda pull: _settled(model, pull), pulls)))
  for array in (pulls, places):
    array.flags.writeable = False
  return pulls, places


def _settled(model: mujoco.MjModel, pull: np.ndarray) -> np.ndarray:
  # where the tip comes to rest [m]
  data = mujoco.MjData(model)
  data.ctrl[:] = pull
  mujoco.mj_step(model, data, nstep=_SETTLED)
  mujoco.mj_forward(model, data)
  return data.site("tip").xpos.copy()


def _spec() -> mujoco.MjSpec:
  spec = spirob.build(ARM)
  for name in _names():
    add_sensor(spec, name, "tension")
  return spec


def _names() -> list[str]:
  return spirob.cable_names(ARM)
