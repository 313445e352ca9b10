"""Public rigs with full parameters: wheel and axle, eyelet, free pulley."""

from dataclasses import dataclass, replace

import numpy as np

import mujocable as mjc
from experiments.pulleys import scene
from experiments.pulleys.atwood import Atwood
from experiments.pulleys.case import MM, QUARTER, Case, Entry, Fact, Signal, coordinate, tension
from experiments.pulleys.theory import GRAVITY, Fall, Line, Machine, Motion, Turn, stretch_at

# ---- wheel and axle ------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class WheelAndAxle(Case):
  """Two drums on one hinge, a weight on each: balanced 1 : 3, then pulled for a while."""

  radii: tuple[float, float] = (0.06, 0.02)  # wheel, axle [m]
  weights: tuple[float, float] = (0.08, 0.24)  # [kg]
  falls: float = 0.205  # [m]
  drum_inertia: float = 0.1 * 0.06**2 / 2 + 0.025 * 0.02**2 / 2  # two discs [kg m^2]
  drum_armature: float = 8e-4  # [kg m^2]
  drum_damping: float = 0.025  # [N m s/rad]
  slide_armature: float = 1e-3  # [kg]
  slide_damping: float = 2.0  # [N s/m]
  pull: float = 0.12  # on the wheel's weight, downward [N]
  pulled: tuple[float, float] = (0.1, 0.55)  # from, to [s]

  def applied(self, t):
    on = self.pulled[0] <= t + 1e-9 < self.pulled[1]
    return {"wheel_weight": -self.pull if on else 0.0}

  def spec(self):
    spec = scene.world(self.timestep, self.integrator)
    world = spec.worldbody
    drums = scene.body(world, "drums", (0, 0, 0), 0.125, self.drum_inertia)
    scene.hinge(drums, "drums", self.drum_damping, self.drum_armature)
    for name, side, y, radius, mass in (
      ("wheel", -1, -0.052, self.radii[0], self.weights[0]),
      ("axle", 1, 0.057, self.radii[1], self.weights[1]),
    ):
      scene.rim(drums, name, radius, (0, y, 0))
      scene.site(drums, f"{name}_knot", (-side * radius, y, 0))  # half a turn is on the drum
      scene.site(world, f"{name}_side", (0, y, 2 * radius))
      scene.weight(
        world,
        f"{name}_weight",
        (side * radius, y, -self.falls),
        mass,
        damping=self.slide_damping,
        armature=self.slide_armature,
      )
      route = [
        mjc.Anchor(f"{name}_knot"),
        mjc.Wrap(name, side=f"{name}_side"),
        mjc.Anchor(f"{name}_weight_hook"),
      ]
      cable = mjc.Cable(
        name=name,
        route=route,
        axial=mjc.Axial(
          stiffness=self.stiffness,
          damping=self.damping,
          transition=self.transition,
          pretension=mass * GRAVITY,
          max_tension=20.0,
        ),
        integration="explicit",  # the force of the instant, as the closed forms have it
      )
      mjc.add_cable(spec, cable)
    return spec

  def machine(self):
    lines = {}
    for name, sign, radius, mass in (
      ("wheel", 1, self.radii[0], self.weights[0]),
      ("axle", -1, self.radii[1], self.weights[1]),
    ):
      lines[name] = Line(
        falls=[Fall(0.0), Fall(self.falls, {f"{name}_weight": -1.0})],
        turns=[Turn(np.pi, radius, winds={"drums": sign})],
        stiffness=self.stiffness,
        damping=self.damping,
        transition=self.transition,
        stretch=stretch_at(mass * GRAVITY, self.stiffness, self.transition),
      )
    inertia = {
      "drums": self.drum_inertia + self.drum_armature,
      "wheel_weight": self.weights[0] + self.slide_armature,
      "axle_weight": self.weights[1] + self.slide_armature,
    }
    wheel, axle = (mass * GRAVITY for mass in self.weights)

    def force(t, x, v):
      pull = self.applied(t)["wheel_weight"] - wheel
      drag = self.slide_damping
      return -self.drum_damping * v[0], pull - drag * v[1], -axle - drag * v[2]

    return Machine(inertia, lines, force, self.pulled)

  def textbook(self, times):
    # one coordinate, driven by the pull alone: speed rises and decays exponentially
    wheel, axle = self.radii
    masses = (mass + self.slide_armature for mass in self.weights)
    inertia = self.drum_inertia + self.drum_armature
    inertia += sum(mass * radius**2 for mass, radius in zip(masses, self.radii, strict=True))
    drag = self.drum_damping + self.slide_damping * (wheel**2 + axle**2)
    fade, steady = inertia / drag, -self.pull * wheel / drag

    def response(t):  # angle and speed after the pull has acted for t
      t = np.maximum(t, 0.0)
      return steady * (t + fade * np.expm1(-t / fade)), -steady * np.expm1(-t / fade)

    on, off = (response(times - t) for t in self.pulled)
    turned, speed = on[0] - off[0], on[1] - off[1]
    x = {"drums": turned, "wheel_weight": wheel * turned, "axle_weight": -axle * turned}
    v = {"drums": speed, "wheel_weight": wheel * speed, "axle_weight": -axle * speed}
    return Motion(times, x, v, {})

  def _ratio(self):
    def ratio(motion):
      return motion.tension["axle"][:, 0] / motion.tension["wheel"][:, 0]

    return Signal("T axle / T wheel", "", ratio)

  def signals(self):
    return (
      coordinate("travel of the wheel's weight", "wheel_weight", "m", MM),
      coordinate("travel of the axle's weight", "axle_weight", "m", MM),
      self._ratio(),
    )

  def entries(self):
    wheel, axle, ratio = self.signals()
    return (
      Entry("wheel_travel_rmse_m", "rmse", wheel),
      Entry("axle_travel_rmse_m", "rmse", axle),
      Entry("tension_ratio_rmse", "rmse", ratio),
    )

  def facts(self, sim, ref):
    before = np.searchsorted(sim.time, self.pulled[0]) - 1
    travel = -sim.x["wheel_weight"][-1] / sim.x["axle_weight"][-1]
    theory = -ref.x["wheel_weight"][-1] / ref.x["axle_weight"][-1]
    return (
      Fact("static tension ratio", "", self._ratio().of(sim)[before], 3.0, 2.995),
      Fact("travel ratio at the end", "", travel, theory),
    )


# ---- eyelet --------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class EyeletTurn(Case):
  """A soft cable through an eyelet: a quarter turn, friction of sustained pulling."""

  level: float = 0.1  # anchor to eyelet [m]
  drop: float = 0.16  # eyelet to hook [m]
  mass: float = 0.12  # [kg]
  drag: float = 0.2  # of the slide [N s/m]
  taken_in: float = 0.04  # at the start [m]
  published: tuple[float, float, float] = (0.0, 0.0, 0.0)  # source, load [N], height [m]

  def spec(self):
    spec = scene.world(self.timestep, self.integrator)
    world = spec.worldbody
    scene.site(world, "anchor", (-self.level, 0, 0))
    scene.site(world, "eyelet", (0, 0, 0))
    scene.weight(world, "load", (0, 0, -self.drop - 0.03), self.mass, hook=0.03, damping=self.drag)
    cable = mjc.Cable(
      name="cable",
      route=[mjc.Anchor("anchor"), mjc.Eyelet("eyelet"), mjc.Anchor("load_hook")],
      axial=mjc.Axial(
        stiffness=self.stiffness,
        damping=self.damping,
        pretension_offset=self.taken_in,
        max_tension=5.0,
      ),
      friction=mjc.Sliding(
        self.friction,
        mode="forward",
      ),
      integration="explicit",  # the force of the instant, as the closed forms have it
    )
    mjc.add_cable(spec, cable)
    return spec

  def machine(self):
    line = Line(
      falls=[Fall(self.level), Fall(self.drop, {"load": -1.0})],
      turns=[Turn(QUARTER, friction=self.friction)],
      stiffness=self.stiffness,
      damping=self.damping,
      stretch=self.taken_in,
      max_tension=5.0,
      forward=True,
    )
    weight = self.mass * GRAVITY
    return Machine(
      {"load": self.mass}, {"cable": line}, lambda t, x, v: (-weight - self.drag * v[0],)
    )

  def signals(self):
    return coordinate("load travel", "load", "m", MM), tension("source tension", "cable", 0)

  def entries(self):
    travel, source = self.signals()
    return (
      Entry("travel_rmse_m", "rmse", travel),
      Entry("tension_rmse_N", "rmse", source),
    )

  def facts(self, sim, ref):
    (source, load), (source_ref, load_ref) = sim.tension["cable"][-1], ref.tension["cable"][-1]
    end, end_ref = sim.x["load"][-1], ref.x["load"][-1]
    ratio = np.exp(self.friction * QUARTER)
    return (
      Fact("source tension at 2 s", "N", source, source_ref, self.published[0]),
      Fact("load tension at 2 s", "N", load, load_ref, self.published[1]),
      Fact("tension ratio", "", source / load, ratio, ratio),
      Fact("height at 2 s", "m", end, end_ref, self.published[2]),
    )


# ---- free pulley ---------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class FreePulley(Atwood):
  """The public Atwood rig: friction drives the sheave, nothing damps the cable."""

  def entries(self):
    speed, light, spin = self.signals()
    return (
      Entry("speed_rmse_m_s", "rmse", speed),
      Entry("tension_rmse_N", "rmse", light),
      Entry("sheave_speed_rmse_rad_s", "rmse", spin),
    )

  def facts(self, sim, ref):
    def lost(motion):  # (17), summed over the run
      pair, slip = motion.tension["rope"], motion.slip["rope"][:, 0]
      return float(np.trapezoid((pair[:, 1] - pair[:, 0]) * slip, motion.time))

    def step(motion):
      return float(np.abs(np.diff(motion.tension["rope"])).max())

    def slip(motion):
      return float(np.percentile(np.abs(motion.slip["rope"]), 95))

    def spin(motion):
      return float(motion.v["sheave"].max())

    def residual(motion):  # what the law gives to the swinging cable without taking it anywhere
      moving = sum(
        mass * motion.v[name] ** 2 / 2
        for name, mass in (("left", self.left), ("right", self.right), ("sheave", self.inertia))
      )
      height = GRAVITY * (self.left * motion.x["left"] + self.right * motion.x["right"])
      stored = motion.tension["rope"][:, 0] ** 2 / (2 * self.stiffness)
      energy = moving + height + stored
      return float(energy[-1] - energy[0] + lost(motion))

    return (
      Fact("largest sheave speed", "rad/s", spin(sim), spin(ref), 8.6475),
      Fact("energy lost to friction", "J", lost(sim), lost(ref), 2.354e-5),
      Fact("energy not accounted for", "J", residual(sim), residual(ref), 3.01e-6),
      Fact("slip, 95th percentile", "m/s", slip(sim), slip(ref), 1.36e-3),
      Fact("largest tension step", "N", step(sim), step(ref), 0.05763),
    )


# ---- the list ------------------------------------------------------------------------------------

WHEEL = WheelAndAxle(
  name="wheel and axle",
  title="wheel and axle 3 : 1",
  stiffness=8000.0,
  transition=0.0,
  duration=1.0,
)
FREE = FreePulley(
  name="free pulley",
  title="free pulley, friction 0.12",
  left=0.18,
  right=0.24,
  mass=0.08,
  inertia=1e-4,
  falls=0.165,
  tension=2.25,
  floor=False,
  friction=0.12,
  damping=0.0,
  transition=0.0,
  duration=0.34,
  timestep=2e-4,
  integrator="rk4",
)
EYELET0 = EyeletTurn(
  name="eyelet 0",
  title="eyelet, no friction",
  stiffness=50.0,
  damping=0.6,
  integrator="rk4",
  published=(1.17627, 1.17627, 0.016472),
)
EYELET45 = replace(
  EYELET0,
  name="eyelet 45",
  title="eyelet, friction 0.45",
  friction=0.45,
  published=(2.39305, 1.18023, -0.007863),
)

CASES = (WHEEL, FREE, EYELET0, EYELET45)
