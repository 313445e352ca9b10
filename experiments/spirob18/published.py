"""Published: what the paper prints of the 18-joint arm, and the protocol that meets it best."""

import numpy as np

FRICTIONS = (0.0, 0.15, 0.3, 0.45, 0.6)

# friction -> bend [deg], peak tension [N], take-up [m]
SWEEP = {
  0.0: (525.6, 1.856, 0.08759),
  0.15: (523.0, 2.538, 0.092694),
  0.3: (502.5, 6.553, 0.09891),
  0.45: (438.5, 7.959, 0.09655),
  0.6: (392.3, 7.951, 0.09004),
}
NATIVE = (521.8, 0.644, 0.085)  # the same of MuJoCo's own tendon; the take-up is approximate

RUN, HOLD = 6.0, 6.0  # the paper's run; how much longer the pose is held before it is judged [s]

# the retraction: assumed, chosen to meet the table (README)
RATE = 0.030  # [m/s]
TARGET = np.deg2rad(520.0)  # bend [rad]
STROKE = 0.099  # [m]
LIMIT = 0.99  # of the tension limit


class Retraction:
  """Takes in cable at a constant rate up to the bend, the stroke or the tension limit; then holds.

  At the tension limit it waits and goes on when the tension has fallen. The other cable pays out as
  much. After the run the take-up stays where it is.
  """

  def __init__(self, max_tension: float, timestep: float):
    self.most, self.step = LIMIT * max_tension, RATE * timestep
    self.taken, self.done, self.tension = 0.0, False, None

  def __call__(self, data):
    if not self.done:
      arrived = float(data.qpos.sum()) >= TARGET or self.taken >= STROKE
      self.done = arrived or data.time >= RUN
      if not self.done and data.actuator_force[0] < self.most:
        self.taken = min(self.taken + self.step, STROKE)
    return self.taken, -self.taken


def pull(data):
  """The native twin's motor: a constant pull, reached in 2 s."""
  return NATIVE[1] * min(1.0, data.time / 2.0), 0.0
