"""Public rigs with full parameters, and hoists people ask for."""

from dataclasses import dataclass, replace

import mujoco
import numpy as np
from scipy.integrate import solve_ivp

import mujocable as mjc
from experiments.pulleys import paper, scene
from experiments.pulleys.case import Case, Entry, Fact, Signal, coordinate, rate, tension
from experiments.pulleys.paper import MM, QUARTER, Atwood
from experiments.pulleys.ramp import Smoothstep
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
        stiffness=self.stiffness,
        damping=self.damping,
        transition=self.transition,
        pretension=mass * GRAVITY,
        max_tension=20.0,
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
      stiffness=self.stiffness,
      damping=self.damping,
      pretension_offset=self.taken_in,
      max_tension=5.0,
      friction=self.friction,
      friction_mode="forward",
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
    def lost(motion):  # (14), summed over the run
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


# ---- block and tackle ----------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class BlockAndTackle(Case):
  """Four falls: two sheaves in the fixed block, two in the moving one, side by side."""

  radius: float = 0.02  # of every sheave [m]
  sheave: float = 0.04  # [kg]
  bearing: float = 1e-4  # [N m s/rad]
  load: float = 1.0  # moving block, its sheaves and the payload [kg]
  level: float = 0.15  # hauling part [m]
  falls: float = 0.3  # [m]
  stroke: float = 0.08  # [m]
  ramp: float = 1.5  # [s]

  def _taken_in(self):
    return Smoothstep(self.stroke, self.ramp)

  def _inertia(self):
    return self.sheave * self.radius**2 / 2

  def command(self, t):
    return {"tackle": self._taken_in().value(t)}

  def spec(self):
    spec = scene.world(self.timestep, self.integrator)
    world, r, low = spec.worldbody, self.radius, -self.falls
    # falls at x = r, 3r, 5r, 7r; the middle of the moving block at 4r
    block = scene.body(world, "block", (4 * r, 0, low), self.load - 2 * self.sheave)
    block.add_joint(name="block", type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0, 0, 1])
    route = [mjc.Anchor("haul")]
    for name, parent, x, up in (
      ("top1", world, 0.0, 1),
      ("low1", block, -2 * r, -1),
      ("top2", world, 4 * r, 1),
      ("low2", block, 2 * r, -1),
    ):
      scene.sheave(parent, name, (x, 0, 0), r, self.sheave, self._inertia(), self.bearing)
      scene.site(parent, f"{name}_side", (x, 0, 2 * up * r))
      route.append(mjc.Wrap(name, side=f"{name}_side"))
    scene.site(world, "haul", (-self.level, 0, r))
    scene.site(world, "becket", (7 * r, 0, 0))
    cable = mjc.Cable(
      name="tackle",
      route=[*route, mjc.Anchor("becket")],
      stiffness=self.stiffness,
      damping=self.damping,
      transition=self.transition,
      pretension=self.load * GRAVITY / 4,
      friction=self.friction,
      slip_speed=self.slip_speed,
      take_up=mjc.LengthCommand((-0.2, 0.2)),
    )
    mjc.add_cable(spec, cable)
    return spec

  def machine(self):
    fall = Fall(self.falls, {"block": -1.0})
    turns = [
      Turn(angle, self.radius, self.friction, {name: sign * self.radius})
      for name, angle, sign in (
        ("top1", QUARTER, 1),
        ("low1", np.pi, -1),
        ("top2", np.pi, 1),
        ("low2", np.pi, -1),
      )
    ]
    line = Line(
      falls=[Fall(self.level), fall, fall, fall, fall],
      turns=turns,
      stiffness=self.stiffness,
      damping=self.damping,
      transition=self.transition,
      stretch=stretch_at(self.load * GRAVITY / 4, self.stiffness, self.transition),
      slip_speed=self.slip_speed,
      take_up=self._taken_in(),
    )
    names = ("top1", "low1", "top2", "low2")
    inertia = {"block": self.load} | dict.fromkeys(names, self._inertia())
    weight, b = self.load * GRAVITY, self.bearing

    def force(t, x, v):
      return (-weight, *(-b * speed for speed in v[1:]))

    return Machine(inertia, {"tackle": line}, force, [self.ramp])

  def textbook(self, times):
    # the lift alone; what the bearings take is in the theory
    ramp = self._taken_in()
    lift, speed = (np.array([of(t) / 4 for t in times]) for of in (ramp.value, ramp.rate))
    return Motion(times, {"block": lift}, {"block": speed}, {})

  def signals(self):
    return (
      coordinate("load lift", "block", "m", MM),
      tension("hauling tension", "tackle", 0),
      tension("tension of the last fall", "tackle", 4),
      rate("speed of the first sheave", "top1", "rad/s", sign=-1.0),
    )

  def entries(self):
    lift, haul, last, spin = self.signals()
    return (
      Entry("lift_rmse_m", "rmse", lift),
      Entry("hauling_tension_rmse_N", "rmse", haul),
      Entry("last_fall_tension_rmse_N", "rmse", last),
      Entry("sheave_speed_rmse_rad_s", "rmse", spin),
    )

  def facts(self, sim, ref):
    falls = self.load * GRAVITY / 4
    middle = np.searchsorted(sim.time, self.ramp / 2)
    worn = [motion.tension["tackle"][middle, [0, 4]] for motion in (sim, ref)]
    return (
      Fact("lift / cable taken in", "", sim.x["block"][-1] / self.stroke, 0.25),
      Fact("hauling tension at rest", "N", sim.tension["tackle"][-1, 0], falls),
      Fact("hauling / last fall, half way", "", *(haul / last for haul, last in worn)),
    )


# ---- capstan -------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Capstan(Case):
  """Three turns on a fixed drum: a hand of a few newtons holds a heavy load, eases, and grips.

  The turns are laid on before the start by carrying the hand around the drum: its site sits on a
  crank, coaxial with the drum, that an enormous armature then holds still.
  """

  radius: float = 0.05  # [m]
  mass: float = 20.0  # [kg]
  turns: float = 3.0
  level: float = 0.4  # hand to drum [m]
  drop: float = 0.5  # drum to load [m]
  grip: float = 4.0  # [N]
  ease: float = 1.0  # [N]
  eased: tuple[float, float] = (0.5, 0.8)  # from, to [s]

  def _hand(self, t):
    return self.ease if self.eased[0] <= t + 1e-9 < self.eased[1] else self.grip

  def command(self, t):
    return {"rope": self._hand(t)}

  def start(self):
    # authored with a quarter turn, hand level at the left; carried back to above, then round
    return {"crank": QUARTER - 2 * np.pi * self.turns}

  def spec(self):
    spec = scene.world(self.timestep, self.integrator)
    world = spec.worldbody
    scene.rim(world, "drum", self.radius)
    scene.site(world, "side", (self.radius, 0, self.radius))
    crank = scene.body(world, "crank", (0, 0, 0), 1.0)
    scene.hinge(crank, "crank", armature=1e12)
    scene.site(crank, "hand", (-self.level, 0, self.radius))
    scene.weight(world, "load", (self.radius, 0, -self.drop), self.mass)
    cable = mjc.Cable(
      name="rope",
      route=[mjc.Anchor("hand"), mjc.Wrap("drum", side="side"), mjc.Anchor("load_hook")],
      friction=self.friction,
      slip_speed=self.slip_speed,
      take_up=mjc.TensionCommand((0.0, 100.0)),
    )
    mjc.add_cable(spec, cable)
    return spec

  def machine(self):
    line = Line(
      falls=[Fall(self.level), Fall(self.drop, {"load": -1.0})],
      turns=[Turn(2 * np.pi * self.turns, self.radius, self.friction)],
      slip_speed=self.slip_speed,
      pull=self._hand,
    )
    weight = (-self.mass * GRAVITY,)
    lines = {"rope": line}
    return Machine({"load": self.mass}, lines, lambda t, x, v: weight, self.eased, stiff=True)

  def signals(self):
    return (
      coordinate("load lowered", "load", "m", MM, -1.0),
      rate("lowering speed", "load", "m/s", sign=-1.0),
      tension("load tension", "rope", 1),
    )

  def entries(self):
    lowered, speed, load = self.signals()
    return (
      Entry("lowered_rmse_m", "rmse", lowered),
      Entry("speed_rmse_m_s", "rmse", speed),
      Entry("load_tension_rmse_N", "rmse", load),
    )

  def facts(self, sim, ref):
    turned = self.friction * 2 * np.pi * self.turns
    creep = self.slip_speed * np.arctanh(np.log(self.mass * GRAVITY / self.grip) / turned)
    holding = np.searchsorted(sim.time, self.eased[0]) - 1
    sliding = np.searchsorted(sim.time, self.eased[1]) - 1
    ratio = sim.tension["rope"][sliding, 1] / sim.tension["rope"][sliding, 0]
    return (
      Fact("tension ratio while sliding", "", ratio, np.exp(turned)),
      Fact("creep while held", "m/s", -sim.v["load"][holding], creep),
      Fact("load held by the hand", "N", sim.tension["rope"][holding, 1], self.mass * GRAVITY),
    )


# ---- differential hoist --------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Weston(Case):
  """Two drums of nearly equal size on one axle: one takes in while the other pays out.

  The chain of the original grips pocketed sheaves; here it is wound on drums, which grip as well.
  The small drum starts with its windings on: a hinge of its own, then held still by an enormous
  armature, lays them on before the start. The drums stand side by side, drawn in one plane; a
  fairlead below each, where the cable does not bend, keeps the falls in line.
  """

  large: float = 0.06  # [m]
  small: float = 0.05  # [m]
  wound: float = 6.0  # turns on the small drum at the start, beyond half a turn
  mass: float = 5.0  # moving block and load [kg]
  sheave: float = 0.3  # of that, its sheave [kg]
  lead: float = 0.1  # drums to fairleads [m]
  falls: float = 0.4  # fairleads to the sheave [m]
  handwheel: float = 2e-3  # its inertia and that of the drums [kg m^2]
  drag: float = 0.05  # of the axle [N m s/rad]
  excess: float = 0.25  # torque beyond balance, ramped in [N m]
  ramp: float = 0.5  # [s]

  def _arm(self):
    return (self.large - self.small) / 2

  def _radius(self):
    return (self.large + self.small) / 2

  def _inertia(self):
    return self.sheave * self._radius() ** 2 / 2

  def _torque(self, t):
    return self.mass * GRAVITY * self._arm() + Smoothstep(self.excess, self.ramp).value(t)

  def _length(self):
    turned = np.pi * (self.large + self._radius() + self.small)
    return turned + 2 * (self.lead + self.falls) + 2 * np.pi * self.small * self.wound

  def applied(self, t):
    return {"axle": self._torque(t)}

  def start(self):
    return {"lay": -2 * np.pi * self.wound}

  def spec(self):
    spec = scene.world(self.timestep, self.integrator)
    world = spec.worldbody
    axle = scene.body(world, "axle", (0, 0, 0), 1.0, self.handwheel)
    scene.hinge(axle, "axle", self.drag)
    scene.rim(axle, "large", self.large)
    scene.site(axle, "large_knot", (self.large, 0, 0))
    inner = scene.body(axle, "lay", (0, 0, 0), 0.1, 1e-12)
    scene.hinge(inner, "lay", armature=1e12)
    scene.rim(inner, "small", self.small)
    scene.site(inner, "small_knot", (-self.small, 0, 0))
    scene.site(world, "above", (0, 0, 2 * self.large))
    scene.site(world, "large_lead", (-self.large, 0, -self.lead))
    scene.site(world, "small_lead", (self.small, 0, -self.lead))
    place = ((self.small - self.large) / 2, 0, -self.lead - self.falls)
    block = scene.weight(world, "load", place, self.mass - self.sheave)
    scene.sheave(block, "sheave", (0, 0, 0), self._radius(), self.sheave, self._inertia())
    scene.site(block, "below", (0, 0, -2 * self._radius()))
    route = [
      mjc.Anchor("large_knot"),
      mjc.Wrap("large", side="above"),
      mjc.Eyelet("large_lead"),
      mjc.Wrap("sheave", side="below"),
      mjc.Eyelet("small_lead"),
      mjc.Wrap("small", side="above"),
      mjc.Anchor("small_knot"),
    ]
    cable = mjc.Cable(
      name="chain",
      route=route,
      stiffness=self.stiffness,
      damping=self.damping,
      transition=self.transition,
      home_length=self._length(),
      pretension=self.mass * GRAVITY / 2,
      friction=self.friction,
      slip_speed=self.slip_speed,
    )
    mjc.add_cable(spec, cable)
    return spec

  def machine(self):
    lead, fall = Fall(self.lead), Fall(self.falls, {"load": -1.0})
    line = Line(
      falls=[Fall(0.0), lead, fall, fall, lead, Fall(0.0)],
      turns=[
        Turn(np.pi, self.large, winds={"axle": 1.0}),
        Turn(0.0),
        Turn(np.pi, self._radius(), self.friction, {"sheave": -self._radius()}),
        Turn(0.0),
        Turn(np.pi + 2 * np.pi * self.wound, self.small, winds={"axle": -1.0}),
      ],
      stiffness=self.stiffness,
      damping=self.damping,
      transition=self.transition,
      stretch=stretch_at(self.mass * GRAVITY / 2, self.stiffness, self.transition),
      slip_speed=self.slip_speed,
    )
    inertia = {"axle": self.handwheel, "load": self.mass, "sheave": self._inertia()}

    def force(t, x, v):
      return self._torque(t) - self.drag * v[0], -self.mass * GRAVITY, 0.0

    return Machine(inertia, {"chain": line}, force, [self.ramp])

  def textbook(self, times):
    # no slip: the sheave turns as fast as the axle, the mean of what comes and goes
    moved = self.handwheel + self.mass * self._arm() ** 2 + self._inertia()
    balance = self.mass * GRAVITY * self._arm()

    def rhs(t, y):
      return [y[1], (self._torque(t) - balance - self.drag * y[1]) / moved]

    run = solve_ivp(
      rhs, (0, times[-1]), [0, 0], "DOP853", times, rtol=1e-10, atol=1e-13, max_step=0.05
    )
    turned, speed = run.y
    push = np.array([rhs(t, y)[1] for t, y in zip(times, run.y.T, strict=True)]) * self._arm()
    pull = self.mass * (GRAVITY + push) / 2
    x = {"axle": turned, "load": self._arm() * turned}
    v = {"axle": speed, "load": self._arm() * speed}
    return Motion(times, x, v, {"chain": pull[:, None]})

  def signals(self):
    return (
      coordinate("load lift", "load", "m", MM),
      Signal("axle", "rad", lambda m: m.x["axle"], (1 / (2 * np.pi), "turns")),
      tension("tension of the chain", "chain", 0),
    )

  def entries(self):
    lift, axle, pull = self.signals()
    return (
      Entry("lift_rmse_m", "rmse", lift),
      Entry("axle_angle_rmse_rad", "rmse", axle),
      Entry("tension_rmse_N", "rmse", pull),
      Entry("lift_against_axle_rmse_m", "rmse", self._gap(), target=1e-7),
    )

  def _gap(self):
    # lift less (R - r) / 2 times the angle: what the cable's stretch allows
    return Signal("lift against axle", "m", lambda m: m.x["load"] - self._arm() * m.x["axle"])

  def facts(self, sim, ref):
    ratio = 2 * self.large / (self.large - self.small)
    gained = sim.x["axle"][-1] * self.large / sim.x["load"][-1]
    turned = [motion.x["axle"][-1] / (2 * np.pi) for motion in (sim, ref)]
    return Fact("velocity ratio", "", gained, ratio), Fact("turns of the axle", "", *turned)


# ---- the list ------------------------------------------------------------------------------------

FREE_PAYLOAD = replace(
  paper.FP0, name="FP0 free", title="FP0 with a payload free in all six directions", joint="free"
)
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
TACKLE = BlockAndTackle(
  name="tackle", title="block and tackle of four falls", friction=0.1, timestep=2.5e-4
)
CAPSTAN = Capstan(
  name="capstan",
  title="capstan of three turns",
  friction=0.25,
  slip_speed=2e-3,
  duration=1.5,
  timestep=5e-5,
)
WESTON = Weston(
  name="Weston",
  title="differential hoist (Weston)",
  friction=0.2,
  duration=7.0,
  timestep=2.5e-4,
)

CASES = (FREE_PAYLOAD, WHEEL, FREE, EYELET0, EYELET45, TACKLE, CAPSTAN, WESTON)
