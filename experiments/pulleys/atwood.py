"""AT: an Atwood machine whose sheave must be driven by friction, with landing."""

from dataclasses import dataclass

import mujoco
import numpy as np
from scipy.integrate import solve_ivp

import mujocable as mjc
from experiments.pulleys import scene
from experiments.pulleys.case import Case, Entry, rate, tension
from experiments.pulleys.theory import GRAVITY, Fall, Line, Machine, Motion, Turn, stretch_at


@dataclass(frozen=True, kw_only=True)
class Atwood(Case):
  """Two weights over a sheave that turns; the heavier lands."""

  left: float = 0.17  # [kg]
  right: float = 0.25  # [kg]
  radius: float = 0.05  # [m]
  mass: float = 0.18  # of the sheave, a disc [kg]
  inertia: float = 2.25e-4  # [kg m^2]
  falls: float = 0.35  # length of each at the start [m]
  tension: float | None = None  # at the start [N]; None: that of the textbook motion
  floor: bool = True

  def pull(self) -> float:
    """Acceleration of the textbook motion [m/s^2]."""
    moved = self.left + self.right + self.inertia / self.radius**2
    return (self.right - self.left) * GRAVITY / moved

  def _start_tension(self) -> float:
    return self.left * (GRAVITY + self.pull()) if self.tension is None else self.tension

  def spec(self):
    spec = scene.world(self.timestep, self.integrator)
    world, height = spec.worldbody, 0.6
    scene.sheave(world, "sheave", (0, 0, height), self.radius, self.mass, self.inertia)
    scene.site(world, "above", (0, 0, height + 2 * self.radius))
    low = height - self.falls
    for name, x, mass in (("left", -1, self.left), ("right", 1, self.right)):
      block = scene.weight(world, name, (x * self.radius, 0, low), mass)
      if name == "right" and self.floor:
        (box,) = block.geoms
        box.contype = box.conaffinity = 1
        world.add_geom(
          type=mujoco.mjtGeom.mjGEOM_PLANE,
          size=[1, 1, 0.1],
          pos=[0, 0, low - 0.035 + self.watch[1]],
          solref=[0.005, 1],
        )
    cable = mjc.Cable(
      name="rope",
      route=[mjc.Anchor("left_hook"), mjc.Wrap("sheave", side="above"), mjc.Anchor("right_hook")],
      axial=mjc.Axial(
        stiffness=self.stiffness,
        damping=self.damping,
        transition=self.transition,
        pretension=self._start_tension(),
      ),
      friction=mjc.Sliding(
        self.friction,
        slip_speed=self.slip_speed,
      ),
      integration="explicit",  # the force of the instant, as the closed forms have it
    )
    mjc.add_cable(spec, cable)
    return spec

  def machine(self):
    rope = Line(
      falls=[Fall(self.falls, {"left": -1.0}), Fall(self.falls, {"right": -1.0})],
      turns=[Turn(np.pi, self.radius, self.friction, {"sheave": self.radius})],
      stiffness=self.stiffness,
      damping=self.damping,
      transition=self.transition,
      stretch=stretch_at(self._start_tension(), self.stiffness, self.transition),
      slip_speed=self.slip_speed,
    )
    inertia = {"left": self.left, "right": self.right, "sheave": self.inertia}
    weights = (-self.left * GRAVITY, -self.right * GRAVITY, 0.0)
    return Machine(inertia, {"rope": rope}, lambda t, x, v: weights)

  def textbook(self, times):
    a = self.pull()
    fall, speed = a * times**2 / 2, a * times
    pair = [self.left * (GRAVITY + a), self.right * (GRAVITY - a)]
    return Motion(
      times,
      {"left": fall, "right": -fall, "sheave": fall / self.radius},
      {"left": speed, "right": -speed, "sheave": speed / self.radius},
      {"rope": np.tile(pair, (len(times), 1))},
      event=np.sqrt(-2 * self.watch[1] / a) if self.watch else np.nan,
    )

  def stiff_limit(self, times):
    # both weights move as one; the sheave follows by friction: tensions in the ratio of (8)
    def grip(t, y):
      slip = y[1] - self.radius * y[3]
      ratio = np.exp(self.friction * np.pi * np.tanh(slip / self.slip_speed))
      a = (self.right - self.left * ratio) * GRAVITY / (self.right + self.left * ratio)
      return a, self.left * (GRAVITY + a), ratio

    def rhs(t, y):
      a, light, ratio = grip(t, y)
      return [y[1], a, y[3], self.radius * light * (ratio - 1) / self.inertia]

    def landed(t, y):
      return y[0] + self.watch[1] if self.watch else 1.0

    run = solve_ivp(
      rhs, (0, times[-1]), np.zeros(4), "DOP853", times, events=landed, rtol=1e-10, atol=1e-13
    )
    fall, speed, turned, spin = run.y
    pulls = [grip(t, y) for t, y in zip(times, run.y.T, strict=True)]
    landing = run.t_events[0]
    return Motion(
      times,
      {"left": fall, "right": -fall, "sheave": turned},
      {"left": speed, "right": -speed, "sheave": spin},
      {"rope": np.array([[light, light * ratio] for _, light, ratio in pulls])},
      event=float(landing[0]) if landing.size else np.nan,
    )

  def signals(self):
    return (
      rate("speed of the heavier weight", "right", "m/s", sign=-1.0),
      tension("tension on the lighter side", "rope", 0),
      rate("sheave speed", "sheave", "rad/s"),
    )

  def entries(self):
    speed, light, spin = self.signals()
    return (
      Entry("contact_time_error_s", "event", speed, -0.0358, target=1e-3),
      Entry("speed_rmse_m_s", "rmse", speed, 0.0668),
      Entry("tension_rmse_N", "rmse", light),
      Entry("sheave_speed_rmse_rad_s", "rmse", spin),
    )


AT = Atwood(
  name="AT",
  title="Atwood machine with landing",
  friction=0.15,
  slip_speed=2e-3,
  duration=0.6,
  timestep=1e-4,
  integrator="rk4",
  watch=("right", -0.112),
)
