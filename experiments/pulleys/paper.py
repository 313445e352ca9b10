"""The seven systems of the paper: FP0, FP15, FS0, FS15, WS, MP, AT.

The paper printed errors, not models: sizes, ramps, masses and bearings here are inferred or chosen
so that every printed number that depends on them is met (README.md says which is which).
"""

from dataclasses import dataclass, replace

import mujoco
import numpy as np
from scipy.integrate import solve_ivp

import mujocable as mjc
from experiments.pulleys import scene
from experiments.pulleys.atwood import AT
from experiments.pulleys.case import (
  MM,
  QUARTER,
  ROUNDING,
  Case,
  Entry,
  Signal,
  coordinate,
  rate,
  tension,
)
from experiments.pulleys.ramp import Smoothstep
from experiments.pulleys.theory import GRAVITY, Fall, Line, Machine, Motion, Turn, stretch_at

# ---- one rig for FP0, FP15, FS0, FS15 and WS ----------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Hoist(Case):
  """A source at rim height, a sheave, a payload that hangs straight down from its rim."""

  radius: float = 0.05  # of the sheave [m]
  payload: float = 0.2  # [kg]
  run_in: float = 0.22  # level fall, source to sheave [m]
  drop: float = 0.2  # vertical fall at the start [m]
  stroke: float = 0.025  # taken in [m]
  ramp: float = 1.2  # [s]
  free: bool = False  # the sheave turns
  inertia: float = 1e-4  # of the sheave: a disc of 80 g [kg m^2]
  bearing: float = 0.0  # its damping [N m s/rad]
  spool: float = 0.0  # radius of the winch; 0: the length is commanded [m]
  joint: str = "slide"  # of the payload

  def _taken_in(self) -> Smoothstep:
    return Smoothstep(self.stroke, self.ramp)

  def command(self, t):
    return {"hoist": self._taken_in().value(t) / (self.spool or 1.0)}

  def spec(self) -> mujoco.MjSpec:
    spec = scene.world(self.timestep, self.integrator)
    world, height = spec.worldbody, 0.0
    if self.free:
      scene.sheave(world, "sheave", (0, 0, height), self.radius, 0.08, self.inertia, self.bearing)
    else:
      scene.rim(world, "sheave", self.radius, (0, 0, height))
    scene.site(world, "motor", (-self.run_in, 0, height + self.radius))
    scene.site(world, "side", (self.radius, 0, height + self.radius))
    hook = 0.034 if self.joint == "free" else 0.0
    place = (self.radius, 0, height - self.drop - hook)
    scene.weight(world, "payload", place, self.payload, hook, self.joint)
    span = (-0.1, self.stroke + 0.1)
    cable = mjc.Cable(
      name="hoist",
      route=[mjc.Anchor("motor"), mjc.Wrap("sheave", side="side"), mjc.Anchor("payload_hook")],
      axial=mjc.Axial(
        stiffness=self.stiffness,
        damping=self.damping,
        transition=self.transition,
        pretension=self.payload * GRAVITY,
      ),
      friction=mjc.Sliding(
        self.friction,
        slip_speed=self.slip_speed,
      ),
      integration="explicit",  # the force of the instant, as the closed forms have it
      take_up=mjc.SpoolAngle(self.spool, (-10.0, 10.0)) if self.spool else mjc.LengthCommand(span),
    )
    mjc.add_cable(spec, cable)
    return spec

  def machine(self) -> Machine:
    weight = self.payload * GRAVITY
    line = Line(
      falls=[Fall(self.run_in), Fall(self.drop, {"payload": -1.0})],
      turns=[Turn(QUARTER, self.radius, self.friction, {"sheave": self.radius})],
      stiffness=self.stiffness,
      damping=self.damping,
      transition=self.transition,
      stretch=stretch_at(weight, self.stiffness, self.transition),
      slip_speed=self.slip_speed,
      take_up=self._taken_in(),
    )
    inertia = {"payload": self.payload} | ({"sheave": self.inertia} if self.free else {})

    def force(t, x, v):
      return (-weight, -self.bearing * v[1]) if self.free else (-weight,)

    return Machine(inertia, {"hoist": line}, force, [self.ramp], stiff=self.slip_speed < 0.01)

  def textbook(self, times):
    ramp = self._taken_in()
    lift = np.array([ramp.value(t) for t in times])
    speed = np.array([ramp.rate(t) for t in times])
    load = np.array([self.payload * (GRAVITY + ramp.acceleration(t)) for t in times])
    x, v, slip = {"payload": lift}, {"payload": speed}, -speed
    a = {}
    if self.spool:  # no slip: the rim goes with the cable
      spin = np.array([ramp.acceleration(t) for t in times]) / self.radius
      x["sheave"], v["sheave"], slip = -lift / self.radius, -speed / self.radius, 0 * speed
      source = load + (self.inertia * spin + self.bearing * speed / self.radius) / self.radius
    else:
      if self.free:
        x["sheave"], v["sheave"] = self._textbook_spin(times)
        slip = -speed - self.radius * v["sheave"]
      source = load * np.exp(-self.friction * QUARTER * np.tanh(slip / self.slip_speed))
      if self.free:
        torque = self.radius * (load - source) - self.bearing * v["sheave"]
        a["sheave"] = torque / self.inertia
    pair = np.stack([source, load], axis=1)
    return Motion(times, x, v, {"hoist": pair}, {"hoist": slip[:, None]}, a)

  def stiff_limit(self, times):
    return replace(self, spool=0.0).textbook(times)

  def _textbook_spin(self, times):
    # I dw/dt = R T_load (1 - exp[...]) - b w, driven by the ramp alone
    ramp, radius = self._taken_in(), self.radius

    def rhs(t, y):
      load = self.payload * (GRAVITY + ramp.acceleration(t))
      slip = -ramp.rate(t) - radius * y[1]
      ratio = np.exp(-self.friction * QUARTER * np.tanh(slip / self.slip_speed))
      return [y[1], (radius * load * (1 - ratio) - self.bearing * y[1]) / self.inertia]

    y, rows, begin = [0.0, 0.0], [], times[0]
    for end in (self.ramp, times[-1]):
      inside = times[(times >= begin) & ((times < end) | (end == times[-1]))]
      run = solve_ivp(
        rhs, (begin, end), y, "DOP853", np.unique([*inside, end]), rtol=1e-10, atol=1e-13
      )
      rows.append(run.y[:, : inside.size])
      begin, y = end, run.y[:, -1]
    return np.concatenate(rows, axis=1)

  # ---- what is shown

  def _lift(self) -> Signal:
    return coordinate("payload travel", "payload", "m", MM)

  def _ratio(self) -> Signal:
    pair = "T source / T load"
    return Signal(pair, "", lambda m: m.tension["hoist"][:, 0] / m.tension["hoist"][:, 1])

  def _torque(self) -> Signal:
    # what the sheave feels: its inertia times acceleration, and its bearing
    def torque(motion):
      return -self.inertia * motion.a["sheave"] - self.bearing * motion.v["sheave"]

    return Signal("torque on the sheave", "N m", torque, (1e3, "mN m"))

  def _balance(self) -> Signal:
    # R (T_s - T_l) less that torque, in one and the same step: zero in both worlds
    def residual(motion):
      pair = motion.tension["hoist"]
      return self.radius * (pair[:, 0] - pair[:, 1]) - self._torque().of(motion)

    return Signal("balance of the sheave", "N m", residual)

  def _spin(self) -> Signal:
    return rate("sheave speed", "sheave", "rad/s", sign=-1.0)

  def _rim(self) -> Signal:
    return Signal("rim travel", "m", lambda m: -self.radius * m.x["sheave"], MM)

  def signals(self):
    source = tension("source tension", "hoist", 0)
    if self.spool:
      return self._lift(), self._rim(), source
    if self.free:
      return self._spin(), self._torque()
    return (self._lift(), source, self._ratio()) if self.friction else (self._lift(), source)

  def entries(self):
    source, load = tension("source tension", "hoist", 0), tension("load tension", "hoist", 1)
    if self.spool:
      return (
        Entry("final_lift_error_m", "final", self._lift(), -1.06e-4),
        Entry("lift_rmse_m", "rmse", self._lift(), 9.15e-5),
        Entry("rim_travel_rmse_m", "rmse", self._rim(), 4.7e-7),
        Entry("tension_rmse_N", "rmse", source),
      )
    if self.free and self.friction:
      return (
        Entry("peak_speed_error_rad_s", "peak", self._spin(), -2.60e-4),
        Entry("torque_rmse_Nm", "rmse", self._torque(), 4.09e-5),
        Entry("speed_rmse_rad_s", "rmse", self._spin()),
        Entry("torque_balance_rmse_Nm", "rmse", self._balance(), target=ROUNDING),
      )
    if self.free:
      # a numerical zero in the paper as well (3.74e-15 rad/s, 4.51e-17 N m): zero is the target
      return (
        Entry("peak_speed_rad_s", "peak", self._spin(), 3.74e-15, target=ROUNDING),
        Entry("torque_rmse_Nm", "rmse", self._torque(), 4.51e-17, target=ROUNDING),
      )
    if self.friction:
      return (
        Entry("ratio_error", "peak", self._ratio(), -6.10e-3),
        Entry("tension_rmse_N", "rmse", source, 0.0165),
        Entry("load_tension_rmse_N", "rmse", load),
        Entry("travel_rmse_m", "rmse", self._lift()),
      )
    return (
      Entry("travel_rmse_m", "rmse", self._lift(), 1.61e-4),
      Entry("tension_rmse_N", "rmse", source, 7.60e-3),
    )


# ---- MP ------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class MovingPulley(Case):
  """Two falls carry a pulley; a separate tether carries the payload below it."""

  radius: float = 0.03  # [m]
  pulley: float = 0.05  # [kg]
  payload: float = 0.2  # [kg]
  falls: float = 0.3  # length of each at the start [m]
  tether: float = 0.15  # length at the start [m]
  tether_stiffness: float = 20000.0  # [N/m]
  tether_damping: float = 20.0  # [N s/m]
  stroke: float = 0.02  # [m]
  ramp: float = 1.5  # [s]

  def _taken_in(self) -> Smoothstep:
    return Smoothstep(self.stroke, self.ramp)

  def _inertia(self) -> float:
    return self.pulley * self.radius**2 / 2

  def command(self, t):
    return {"hoist": self._taken_in().value(t)}

  def spec(self):
    spec = scene.world(self.timestep, self.integrator)
    world, height = spec.worldbody, 0.3
    top = height + self.falls
    scene.site(world, "source", (self.radius, 0, top))
    scene.site(world, "fixed", (-self.radius, 0, top))
    scene.site(world, "below", (0, 0, height - 2 * self.radius))
    wheel = scene.body(world, "pulley", (0, 0, height), self.pulley, self._inertia())
    wheel.add_joint(name="pulley", type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0, 0, 1])
    scene.hinge(wheel, "axle")
    scene.rim(wheel, "pulley", self.radius)
    scene.site(wheel, "axle", (0, 0, 0))
    scene.weight(world, "payload", (0, 0, height - self.tether), self.payload)
    both = (self.pulley + self.payload) * GRAVITY
    hoist = mjc.Cable(
      name="hoist",
      route=[mjc.Anchor("source"), mjc.Wrap("pulley", side="below"), mjc.Anchor("fixed")],
      axial=mjc.Axial(
        stiffness=self.stiffness,
        damping=self.damping,
        transition=self.transition,
        pretension=both / 2,
      ),
      friction=mjc.Sliding(
        self.friction,
        slip_speed=self.slip_speed,
      ),
      integration="explicit",  # the force of the instant, as the closed forms have it
      take_up=mjc.LengthCommand((-0.1, 0.1)),
    )
    tether = mjc.Cable(
      name="tether",
      route=[mjc.Anchor("axle"), mjc.Anchor("payload_hook")],
      axial=mjc.Axial(
        stiffness=self.tether_stiffness,
        damping=self.tether_damping,
        transition=self.transition,
        pretension=self.payload * GRAVITY,
      ),
      integration="explicit",  # the force of the instant, as the closed forms have it
    )
    mjc.add_cable(spec, hoist)
    mjc.add_cable(spec, tether)
    return spec

  def machine(self):
    wheel, load = self.pulley * GRAVITY, self.payload * GRAVITY
    a = self.transition
    hoist = Line(
      falls=[Fall(self.falls, {"pulley": -1.0}), Fall(self.falls, {"pulley": -1.0})],
      turns=[Turn(np.pi, self.radius, self.friction, {"axle": self.radius})],
      stiffness=self.stiffness,
      damping=self.damping,
      transition=a,
      stretch=stretch_at((wheel + load) / 2, self.stiffness, a),
      slip_speed=self.slip_speed,
      take_up=self._taken_in(),
    )
    tether = Line(
      falls=[Fall(self.tether, {"pulley": 1.0, "payload": -1.0})],
      turns=[],
      stiffness=self.tether_stiffness,
      damping=self.tether_damping,
      transition=a,
      stretch=stretch_at(load, self.tether_stiffness, a),
    )
    inertia = {"pulley": self.pulley, "axle": self._inertia(), "payload": self.payload}
    weights = (-wheel, 0.0, -load)
    lines = {"hoist": hoist, "tether": tether}
    return Machine(inertia, lines, lambda t, x, v: weights, [self.ramp])

  def textbook(self, times):
    ramp = self._taken_in()
    lift, speed, push = (
      np.array([of(t) / 2 for t in times]) for of in (ramp.value, ramp.rate, ramp.acceleration)
    )
    # the cable runs over the pulley to its source by c / 2: that is how far the rim turns
    turned, spin = (-lift / self.radius, -speed / self.radius) if self.friction else (0 * lift,) * 2
    one = (self.pulley + self.payload) * (GRAVITY + push) / 2
    grip = self._inertia() * push / self.radius**2 if self.friction else 0 * one
    return Motion(
      times,
      {"pulley": lift, "axle": turned, "payload": lift},
      {"pulley": speed, "axle": spin, "payload": speed},
      {
        "hoist": np.stack([one + grip / 2, one - grip / 2], axis=1),
        "tether": (self.payload * (GRAVITY + push))[:, None],
      },
    )

  def signals(self):
    return coordinate("payload lift", "payload", "m", MM), tension("source tension", "hoist", 0)

  def entries(self):
    lift, source = self.signals()
    return (
      Entry("final_lift_error_m", "final", lift, 1.85e-4),
      Entry("lift_rmse_m", "rmse", lift, 4.35e-4),
      Entry("tension_rmse_N", "rmse", source),
    )


# ---- the seven -----------------------------------------------------------------------------------

FP0 = Hoist(name="FP0", title="fixed pulley, no friction")
FP15 = replace(FP0, name="FP15", title="fixed pulley, friction 0.15", friction=0.15)
FS0 = replace(FP0, name="FS0", title="free sheave, no friction", free=True, bearing=1.92e-3)
FS15 = replace(FS0, name="FS15", title="free sheave, friction 0.15", friction=0.15)
WS = replace(
  FS0,
  name="WS",
  title="winch of 25 mm and sheave of 50 mm",
  bearing=0.0,
  friction=0.5,
  slip_speed=1e-3,
  spool=0.025,
  timestep=2.5e-5,
)
MP = MovingPulley(
  name="MP", title="moving pulley and tethered payload", friction=0.15, duration=2.5
)

CASES = (FP0, FP15, FS0, FS15, WS, MP, AT)
