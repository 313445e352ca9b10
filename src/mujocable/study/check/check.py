"""Check: what is wrong with the cables and tendons of a model, over the range of its joints.

    result = mujocable.check(spec)
    print(result)

Moves every joint through its range and the whole model to random poses, and looks at every cable
and every native tendon: sides that flip, bodies that are pierced, wraps that lift, slack, paths
that do not exist, steps too large, and what friction would take.
"""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import partial

import mujoco
import numpy as np

from mujocable.errors import BadValue
from mujocable.runtime.parameters import hush
from mujocable.study import poses
from mujocable.study.check.watched import Watched, watched
from mujocable.study.convert import convert
from mujocable.study.poses import feasible_poses, follow

ERROR, WARNING, NOTE = "error", "warning", "note"
_SEVERITIES = (ERROR, WARNING, NOTE)
_MARGIN = 2.0  # a step within this factor of the limit is warned about
_LARGE_LOSS = 0.5  # of the tension
_TROUBLES = {  # by status of the path
  "invalid": (ERROR, "a number is not finite, and no force"),
  "kept": (ERROR, "no taut path, only the best that was found"),
  "let_go": (WARNING, "an end lies inside a wrap, which gives way or takes no part"),
  "slipped": (WARNING, "slips off to another path"),
  "derailed": (ERROR, "out of a groove, or off the end of a cylinder"),
}


@dataclass(frozen=True)
class Finding:
  """One thing to know."""

  severity: str  # error, warning or note
  kind: str  # flip, pierced, slack, step, lifted, friction, native, or the status of a path
  member: str  # the cable or tendon
  text: str  # what is wrong, and where


@dataclass(frozen=True)
class Summary:
  """One cable or native tendon over all poses."""

  name: str  # of the cable or tendon
  kind: str  # "cable" or "tendon"
  route: str  # in words
  length: tuple[float, float]  # least and most [m]
  bend: tuple[float, float]  # least and most [rad]; NaN where unknown
  friction: float  # the coefficient that the loss is for; the cable's own, or the one asked about
  loss: float  # largest part of the tension that friction takes
  slack: float  # most [m]
  wraps: dict[str, float]  # how often each touches, 0 to 1
  largest_step: float  # stable time step [s]


@dataclass(frozen=True)
class Check:
  """All members and findings; prints as a report."""

  members: tuple[Summary, ...]  # every cable and tendon
  findings: tuple[Finding, ...]  # what is wrong
  poses: int  # that were looked at

  def of(self, severity: str) -> list[Finding]:
    """The findings of one severity."""
    return [finding for finding in self.findings if finding.severity == severity]

  @property
  def ok(self) -> bool:
    """Whether there is no error."""
    return not self.of(ERROR)

  def to_dict(self) -> dict:
    """Plain data, for JSON; what is unknown or unlimited is None."""
    rows = [asdict(member) for member in self.members]
    for row in rows:
      row["bend"] = [None if np.isnan(x) else x for x in row["bend"]]
      for key in ("loss", "largest_step"):
        row[key] = row[key] if np.isfinite(row[key]) else None
    findings = [asdict(finding) for finding in self.findings]
    return {"ok": self.ok, "poses": self.poses, "members": rows, "findings": findings}

  def __str__(self) -> str:
    lines = [f"{len(self.members)} cables and tendons, {self.poses} poses"]
    lines += [f"  {f.severity}: {f.member}: {f.text}" for f in self.findings]
    return "\n".join(lines if self.findings else [*lines, "  nothing found"])


def check(
  spec: mujoco.MjSpec,
  *,
  friction: float = 0.1,
  goals: int = 16,
  steps: int = 24,
  visual: bool = False,
  seed: int = 0,
  progress: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> Check:
  """Checks the cables and native spatial tendons of a model.

  `friction` is the coefficient asked about where there is none (native tendons); `goals` random
  poses are walked to, `steps` per walk; `visual`: geoms that collide with nothing are obstacles
  too.
  """
  if not isinstance(spec, mujoco.MjSpec):
    raise BadValue(f"check(spec): spec must be a mujoco.MjSpec, got {type(spec).__name__}")
  for name, value, least in (("goals", goals, 0), ("steps", steps, 2)):
    if value < least:
      raise BadValue(f"check: {name} must be at least {least}, got {value!r}")
  if not (np.isfinite(friction) and friction >= 0):
    raise BadValue(f"check: friction must be finite and >= 0, got {friction!r}")
  conversion = convert(spec, poses=max(goals, 1), seed=seed, limits="native", paths="ours")
  model = conversion.spec.compile()
  places = [pose.qpos for pose in feasible_poses(model, goals, seed) if pose.random]
  off = mujoco.mjtDisableBit
  model.opt.disableflags |= int(off.mjDSBL_CONTACT) | int(off.mjDSBL_CONSTRAINT)
  data = mujoco.MjData(model)
  seen = watched(conversion, model, data, friction, visual)
  count = _walk(model, data, seen, places, steps, progress)
  findings = [f for one in seen for f in _findings(model, one)]
  findings.sort(key=lambda f: _SEVERITIES.index(f.severity))
  return Check(tuple(_summary(m) for m in seen), tuple(findings), count)


def _walk(model, data, seen: list[Watched], goals: list, steps: int, progress):
  # through every joint, then to the goals, coupled joints in step; returns the number of poses
  joints = [j for j in poses.scalar_joints(model) if any(m.moved_by(j) for m in seen)]
  walks = [partial(poses.joint_walk, model, joint, steps) for joint in joints]
  walks += [partial(poses.straight_walk, model, goal, steps) for goal in goals]
  # a cable that its command would hold taut leaves no groove by slack
  loose = tuple(place for one in seen for place in one.loose_places())
  count = 0
  for index in progress(range(len(walks))):
    mujoco.mj_resetData(model, data)
    hush(model, data)
    poses.advance(model, data, model.qpos0, loose)
    for one in seen:
      one.begin()
    for qpos in walks[index]():
      follow(model, data, qpos)
      poses.advance(model, data, qpos, loose)
      count += 1
      for one in seen:
        one.look(_where(model, qpos))
    # straight to the same place, without a memory of the way
    qpos = data.qpos.copy()
    mujoco.mj_resetData(model, data)
    data.qpos[:] = qpos
    mujoco.mj_forward(model, data)
    for one in seen:
      one.look_cold(_where(model, qpos))
  return count


def _where(model: mujoco.MjModel, qpos: np.ndarray) -> str:
  # the joints that are not at home, the furthest first
  moved = []
  for joint in poses.scalar_joints(model):
    away = float(qpos[model.jnt_qposadr[joint]] - model.qpos0[model.jnt_qposadr[joint]])
    if away:
      moved.append((abs(away), f"{model.joint(joint).name or f'#{joint}'} = {away:+.3g}"))
  moved.sort(reverse=True)
  more = f" and {len(moved) - 3} more" if len(moved) > 3 else ""
  return (", ".join(text for _, text in moved[:3]) + more) or "home"


def _findings(model: mujoco.MjModel, one: Watched) -> Iterable[Finding]:
  def say(severity: str, kind: str, text: str) -> Finding:
    return Finding(severity, kind, one.name, text)

  if one.kept:
    yield say(NOTE, "native", f"no cable can be its like: {one.kept}")
  if one.flips:
    size, where = max(one.flips)
    what = (
      f"its length jumps by {1e3 * size:.3g} mm near {where}: a wrap changes sides"
      if one.tendon is not None
      else f"started at {where} it takes another side than moved there, {1e3 * size:.3g} mm apart;"
      " start from home, or give its wraps a side that fits both"
    )
    yield say(WARNING if one.tendon is None else ERROR, "flip", what)
  for geom, (depth, where) in one.pierced.items():
    name = model.geom(geom).name or f"#{geom} of body '{model.body(model.geom_bodyid[geom]).name}'"
    yield say(ERROR, "pierced", f"runs {1e3 * depth:.3g} mm through geom {name!r} at {where}")
  for status, trouble in sorted(one.troubles.items()):
    severity, text = _TROUBLES[status]
    at = f" at {', '.join(map(repr, trouble.elements))}" if trouble.elements else ""
    text += f"{at} in {trouble.count} poses, first at {trouble.first}"
    times = f"; left {one.derailments} times" if status == "derailed" else ""
    yield say(severity, status, text + times)
  if one.slack > 0:
    share = one.loose / max(1, one.looks)
    able = one.take_up_reach
    cure = f"; its command can take up {1e3 * able:.3g} mm" if able > 0 else ""
    enough = able > 0 and able >= one.slack
    text = f"slack of up to {1e3 * one.slack:.3g} mm in {share:.0%} of the poses{cure}"
    yield say(NOTE if enough else WARNING, "slack", f"{text} (most at {one.slack_where})")
  limit = one.largest_step()
  step = float(model.opt.timestep)
  if step > limit:
    yield say(
      ERROR,
      "step",
      f"unstable: the time step {step:.3g} s is above {limit:.3g} s"
      " (stiffness, damping and the mass it moves)",
    )
  elif _MARGIN * step > limit:
    yield say(WARNING, "step", f"the time step {step:.3g} s is near the limit of {limit:.3g} s")
  for wrap, touched in one.wraps().items():
    if touched == 0:
      yield say(WARNING, "lifted", f"never touches wrap {wrap!r}")
    elif touched < 1:
      yield say(NOTE, "lifted", f"lifts from wrap {wrap!r} in {1 - touched:.0%} of the poses")
  if one.loss > _LARGE_LOSS:
    text = f"friction {one.friction:g} takes up to {one.loss:.0%} of the tension"
    yield say(WARNING, "friction", f"{text} (bends by up to {np.rad2deg(one.bend[1]):.0f} deg)")


def _summary(one: Watched) -> Summary:
  return Summary(
    name=one.name,
    kind="cable" if one.tendon is None else "tendon",
    route=one.route,
    length=one.length,
    bend=one.bend,
    friction=one.friction,
    loss=one.loss,
    slack=one.slack,
    wraps=one.wraps(),
    largest_step=one.largest_step(),
  )
