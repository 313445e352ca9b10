"""Watched: one cable or native tendon of a model, watched while the model moves."""

import math
from dataclasses import dataclass, field

import mujoco
import numpy as np

from mujocable.runtime.parameters import parameter_slice
from mujocable.runtime.view import CableView, SolveStatus, bind
from mujocable.spec.cable import Cable
from mujocable.spec.read import read_cables
from mujocable.spec.route import Element, Eyelet, Ring, Sheath, Wrap, contact_count, target
from mujocable.spec.takeup import LengthCommand, SpoolAngle, SpoolJoint, SpoolRate, TendonDrive
from mujocable.study import routes
from mujocable.study.check import step_limit
from mujocable.study.check.jumps import Jumps
from mujocable.study.check.pierce import Piece, pierced
from mujocable.study.check.sheaves import turns_free
from mujocable.study.convert import Conversion

_ROUNDING = 1e-9  # slack below this share of the length is none
_APART = 1e-6  # lengths that differ by more are not the same path [m]


def _contacts(cable: Cable) -> list[Element]:
  # the element of every contact; the exit of a sheath is a guide
  found: list[Element] = []
  for element in cable.route:
    if isinstance(element, Sheath):
      found += [element, Eyelet(element.exit_site)]
    else:
      found += [element] * contact_count(element)
  return found


@dataclass
class Trouble:
  """Poses in which a path had a status other than valid."""

  first: str  # such pose
  count: int = 0
  elements: list[str] = field(default_factory=list)  # that it is about, each once


class Watched:
  """What was seen of one cable or tendon."""

  def __init__(self, model, data, name: str, route: str, friction: float, visual: bool):
    self._model, self._data = model, data
    self._visual = visual
    self.name, self.route, self.friction = name, route, friction
    self.tendon: int | None = None
    self.kept = ""  # why a native tendon cannot be a cable
    self.paths: list[tuple[Cable, CableView]] = []
    self.looks = self.loose = 0
    self.slack, self.slack_where = 0.0, ""
    self.flips: list[tuple[float, str]] = []
    self.pierced: dict[int, tuple[float, str]] = {}
    self.troubles: dict[str, Trouble] = {}  # by status
    self.derailments = 0  # on all ways together
    self._derailed: dict[int, tuple[int, np.ndarray]] = {}  # on this one, and what it touched
    self.loss = 0.0
    self._touched: dict[str, int] = {}
    self._wheels: dict[str, np.ndarray] = {}  # by cable
    self._lengths: list[float] = []
    self._bends: list[float] = []
    self._lightest: tuple[float, step_limit.Moved] | None = None  # mobility [1/kg], and of what
    self._limit: float | None = None
    self._jumps = Jumps(model, self._state)

  # ------------------------------------ what it is

  def moved_by(self, joint: int) -> bool:
    """Whether a joint moves anything that the path touches."""
    model = self._model
    for body in self._bodies():
      while body > 0:
        if body == model.jnt_bodyid[joint]:
          return True
        body = int(model.body_parentid[body])
    return False

  def _bodies(self) -> set[int]:
    model = self._model
    if self.tendon is not None:
      stops = [s for b in routes.branches(model, self.tendon) for s in b.stops]
      return {int((model.geom_bodyid if s.is_geom else model.site_bodyid)[s.id]) for s in stops}
    stops = [e for cable, _ in self.paths for e in (*cable.route, *_contacts(cable))]
    return {self._body(element) for element in stops}

  def _body(self, element) -> int:
    model = self._model
    if isinstance(element, Wrap):
      return int(model.geom_bodyid[model.geom(element.geom).id])
    return int(model.site_bodyid[model.site(target(element)).id])

  @property
  def _own_law(self) -> CableView | None:
    # the view of a cable that stretches by its own law
    if self.tendon is not None or not self.paths:
      return None
    cable, view = self.paths[0]
    return view if cable.axial.stiffness or cable.axial.EA else None

  @property
  def _implicit(self) -> bool:
    # a cable whose tension is solved with the step wherever it is stiff
    cable, _ = self.paths[0]
    rk4 = int(mujoco.mjtIntegrator.mjINT_RK4)
    return cable.integration == "auto" and int(self._model.opt.integrator) != rk4

  @property
  def take_up_reach(self) -> float:
    """Cable that the largest command takes in [m]; 0: it has none."""
    if self.tendon is not None or not self.paths:
      return 0.0
    take_up = self.paths[0][0].take_up
    if isinstance(take_up, SpoolJoint | SpoolRate):
      return math.inf
    if not isinstance(take_up, LengthCommand | SpoolAngle):
      return 0.0
    if take_up.range is None:
      return math.inf
    return max(0.0, take_up.range[1] * (take_up.radius if isinstance(take_up, SpoolAngle) else 1))

  def loose_places(self) -> list[slice]:
    """Where plugin_state holds the slack of cables that a command takes up."""
    commanded = self.tendon is not None or self.take_up_reach > 0
    names = [cable.name for cable, _ in self.paths if commanded]
    return [parameter_slice(self._model, name, "slack") for name in names]

  # ------------------------------------ looking

  def begin(self) -> None:
    """A new walk starts here."""
    self._jumps.begin()
    self._derailed = {}

  def look(self, where: str) -> None:
    """Notes the present pose, reached from the last one."""
    data = self._data
    self.looks += 1
    length, row = self._state(data)
    self._lengths.append(length)
    if self.tendon is not None and (jump := self._jumps.look(data.qpos, length, row)):
      self.flips.append((jump, where))
    if any(self._gains()):
      what = step_limit.moved(self._model, data, row)
      mobility = what.mobility(float(self._model.opt.timestep)) if what.row.size else 0.0
      if self._lightest is None or mobility > self._lightest[0]:
        self._lightest = mobility, what
    self._look_along(where)
    view = self._own_law
    if view is not None and view.slack > _ROUNDING * view.length:
      self.loose += 1
      if view.slack > self.slack:
        self.slack, self.slack_where = view.slack, where

  def look_cold(self, where: str) -> None:
    """Notes the present pose, reached without a memory of the way."""
    length, _ = self._state(self._data)
    if self.tendon is None and self._lengths and self._is_valid():
      apart = abs(length - self._lengths[-1])
      if apart > _APART:
        self.flips.append((apart, where))
    for piece, route in self._pieces():
      for geom, depth in pierced(self._model, self._data, piece, route, self._visual):
        if depth > self.pierced.get(geom, (0.0, ""))[0]:
          self.pierced[geom] = (depth, where)

  def _state(self, data: mujoco.MjData) -> tuple[float, np.ndarray]:
    if self.tendon is not None:
      row = routes.jacobian(self._model, data, self.tendon)
      return float(data.ten_length[self.tendon]), row
    return (
      float(sum(view.length for _, view in self.paths)),
      np.sum([view.jacobian for _, view in self.paths], axis=0),
    )

  def _is_valid(self) -> bool:
    return all(view.status == SolveStatus.VALID for _, view in self.paths)

  def _look_along(self, where: str) -> None:
    # bend, loss and touching, along the cables; along the corners of a tendon that has none
    if not self.paths:
      if self.tendon is not None:
        self._bends.append(routes.turn(self._data, self.tendon))
        self.loss = max(self.loss, -math.expm1(-self.friction * self._bends[-1]))
      return
    self._look_for_troubles(where)
    if any(view.status == SolveStatus.INVALID for _, view in self.paths):
      return
    bends, losses = [], []
    for cable, view in self.paths:
      touching, angle = view.touching, np.where(view.touching, view.wrap_angle, 0.0)
      own = self.tendon is None
      friction = view.friction if own else np.full(angle.size, self.friction)
      bends.append(float(angle.sum()))
      losses.append(-math.expm1(-float(friction @ np.where(self._turns_free(cable), 0.0, angle))))
      for element, touches in zip(_contacts(cable), touching, strict=True):
        if isinstance(element, Wrap | Ring):
          name = target(element)
          self._touched[name] = self._touched.get(name, 0) + int(touches)
    self._bends.append(max(bends))
    self.loss = max(self.loss, *losses)

  def _turns_free(self, cable: Cable) -> np.ndarray:
    # of every contact, whether it is on a wheel that turns with the cable
    if cable.name not in self._wheels:
      model = self._model
      self._wheels[cable.name] = np.array(
        [
          isinstance(e, Wrap) and turns_free(model, model.geom(e.geom).id) for e in _contacts(cable)
        ],
        bool,
      )
    return self._wheels[cable.name]

  def _look_for_troubles(self, where: str) -> None:
    seen = set()

    def note(status: SolveStatus, names: list[str]) -> None:
      trouble = self.troubles.setdefault(str(status), Trouble(where))
      trouble.count += status not in seen
      seen.add(status)
      trouble.elements += [name for name in names if name not in trouble.elements]

    for k, (cable, view) in enumerate(self.paths):
      status, contact, touching = view.status, view.status_contact, view.touching
      if status != SolveStatus.VALID:
        note(status, [] if contact is None else [target(_contacts(cable)[contact])])
      # it may have left a wheel and be clear of it already
      derailments, touched = self._derailed.get(k, (0, touching))
      if view.derailments > derailments:
        self.derailments += view.derailments - derailments
        left = np.flatnonzero(touched & ~touching)
        note(SolveStatus.DERAILED, [target(_contacts(cable)[i]) for i in left])
      self._derailed[k] = view.derailments, touching

  def _pieces(self) -> list[tuple[Piece, frozenset[int]]]:
    # the straight pieces of the present path, and the geoms of its route
    model, data = self._model, self._data
    found: list[tuple[Piece, frozenset[int]]] = []
    for cable, view in self.paths:
      if view.status == SolveStatus.INVALID:
        continue
      geoms = [model.geom(e.geom).id for e in cable.route if isinstance(e, Wrap)]
      stops = [(data.site(target(cable.route[0])).xpos,) * 2]
      bodies = [self._body(cable.route[0])]
      housed = [False]  # whether the piece that follows is inside a sheath
      for i, element in enumerate(_contacts(cable)):
        if view.touching[i]:
          stops.append((view.entry[i], view.exit[i]))
          bodies.append(self._body(element))
          housed.append(isinstance(element, Sheath))
      stops.append((data.site(target(cable.route[-1])).xpos,) * 2)
      bodies.append(self._body(cable.route[-1]))
      for k in range(len(stops) - 1):
        if housed[k]:
          continue
        ends = frozenset(int(model.body_weldid[b]) for b in bodies[k : k + 2])
        found.append(((stops[k][1], stops[k + 1][0], ends), frozenset(geoms)))
    return found

  # ------------------------------------ results

  @property
  def length(self) -> tuple[float, float]:
    """Least and most [m]."""
    return min(self._lengths, default=math.nan), max(self._lengths, default=math.nan)

  @property
  def bend(self) -> tuple[float, float]:
    """Least and most turning along the path [rad]."""
    return min(self._bends, default=math.nan), max(self._bends, default=math.nan)

  def wraps(self) -> dict[str, float]:
    """How often the path touched each wrap, 0 to 1."""
    return {name: count / max(1, self.looks) for name, count in self._touched.items()}

  def largest_step(self) -> float:
    """Largest stable time step where it moves the least mass [s]."""
    if self._limit is None:
      self._limit = math.inf
      if self._lightest is not None:
        integrator = int(self._model.opt.integrator)
        self._limit = step_limit.largest_step(integrator, self._lightest[1], *self._gains())
    return self._limit

  def _gains(self) -> tuple[float, float]:
    # stiffness [N/m] and damping [N s/m] that act as forces of the present state
    if self.tendon is None:
      view = self._own_law
      if view is None or self._implicit:
        return 0.0, 0.0
      return view.stiffness, view.damping
    integrator = int(self._model.opt.integrator)
    if mujoco.mjtIntegrator(integrator).name == "mjINT_DISCRETE":  # of MuJoCo 3.13 and newer
      return 0.0, 0.0  # springs and servos are part of the solver there
    stiffness, damping = routes.gains(self._model, self.tendon)
    explicit = (int(mujoco.mjtIntegrator.mjINT_EULER), int(mujoco.mjtIntegrator.mjINT_RK4))
    return stiffness, damping if integrator in explicit else 0.0


def watched(conversion: Conversion, model, data, friction: float, visual: bool) -> list[Watched]:
  """Every cable of a converted model and every tendon that it was converted from, or kept."""
  views, cables = bind(model, data), read_cables(conversion.spec)
  of_tendons = {name for one in conversion.converted for name in one.cables}
  found: list[Watched] = []
  for name, cable in cables.items():
    if name not in of_tendons:
      route = " > ".join(target(element) for element in cable.route)
      found.append(Watched(model, data, name, route, cable.coefficient, visual))
      found[-1].paths = [(cable, views[name])]
  for one in conversion.converted:
    found.append(Watched(model, data, one.tendon, one.route, friction, visual))
    found[-1].tendon = model.tendon(one.tendon).id
    found[-1].paths = [(cables[name], views[name]) for name in one.cables]
  carried = {c.take_up.tendon for c in cables.values() if isinstance(c.take_up, TendonDrive)}
  for one in conversion.kept:
    if one.tendon in carried or one.tendon in cables:
      continue  # the hidden side of a cable
    tendon = model.tendon(one.tendon).id
    stops = [s for branch in routes.branches(model, tendon) for s in branch.stops]
    names = [(model.geom(s.id) if s.is_geom else model.site(s.id)).name for s in stops]
    found.append(Watched(model, data, one.tendon, " > ".join(names), friction, visual))
    found[-1].tendon, found[-1].kept = tendon, one.reason
  return found
