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
from mujocable.study.convert import convert
from mujocable.study.feasible import feasible_poses, follow
from mujocable.study.member import Member, members

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
  all_members = members(conversion, model, data, friction, visual)
  count = _walk(model, data, all_members, places, steps, progress)
  findings = [f for member in all_members for f in _findings(model, member)]
  findings.sort(key=lambda f: _SEVERITIES.index(f.severity))
  return Check(tuple(_summary(m) for m in all_members), tuple(findings), count)


def _walk(model, data, all_members: list[Member], goals: list, steps: int, progress):
  # through every joint, then to the goals, coupled joints in step; returns the number of poses
  joints = [j for j in poses.scalar_joints(model) if any(m.moved_by(j) for m in all_members)]
  walks = [partial(poses.joint_walk, model, joint, steps) for joint in joints]
  walks += [partial(poses.straight_walk, model, goal, steps) for goal in goals]
  # a cable that its command would hold taut leaves no groove by slack
  loose = tuple(place for member in all_members for place in member.loose_places())
  count = 0
  for index in progress(range(len(walks))):
    mujoco.mj_resetData(model, data)
    hush(model, data)
    poses.advance(model, data, model.qpos0, loose)
    for member in all_members:
      member.begin()
    for qpos in walks[index]():
      follow(model, data, qpos)
      poses.advance(model, data, qpos, loose)
      count += 1
      for member in all_members:
        member.look(_where(model, qpos))
    # straight to the same place, without a memory of the way
    qpos = data.qpos.copy()
    mujoco.mj_resetData(model, data)
    data.qpos[:] = qpos
    mujoco.mj_forward(model, data)
    for member in all_members:
      member.look_cold(_where(model, qpos))
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


def _findings(model: mujoco.MjModel, member: Member) -> Iterable[Finding]:
  def say(severity: str, kind: str, text: str) -> Finding:
    return Finding(severity, kind, member.name, text)

  if member.kept:
    yield say(NOTE, "native", f"no cable can be its like: {member.kept}")
  if member.flips:
    size, where = max(member.flips)
    what = (
      f"its length jumps by {1e3 * size:.3g} mm near {where}: a wrap changes sides"
      if member.tendon is not None
      else f"started at {where} it takes another side than moved there, {1e3 * size:.3g} mm apart;"
      " start from home, or give its wraps a side that fits both"
    )
    yield say(WARNING if member.tendon is None else ERROR, "flip", what)
  for geom, (depth, where) in member.pierced.items():
    name = model.geom(geom).name or f"#{geom} of body '{model.body(model.geom_bodyid[geom]).name}'"
    yield say(ERROR, "pierced", f"runs {1e3 * depth:.3g} mm through geom {name!r} at {where}")
  for status, trouble in sorted(member.troubles.items()):
    severity, text = _TROUBLES[status]
    at = f" at {', '.join(map(repr, trouble.elements))}" if trouble.elements else ""
    text += f"{at} in {trouble.count} poses, first at {trouble.first}"
    times = f"; left {member.derailments} times" if status == "derailed" else ""
    yield say(severity, status, text + times)
  if member.slack > 0:
    share = member.loose / max(1, member.looks)
    able = member.take_up_reach
    cure = f"; its command can take up {1e3 * able:.3g} mm" if able > 0 else ""
    enough = able > 0 and able >= member.slack
    text = f"slack of up to {1e3 * member.slack:.3g} mm in {share:.0%} of the poses{cure}"
    yield say(NOTE if enough else WARNING, "slack", f"{text} (most at {member.slack_where})")
  limit = member.largest_step()
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
  for wrap, touched in member.wraps().items():
    if touched == 0:
      yield say(WARNING, "lifted", f"never touches wrap {wrap!r}")
    elif touched < 1:
      yield say(NOTE, "lifted", f"lifts from wrap {wrap!r} in {1 - touched:.0%} of the poses")
  if member.loss > _LARGE_LOSS:
    text = f"friction {member.friction:g} takes up to {member.loss:.0%} of the tension"
    yield say(WARNING, "friction", f"{text} (bends by up to {np.rad2deg(member.bend[1]):.0f} deg)")


def _summary(member: Member) -> Summary:
  return Summary(
    name=member.name,
    kind="cable" if member.tendon is None else "tendon",
    route=member.route,
    length=member.length,
    bend=member.bend,
    friction=member.friction,
    loss=member.loss,
    slack=member.slack,
    wraps=member.wraps(),
    largest_step=member.largest_step(),
  )
