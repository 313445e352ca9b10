"""Convert: MuJoCo's own spatial tendons become cables that carry the same pull.

    conversion = mujocable.convert(spec, friction=0.1)
    print(conversion)                 # what was converted, what was kept and why
    model = conversion.spec.compile()

The tendon stays in the model: its length, its actuators, limits, spring, damper, armature and
sensors are MuJoCo's, unchanged. What it pulls with acts along a cable of the same route instead
(TendonDrive). Without friction that is the same physics, as long as nothing pushes.
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import mujoco
import numpy as np

from mujocable.errors import BadValue, CableError, UnknownName, listing, suggestion
from mujocable.runtime.view import SolveStatus, bind
from mujocable.spec.cable import Cable
from mujocable.spec.carrier import HIDDEN_GROUP
from mujocable.spec.read import read_cables
from mujocable.spec.resolve import instances
from mujocable.spec.route import Anchor, Eyelet, Wrap
from mujocable.spec.takeup import TendonDrive
from mujocable.spec.write import add_cable, remove_cable
from mujocable.study import routes
from mujocable.study.poses import random_pose
from mujocable.study.push import pushers
from mujocable.study.survey import Survey

SAME = 1e-8  # larger differences of length [m] and moment arm [m/rad, relative to 1] are counted


@dataclass(frozen=True)
class Converted:
  """A tendon that became cables: one, or one per branch of its pulleys."""

  tendon: str  # its name
  cables: tuple[str, ...]  # their names
  route: str  # in words
  actuators: tuple[str, ...]  # that pull on the tendon
  length_error: float  # largest over the poses [m]
  arm_error: float  # largest over the poses [m/rad or m/m]
  differing: int  # poses in which either exceeds SAME
  notes: tuple[str, ...] = ()  # where it is not the same physics


@dataclass(frozen=True)
class Kept:
  """A tendon that stays as it is, and why."""

  tendon: str  # its name
  reason: str  # why it cannot be a cable


@dataclass(frozen=True)
class Conversion:
  """The model with cables, and what was done; prints as a report."""

  spec: mujoco.MjSpec  # the model with cables
  converted: tuple[Converted, ...]  # tendons that became cables
  kept: tuple[Kept, ...]  # tendons that stay as they are
  poses: int  # at which both were compared
  friction: float  # of every contact
  renamed: tuple[str, ...] = field(default=())  # elements that had no name

  def notes(self) -> dict[str, list[str]]:
    """What is not the same physics: note -> the tendons that it is about."""
    found: dict[str, list[str]] = {}
    for one in self.converted:
      for note in one.notes:
        found.setdefault(note, []).append(one.tendon)
    return found

  def to_dict(self) -> dict:
    """Plain data, for JSON."""
    return {
      "friction": self.friction,
      "poses": self.poses,
      "converted": [
        {
          "tendon": one.tendon,
          "cables": list(one.cables),
          "route": one.route,
          "actuators": list(one.actuators),
          "length_error_m": one.length_error,
          "moment_arm_error": one.arm_error,
          "differing_poses": one.differing,
          "notes": list(one.notes),
        }
        for one in self.converted
      ],
      "kept_native": [{"tendon": one.tendon, "reason": one.reason} for one in self.kept],
      "named": list(self.renamed),
    }

  def __str__(self) -> str:
    lines = [f"{len(self.converted)} tendons became cables, {len(self.kept)} stay native"]
    if self.converted:
      length = max(one.length_error for one in self.converted)
      arm = max(one.arm_error for one in self.converted)
      differing = sum(one.differing for one in self.converted)
      total = self.poses * len(self.converted)
      lines.append(
        f"over {self.poses} random poses: length within {length:.2g} m, moment arm within"
        f" {arm:.2g} m/rad; {differing} of {total} differ by more than {SAME:g}"
      )
    lines += [f"  {', '.join(tendons)}: {note}" for note, tendons in self.notes().items()]
    lines += [f"  {one.tendon} stays native: {one.reason}" for one in self.kept]
    return "\n".join(lines)


def convert(
  spec: mujoco.MjSpec,
  *,
  friction: float = 0.0,
  only: Sequence[str] | None = None,
  source: str = "first",
  push: str = "slack",
  poses: int = 64,
  seed: int = 0,
  progress: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> Conversion:
  """A copy of a model in which spatial tendons are cables.

  `friction` is the Capstan coefficient of every contact; `only` names the tendons (default: all).
  `source` says which end the tension comes from: the "first" site of each tendon, or the "last".
  A cable cannot push: with push="slack" a tendon that can is converted, goes slack instead, and is
  named; with push="native" it stays native. Both are compared over `poses` random poses.
  """
  if not isinstance(spec, mujoco.MjSpec):
    raise BadValue(f"convert(spec): spec must be a mujoco.MjSpec, got {type(spec).__name__}")
  for name, value, accepted in (
    ("source", source, ("first", "last")),
    ("push", push, ("slack", "native")),
  ):
    if value not in accepted:
      raise BadValue(
        f"convert: {name} must be one of {', '.join(map(repr, accepted))}, got {value!r}"
      )
  if not (math.isfinite(friction) and friction >= 0):
    raise BadValue(f"convert: friction must be finite and >= 0, got {friction!r}")
  if poses < 1:
    raise BadValue(f"convert: poses must be at least 1, got {poses!r}")
  spec.compile()  # a copy would silently lose what refers to nothing
  spec = spec.copy()
  renamed = _name_everything(spec)
  plain = spec.compile()
  chosen = _chosen(plain, only)
  survey = Survey(plain, chosen, poses, seed)
  kept: dict[int, str] = {}
  made: dict[int, list[Cable]] = {}
  for tendon in chosen:
    reason = _refusal(spec, plain, tendon) or survey.refusal(tendon)
    notes = pushers(plain, tendon, survey.lengths[tendon])
    if not reason and notes and push == "native":
      reason = f"a cable cannot push: {'; '.join(notes)}"
    if reason:
      kept[tendon] = reason
      continue
    try:
      paths = survey.branches(tendon)
      made[tendon] = _cables(spec, plain, tendon, paths, friction, source)
      for cable in made[tendon]:
        add_cable(spec, cable)
    except CableError as error:
      kept[tendon] = _drop(spec, made.pop(tendon, []), str(error))
  model = _compile(spec, plain, made, kept)
  judged = _compare(model, plain, made, poses, seed, progress)
  for tendon, one in judged.items():
    if one.invalid:
      count = f"{one.invalid} of {poses} random poses"
      kept[tendon] = _drop(spec, made.pop(tendon), f"no valid path in {count}")
  for tendon in made:
    native = spec.tendon(plain.tendon(tendon).name)
    native.group = HIDDEN_GROUP  # the cable is drawn instead
  converted = [
    _report(plain, tendon, cables, judged[tendon], pushers(plain, tendon, survey.lengths[tendon]))
    for tendon, cables in made.items()
  ]
  stay = [Kept(plain.tendon(t).name, kept[t]) for t in chosen if t in kept]
  return Conversion(spec, tuple(converted), tuple(stay), poses, friction, tuple(renamed))


# ------------------------------------ which, and why not


def _name_everything(spec: mujoco.MjSpec) -> list[str]:
  # a route refers by name
  renamed = []
  for kind, elements in (("site", spec.sites), ("geom", spec.geoms), ("tendon", spec.tendons)):
    taken = {element.name for element in elements}
    for index, element in enumerate(elements):
      if not element.name:
        name = f"{kind}_{index}"
        while name in taken:
          name += "_"
        element.name = name
        taken.add(name)
        renamed.append(f"{kind} {name!r}")
  return renamed


def _chosen(model: mujoco.MjModel, only: Sequence[str] | None) -> list[int]:
  spatial = [t for t in range(model.ntendon) if routes.is_spatial(model, t)]
  if only is None:
    return spatial
  names = {model.tendon(t).name: t for t in spatial}
  chosen = []
  for name in only:
    if name not in names:
      fixed = any(model.tendon(t).name == name for t in range(model.ntendon))
      what = "is a fixed tendon, without a path" if fixed else "is not a tendon of this model"
      raise UnknownName(
        f"tendon {name!r} {what}; {listing('spatial tendons', names)}{suggestion(name, names)}"
      )
    chosen.append(names[name])
  return chosen


def _refusal(spec: mujoco.MjSpec, model: mujoco.MjModel, tendon: int) -> str:
  # what can be said before any pose
  name = model.tendon(tendon).name
  cables = instances(spec)
  drives = {
    cable.take_up.tendon: cable.name
    for cable in (read_cables(spec).values() if cables else ())
    if isinstance(cable.take_up, TendonDrive)
  }
  if name in drives:
    return f"cable '{drives[name]}' already carries its pull"
  for actuator in routes.actuators(model, tendon):
    who = model.actuator(actuator).name or f"#{actuator}"
    plugin = int(model.actuator_plugin[actuator])
    if plugin >= 0:
      instance = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_PLUGIN, plugin) or ""
      if instance in cables:
        return f"it is the carrier of cable '{instance}'"
      return f"actuator '{who}' is a plugin, its force is not known in time"
    if model.actuator_damping[actuator] or np.any(model.actuator_dampingpoly[actuator]):
      return f"actuator '{who}' has damping of its own"
  if int(model.tendon_plasticadr[tendon]) >= 0:
    return "its spring yields (springyield)"
  for number, branch in enumerate(routes.branches(model, tendon)):
    if sum(not stop.is_geom for stop in branch.stops) < 2:
      return f"branch {number} has fewer than two sites"
  return ""


# ------------------------------------ cables


def _cables(spec, model, tendon: int, paths, friction: float, source: str) -> list[Cable]:
  name = model.tendon(tendon).name
  taken = set(instances(spec))
  for elements in (spec.sensors, spec.tuples, spec.plugins):
    taken |= {element.name for element in elements}
  cables = []
  for number, branch in enumerate(paths):
    stops = branch.stops if source == "first" else tuple(reversed(branch.stops))
    route = []
    for i, stop in enumerate(stops):
      if stop.is_geom:
        side = model.site(stop.side).name if stop.side >= 0 else None
        # a native tendon knows no end of a cylinder
        endless = model.geom_type[stop.id] == mujoco.mjtGeom.mjGEOM_CYLINDER
        route.append(Wrap(model.geom(stop.id).name, side=side, endless=bool(endless)))
      else:
        end = i in (0, len(stops) - 1)
        route.append((Anchor if end else Eyelet)(model.site(stop.id).name))
    cable = name if number == 0 else f"{name}:branch_{number}"
    while cable in taken:
      cable += ":cable"
    drive = TendonDrive(name, share=1 / branch.divisor)
    cables.append(Cable(cable, route, friction=friction, take_up=drive))
  return cables


def _drop(spec: mujoco.MjSpec, cables: Sequence[Cable], reason: str) -> str:
  known = instances(spec)
  for cable in cables:
    if cable.name in known:
      remove_cable(spec, cable.name)
  return reason


def _compile(spec, plain, made: dict[int, list[Cable]], kept: dict[int, str]) -> mujoco.MjModel:
  # the engine has the last word: a cable that it refuses is taken out, with its message
  while True:
    try:
      return spec.compile()
    except ValueError as error:
      owner = {cable.name: t for t, cables in made.items() for cable in cables}
      blamed = re.search(r"cable '(.+?)': ([^\n]+)", str(error))
      if not blamed or blamed[1] not in owner:
        raise
      tendon = owner[blamed[1]]
      kept[tendon] = _drop(spec, made.pop(tendon), blamed[2])


@dataclass
class _Difference:
  length: float = 0.0  # largest [m]
  arm: float = 0.0  # largest [m/rad or m/m]
  differing: int = 0  # poses
  invalid: int = 0  # poses without a path


def _compare(model, plain, made: dict[int, list[Cable]], poses: int, seed: int, progress):
  # cables against the tendons beside them, by tendon
  rng = np.random.default_rng(seed)
  data = mujoco.MjData(model)
  views = bind(model, data)
  found = {tendon: _Difference() for tendon in made}
  ids = {tendon: model.tendon(plain.tendon(tendon).name).id for tendon in made}
  for _ in progress(range(poses)):
    mujoco.mj_resetData(model, data)
    data.qpos[:] = random_pose(model, rng)
    mujoco.mj_forward(model, data)
    for tendon, cables in made.items():
      one = found[tendon]
      parts = [(_share(cable), views[cable.name]) for cable in cables]
      if any(view.status != SolveStatus.valid for _, view in parts):
        one.invalid += 1
        continue
      length = abs(sum(s * view.length for s, view in parts) - data.ten_length[ids[tendon]])
      row = sum(s * view.jacobian for s, view in parts)
      arm = float(np.abs(row - routes.jacobian(model, data, ids[tendon])).max(initial=0.0))
      one.differing += length > SAME or arm > SAME
      one.length, one.arm = max(one.length, length), max(one.arm, arm)
  return found


def _share(cable: Cable) -> float:
  return cable.take_up.share if isinstance(cable.take_up, TendonDrive) else 1.0


def _report(model, tendon: int, cables: Sequence[Cable], off: _Difference, pushes) -> Converted:
  notes = [f"a cable cannot push and goes slack where {what}" for what in pushes]
  if model.tendon_limited[tendon] or model.tendon_frictionloss[tendon]:
    notes.append("its limits and frictionloss stay native, without the cable's friction")
  if off.differing:
    notes.append(
      f"differs in {off.differing} random poses, by up to {off.length:.2g} m: a cable remembers"
      " its side, the tendon jumps"
    )
  return Converted(
    tendon=model.tendon(tendon).name,
    cables=tuple(cable.name for cable in cables),
    route="; ".join(_describe(cable) for cable in cables),
    actuators=tuple(model.actuator(a).name or f"#{a}" for a in routes.actuators(model, tendon)),
    length_error=float(off.length),
    arm_error=float(off.arm),
    differing=int(off.differing),
    notes=tuple(notes),
  )


def _describe(cable: Cable) -> str:
  words = [e.geom if isinstance(e, Wrap) else e.site for e in cable.route]
  share = _share(cable)
  return " > ".join(words) + ("" if share == 1 else f" (share {share:g})")
