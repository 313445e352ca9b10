"""Conversion: what became of every tendon of a model, as data and as text."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import mujoco
import numpy as np

from mujocable.study.convert.exact_xml import exact_xml

SAME = 1e-8  # larger differences of length [m] and moment arm [m/rad, relative to 1] are counted


def _none() -> np.ndarray:
  return np.zeros(0)


@dataclass(frozen=True)
class Converted:
  """A tendon that became cables: one, one per branch of its pulleys, or a rope for its limit.

  `bends` is the turn of the path in every pose, the largest of its branches; NaN without a path.
  """

  tendon: str  # its name
  cables: tuple[str, ...]  # their names
  route: str  # in words
  actuators: tuple[str, ...]  # that pull on the tendon
  length_error: float  # largest over the poses [m]
  arm_error: float  # largest over the poses [m/rad or m/m]
  differing: int  # poses in which either exceeds SAME
  worst: int = 0  # index of the pose in which the lengths differ most
  reasons: dict[str, int] = field(default_factory=dict)  # why they differ -> in how many poses
  no_path: tuple[str, ...] = ()  # poses in which the cable has none, and no force
  notes: tuple[str, ...] = ()  # where it is not the same physics
  ropes: tuple[str, ...] = ()  # those of its cables that stand for its limit
  pushes: tuple[str, ...] = ()  # what can push, which the cable does not
  bends: np.ndarray = field(default_factory=_none, compare=False, repr=False)  # [rad] by pose

  @property
  def changed(self) -> bool:
    """Whether it moves otherwise even without friction, in some pose."""
    return bool(self.differing or self.no_path or self.ropes or self.pushes)

  def loss(self, friction: float) -> np.ndarray:
    """Share of the tension that friction takes from one end to the other, in every pose."""
    return -np.expm1(-friction * self.bends)


@dataclass(frozen=True)
class Kept:
  """A tendon that stays as it is, and why."""

  tendon: str  # its name
  reason: str  # why it cannot be a cable
  kind: str = "engine"  # of reason: one of KINDS


KINDS = {
  "no path": "no valid path in too many poses",
  "differs": "its cable would run elsewhere (paths='ours' converts it)",
  "push": "can push (push='native')",
  "plugin": "driven by a plugin whose force is not known in time",
  "damping": "an actuator has damping of its own",
  "yields": "its spring yields",
  "no route": "fewer than two sites",
  "cable": "is a cable's already",
  "engine": "refused by the engine",
}


@dataclass(frozen=True)
class Conversion:
  """The model with cables, and what was done; prints as a report."""

  spec: mujoco.MjSpec  # the model with cables
  converted: tuple[Converted, ...]  # tendons that became cables
  kept: tuple[Kept, ...]  # tendons that stay as they are
  poses: int  # at which both were compared
  friction: float  # of every contact
  renamed: tuple[str, ...] = field(default=())  # elements that had no name
  pose_names: tuple[str, ...] = ()  # home, keyframes, random ones
  own: dict[str, float] = field(
    default_factory=dict
  )  # cables that were there: their largest friction
  places: np.ndarray = field(default_factory=_none, repr=False, compare=False)  # qpos of each pose
  native: mujoco.MjModel | None = field(default=None, repr=False, compare=False)  # as it was

  def notes(self) -> dict[str, list[str]]:
    """What is not the same physics: note -> the tendons that it is about."""
    found: dict[str, list[str]] = {}
    for one in self.converted:
      for note in one.notes:
        found.setdefault(note, []).append(one.tendon)
    return found

  def refusals(self) -> dict[str, list[str]]:
    """Kind of reason, one of KINDS -> the tendons that stay native for it."""
    found: dict[str, list[str]] = {}
    for one in self.kept:
      found.setdefault(one.kind, []).append(one.tendon)
    return found

  def reasons(self) -> dict[str, int]:
    """Why cables and tendons differ -> in how many poses, over all tendons."""
    found: dict[str, int] = {}
    for one in self.converted:
      for reason, count in one.reasons.items():
        found[reason] = found.get(reason, 0) + count
    return found

  def left_alone(self) -> str:
    """What the friction that was asked for does not reach, in words; empty where it is all."""
    if not self.own:
      return ""
    low, high = min(self.own.values()), max(self.own.values())
    spread = f"{low:g}" if low == high else f"{low:g} to {high:g}"
    one = len(self.own) == 1
    who = "1 cable of its own keeps its" if one else f"{len(self.own)} cables of its own keep their"
    asked = f"; {self.friction:g} is for what becomes a cable here" if self.friction else ""
    return f"{who} friction ({spread}{asked})"

  def to_xml(self) -> str:
    """The model as MJCF with every digit: read back, it is the same to the bit."""
    return exact_xml(self.spec)

  def report(self, path: str | Path) -> None:
    """Writes the page for the browser: pictures, reasons, friction losses, what a step costs."""
    from mujocable.study.convert.page import write_page  # brings the pictures along

    write_page(self, Path(path))

  def to_dict(self) -> dict:
    """Plain data, for JSON."""
    return {
      "friction": self.friction,
      "poses": self.poses,
      "converted": [
        {
          "tendon": one.tendon,
          "cables": list(one.cables),
          "ropes": list(one.ropes),
          "route": one.route,
          "actuators": list(one.actuators),
          "length_error_m": one.length_error,
          "moment_arm_error": one.arm_error,
          "differing_poses": one.differing,
          "reasons": dict(one.reasons),
          "poses_without_path": list(one.no_path),
          "bend_rad": [None if np.isnan(x) else float(x) for x in one.bends],
          "notes": list(one.notes),
        }
        for one in self.converted
      ],
      "kept_native": [
        {"tendon": one.tendon, "reason": one.reason, "kind": one.kind} for one in self.kept
      ],
      "pose_names": list(self.pose_names),
      "own_cables": dict(self.own),
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
        f"over {self.poses} poses: length within {length:.2g} m, moment arm within"
        f" {arm:.2g} m/rad; {differing} of {total} differ by more than {SAME:g}"
      )
    lines += [f"  {', '.join(tendons)}: {note}" for note, tendons in self.notes().items()]
    lines += [f"  {one.tendon} stays native: {one.reason}" for one in self.kept]
    lines += [f"  {self.left_alone()}"] if self.own else []
    return "\n".join(lines)


def few(names: Sequence[str]) -> str:
  """The first names of a list, and how many more there are."""
  return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
