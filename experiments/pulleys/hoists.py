"""Hoists people ask for: block and tackle, capstan, differential hoist."""

from dataclasses import dataclass

import mujoco
import numpy as np
from scipy.integrate import solve_ivp

import mujocable as mjc
from experiments.pulleys import scene
from experiments.pulleys.case import (
  MM,
  QUARTER,
  Case,
  Entry,
  Fact,
  Signal,
  coordinate,
  rate,
  tension,
)
from experiments.pulleys.ramp import Smoothstep
from experiments.pulleys.theory import GRAVITY, Fall, Line, Machine, Motion, Turn, stretch_at

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
      axial=mjc.Axial(
        stiffness=self.stiffness,
        damping=self.damping,
        transition=self.transition,
        pretension=self.load * GRAVITY / 4,
      ),
      friction=mjc.Sliding(
        self.friction,
        slip_speed=self.slip_speed,
      ),
      integration="explicit",  # the force of the instant, as the closed forms have it
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
      friction=mjc.Sliding(
        self.friction,
        slip_speed=self.slip_speed,
      ),
      integration="explicit",  # the force of the instant, as the closed forms have it
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
      axial=mjc.Axial(
        stiffness=self.stiffness,
        damping=self.damping,
        transition=self.transition,
        home_length=self._length(),
        pretension=self.mass * GRAVITY / 2,
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

CASES = (TACKLE, CAPSTAN, WESTON)
