"""FingerFlex: one motor flexes three joints by a wanted angle, whatever the friction."""

import numpy as np

from mujocable.gym.task import Seen, Task, arrays_of
from mujocable.models import finger
from mujocable.spec.write import add_sensor

_REACH = 0.045  # of the motor: the action -1 is nothing taken in, +1 is this much [m]


class FingerFlex(Task):
  """Goal: the sum of the joint angles [rad]. Action: the position of the motor."""

  camera = finger.CAMERA
  substeps = 40  # 20 ms
  action_size = 1
  goal_size = 1
  observation_size = 12
  near, unit = 0.1, "rad"
  goals = (0.3, 3.2)  # [rad]; with the most friction the finger gets just there

  def __init__(self, friction: tuple[float, float] | float = (0.0, 0.25), horizon: int = 50):
    params = finger.Finger(rate_limit=0.15)
    spec = finger.build(params)
    add_sensor(spec, finger.FLEXOR, "tension")
    add_sensor(spec, finger.FLEXOR, "take_up")
    super().__init__(spec, friction, horizon)
    self._limit = params.max_tension

  def draw_goal(self, random: np.random.Generator) -> np.ndarray:
    """An angle that the finger can take."""
    return random.uniform(*self.goals, size=1)

  def ctrl(self, actions):
    """The flexor takes in what the extensor pays out."""
    take_up = 0.5 * _REACH * (1 + actions)
    return arrays_of(actions).concatenate([take_up, -take_up], axis=1)

  def observe(self, seen: Seen, goals, actions):
    """Angles, their rates, tension at both ends, take-up, goal, error, last action."""
    tension = seen.cable(finger.FLEXOR, "tension") / self._limit
    flexion = seen.qpos.sum(axis=1, keepdims=True)
    parts = [
      seen.qpos,
      0.05 * seen.qvel,
      tension[:, :1],
      tension[:, -1:],
      seen.cable(finger.FLEXOR, "take_up") / _REACH,
      goals,
      goals - flexion,
      actions,
    ]
    return arrays_of(actions).concatenate(parts, axis=1)

  def distance(self, seen: Seen, goals):
    """How far the sum of the angles is from the goal [rad]."""
    return abs(seen.qpos.sum(axis=1) - goals[:, 0])

  def features(self, observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The last action; the way to the goal and the rates of the joints."""
    return observations[:, 11:12], observations[:, None, [10, 3, 4, 5]]
