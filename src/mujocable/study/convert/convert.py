"""Convert: MuJoCo's own spatial tendons become cables that carry the same pull.

    conversion = mujocable.convert(spec, friction=0.1)
    print(conversion)                 # what was converted, what was kept and why
    model = conversion.spec.compile()

The tendon stays in the model: its length, its actuators, spring, damper, armature and sensors are
MuJoCo's, unchanged. What it pulls with acts along a cable of the same route instead (TendonDrive).
Without friction that is the same physics, as long as nothing pushes. A tendon that acts by its
upper limit alone becomes a rope of that length.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, get_args

import mujoco
import numpy as np

from mujocable.errors import BadValue, UnknownName, listing, suggestion
from mujocable.spec.route import target
from mujocable.study import routes
from mujocable.study.convert.compare import Comparison, Path, compare
from mujocable.study.convert.conversion import Conversion, Converted, Kept
from mujocable.study.convert.push import pushers
from mujocable.study.convert.ropes import acts
from mujocable.study.convert.survey import Survey
from mujocable.study.convert.workbench import Made, Work
from mujocable.study.poses import Pose, feasible_poses

# a site this deep inside a wrap at home was put into the wrong body, says the engine [radii]
_DEEP = 0.1

Source = Literal["first", "last"]
Push = Literal["slack", "native"]
Paths = Literal["ours", "native"]
Limits = Literal["auto", "ropes", "native"]
_CHOICES = {"source": Source, "push": Push, "paths": Paths, "limits": Limits}


def convert(
  spec: mujoco.MjSpec,
  *,
  friction: float = 0.0,
  only: Sequence[str] | None = None,
  source: Source = "first",
  push: Push = "slack",
  paths: Paths = "native",
  limits: Limits = "auto",
  rope_stiffness: float | None = None,
  share: float = 0.1,
  poses: int = 64,
  seed: int = 0,
  progress: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> Conversion:
  """A copy of a model in which spatial tendons are cables.

  `friction` is the Capstan coefficient of every contact; `only` names the tendons (default: all).
  `source` says which end the tension comes from: the "first" site of each tendon, or the "last".
  A cable cannot push: with push="slack" a tendon that can is converted, goes slack instead, and is
  named; with push="native" it stays native.

  Both are compared at home, in every keyframe and in `poses` random poses that limits and
  equalities allow; a free body that tendons tie to others moves a little in these. A tendon stays
  native where its cable has no path at home, in a keyframe or in more than `share` of the random
  poses, or runs elsewhere than the tendon in more than `share` of all; paths="ours" converts the
  latter too, and says why they part. limits="auto" makes a rope of an upper limit where nothing
  else acts on the tendon, "ropes" of every one, "native" of none; `rope_stiffness` [N/m] replaces
  the limit's own.
  """
  given = {"source": source, "push": push, "paths": paths, "limits": limits}
  _check_options(spec, given, friction, rope_stiffness, share, poses)
  measured = spec.compile()  # a copy would silently lose what refers to nothing
  spec = spec.copy()
  _keep_length_ranges(spec, measured)
  renamed = _name_tendons(spec)
  plain = spec.compile()
  work = Work(spec, plain, friction, source, limits, rope_stiffness)
  chosen = _chosen(plain, only)
  places = feasible_poses(plain, poses, seed, routes.free_reach(plain, chosen))
  survey = Survey(plain, chosen, places)
  for tendon in chosen:
    pushes = pushers(plain, tendon, survey.lengths[tendon])
    kind, reason = _refusal(work, survey, tendon)
    if not reason and pushes and push == "native":
      kind, reason = "push", f"a cable cannot push: {'; '.join(pushes)}"
    if reason:
      work.kept[tendon] = Kept(work.names[tendon], reason, kind)
    else:
      work.add(tendon, survey.branches(tendon))
  model = work.compile()
  judged = compare(model, work.names, work.paths(), places, survey, progress)
  for tendon, seen in judged.items():
    reason, kind = _verdict(seen, places, share, paths)
    if reason:
      work.drop(tendon, reason, kind)
  work.hide()
  converted = [
    _report(plain, made, judged[t], pushers(plain, t, survey.lengths[t]), places)
    for t, made in work.made.items()
  ]
  stay = [work.kept[t] for t in chosen if t in work.kept]
  return Conversion(
    spec,
    tuple(converted),
    tuple(stay),
    len(places),
    friction,
    tuple(renamed),
    tuple(pose.name for pose in places),
    work.own,
    np.array([pose.qpos for pose in places]),
    plain,
  )


def _check_options(spec, choices: dict[str, str], friction, rope_stiffness, share, poses) -> None:
  if not isinstance(spec, mujoco.MjSpec):
    raise BadValue(f"convert(spec): spec must be a mujoco.MjSpec, got {type(spec).__name__}")
  for name, value in choices.items():
    accepted = get_args(_CHOICES[name])
    if value not in accepted:
      words = ", ".join(map(repr, accepted))
      raise BadValue(f"convert: {name} must be one of {words}, got {value!r}")
  if not (math.isfinite(friction) and friction >= 0):
    raise BadValue(f"convert: friction must be finite and >= 0, got {friction!r}")
  if rope_stiffness is not None and not (math.isfinite(rope_stiffness) and rope_stiffness > 0):
    raise BadValue(f"convert: rope_stiffness must be finite and > 0, got {rope_stiffness!r}")
  if not 0 <= share <= 1:
    raise BadValue(f"convert: share must be from 0 to 1, got {share!r}")
  if poses < 1:
    raise BadValue(f"convert: poses must be at least 1, got {poses!r}")


# ------------------------------------ which, and why not


def _name_tendons(spec: mujoco.MjSpec) -> list[str]:
  # a cable refers to its tendon by name; what a tendon refers to has one
  renamed = []
  taken = {tendon.name for tendon in spec.tendons}
  for index, tendon in enumerate(spec.tendons):
    if not tendon.name:
      name = f"tendon_{index}"
      while name in taken:
        name += "_"
      tendon.name = name
      taken.add(name)
      renamed.append(f"tendon {name!r}")
  return renamed


def _keep_length_ranges(spec: mujoco.MjSpec, model: mujoco.MjModel) -> None:
  # the compiler finds those of muscles by simulation: once is enough, and without cables
  for index, actuator in enumerate(spec.actuators):
    low, high = model.actuator_lengthrange[model.actuator_outadr[index]]
    if low < high:
      actuator.lengthrange = [low, high]


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


def _refusal(work: Work, survey: Survey, tendon: int) -> tuple[str, str]:
  # kind and reason of what can be said before a cable is made
  model, name = work.plain, work.names[tendon]
  if name in work.drives:
    return "cable", f"cable '{work.drives[name]}' already carries its pull"
  for actuator in routes.actuators(model, tendon):
    who = model.actuator(actuator).name or f"#{actuator}"
    plugin = int(model.actuator_plugin[actuator])
    if plugin >= 0:
      instance = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_PLUGIN, plugin) or ""
      for cable in (instance, who):
        if cable in work.own:
          return "cable", f"it is the carrier of cable '{cable}'"
      return "plugin", f"actuator '{who}' is a plugin, its force is not known in time"
    if model.actuator_damping[actuator] or np.any(model.actuator_dampingpoly[actuator]):
      return "damping", f"actuator '{who}' has damping of its own"
  if int(model.tendon_plasticadr[tendon]) >= 0:
    return "yields", "its spring yields (springyield)"
  for number, branch in enumerate(survey.branches(tendon)):
    if sum(not stop.is_geom for stop in branch.stops) < 2:
      return "no route", f"branch {number} has fewer than two sites in different places"
  buried = survey.buried(tendon, 0, _DEEP)
  return ("no path", f"{buried} at home") if buried else ("", "")


def _verdict(seen: Comparison, places: Sequence[Pose], share: float, paths: str):
  # reason and kind of what the comparison says against a cable; empty where nothing
  lost = len(seen.no_path)
  named = [places[i].name for i in seen.no_path if not places[i].random]
  random = sum(pose.random for pose in places)
  cause = max(seen.causes, key=lambda c: seen.causes[c]) if seen.causes else ""
  if named or lost > share * max(1, random):
    where = f"in {', '.join(named)}" if named else f"in {lost} of {random} random poses"
    most = f" ({cause} in {seen.causes[cause]} of {lost})" if cause else ""
    return f"no valid path {where}{most}", "no path"
  if paths == "native" and seen.differing > share * len(places):
    why = max(seen.reasons, key=lambda r: seen.reasons[r])
    where = f"runs elsewhere in {seen.differing} of {len(places)} poses"
    return f"{where}: {why} (paths='ours' converts it)", "differs"
  return "", ""


# ------------------------------------ words


def _report(model, made: Made, seen: Comparison, pushes: Sequence[str], places: Sequence[Pose]):
  tendon = made.tendon
  return Converted(
    tendon=model.tendon(tendon).name,
    cables=tuple(cable.name for cable in made.cables),
    route="; ".join(_describe(path) for path in made.paths),
    actuators=tuple(model.actuator(a).name or f"#{a}" for a in routes.actuators(model, tendon)),
    length_error=float(seen.length),
    arm_error=float(seen.arm),
    differing=int(seen.differing),
    worst=seen.worst,
    reasons=dict(sorted(seen.reasons.items(), key=lambda item: -item[1])),
    no_path=tuple(places[i].name for i in seen.no_path),
    notes=tuple(_notes(model, made, seen, pushes, len(places))),
    ropes=(made.rope.cable.name,) if made.rope else (),
    pushes=tuple(pushes),
    bends=seen.bends,
  )


def _notes(model, made: Made, seen: Comparison, pushes: Sequence[str], count: int):
  # where it is not the same physics
  tendon = made.tendon
  alone = not acts(model, tendon)
  limited = bool(model.tendon_limited[tendon])
  yield from (f"a cable cannot push and goes slack where {what}" for what in pushes)
  if made.rope:
    low, high = (float(x) for x in model.tendon_range[tendon])
    stiffness = made.rope.cable.axial.stiffness or 0.0
    yield f"its limit of {high:.4g} m is a rope of {stiffness:.3g} N/m, with friction"
    if low > 0:
      yield f"its lower limit of {low:.4g} m stays native: a rope cannot push"
  elif limited:
    yield "its limits stay native, without the cable's friction (limits='ropes' makes a rope)"
  if model.tendon_frictionloss[tendon]:
    yield "its frictionloss stays native, beside the cable's friction"
  if _in_equality(model, tendon):
    yield "its equality stays native, without the cable's friction"
  if alone and not limited:
    yield "nothing pulls on it (no actuator, spring or limit): as a cable it only measures"
  if seen.no_path:
    yield f"no valid path, and so no force, in {len(seen.no_path)} of {count} poses"
  if seen.differing:
    why = max(seen.reasons, key=lambda r: seen.reasons[r])
    yield (
      f"differs in {seen.differing} of {count} poses, length by up to {seen.length:.2g} m, moment"
      f" arm by up to {seen.arm:.2g} m/rad: {why}"
    )


def _in_equality(model: mujoco.MjModel, tendon: int) -> bool:
  of_tendons = model.eq_type == int(mujoco.mjtEq.mjEQ_TENDON)
  return bool(np.any(of_tendons & ((model.eq_obj1id == tendon) | (model.eq_obj2id == tendon))))


def _describe(path: Path) -> str:
  words = [target(e) for e in path.cable.route]
  return " > ".join(words) + ("" if path.share == 1 else f" (share {path.share:g})")
