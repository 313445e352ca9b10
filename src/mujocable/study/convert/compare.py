"""Compare: cables against the tendons they came from, over poses, and why where they part."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import mujoco
import numpy as np

from mujocable.runtime.view import CableView, SolveStatus, bind
from mujocable.spec.cable import Cable
from mujocable.spec.takeup import TendonDrive
from mujocable.study import routes
from mujocable.study.convert.conversion import SAME
from mujocable.study.convert.survey import Survey
from mujocable.study.poses import Pose

_LOST = (SolveStatus.KEPT, SolveStatus.INVALID)  # no path that is known to be one
_APART = 1e-6  # contact points further from each other are not the same [m]


@dataclass
class Comparison:
  """One tendon and its cables over all poses."""

  bends: np.ndarray  # [rad] in every pose; NaN without a path
  length: float = 0.0  # largest difference [m]
  arm: float = 0.0  # largest difference [m/rad or m/m]
  differing: int = 0  # poses
  worst: int = 0  # the pose in which the lengths differ most
  reasons: dict[str, int] = field(default_factory=dict)  # why -> poses
  no_path: list[int] = field(default_factory=list)  # poses
  causes: dict[str, int] = field(default_factory=dict)  # of having no path -> poses


@dataclass(frozen=True)
class Path:
  """One branch of a tendon, as a cable."""

  cable: Cable
  branch: routes.Branch  # in the order of the tendon
  reverse: bool  # whether the cable runs the other way
  share: float  # of the tendon's length


def share_of(cable: Cable, branch: routes.Branch) -> float:
  """Part of the tendon's length that a cable stands for."""
  take_up = cable.take_up
  return take_up.share if isinstance(take_up, TendonDrive) else 1 / branch.divisor


def compare(
  model: mujoco.MjModel,
  tendons: dict[int, str],
  paths: dict[int, Sequence[Path]],
  poses: Sequence[Pose],
  survey: Survey,
  progress: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> dict[int, Comparison]:
  """The tendons of `paths`, by the id that `survey` knows; `tendons` has their names."""
  data = mujoco.MjData(model)
  views = bind(model, data)
  found = {t: Comparison(np.full(len(poses), np.nan)) for t in paths}
  ids = {t: model.tendon(tendons[t]).id for t in paths}
  parts = {t: [(path, views[path.cable.name]) for path in many] for t, many in paths.items()}
  for index in progress(range(len(poses))):
    poses[index].take(model, data)
    mujoco.mj_forward(model, data)
    for tendon, pairs in parts.items():
      one = found[tendon]
      if any(view.status in _LOST for _, view in pairs):
        one.no_path.append(index)
        cause = survey.buried(tendon, index)
        if cause:
          one.causes[cause] = one.causes.get(cause, 0) + 1
        continue
      one.bends[index] = max(_bend(view) for _, view in pairs)
      length = abs(sum(p.share * view.length for p, view in pairs) - data.ten_length[ids[tendon]])
      row = sum(p.share * view.jacobian for p, view in pairs)
      arm = float(np.abs(row - routes.jacobian(model, data, ids[tendon])).max(initial=0.0))
      one.worst = index if length > max(one.length, SAME) else one.worst
      one.length, one.arm = max(one.length, length), max(one.arm, arm)
      if length > SAME or arm > SAME:
        one.differing += 1
        for reason in _reasons(model, data, ids[tendon], pairs, survey.buried(tendon, index)):
          one.reasons[reason] = one.reasons.get(reason, 0) + 1
  return found


def _bend(view: CableView) -> float:
  return float(view.wrap_angle[view.touching].sum())


def _reasons(model, data, tendon: int, pairs: Sequence[tuple[Path, CableView]], buried: str):
  # which wraps the two pass differently, and how; each reason once
  native = routes.touched(data, tendon)
  found: dict[str, None] = {}
  for path, view in pairs:
    stops = path.branch.stops[::-1] if path.reverse else path.branch.stops
    for i, stop in enumerate(stops[1:-1]):
      if not stop.is_geom:
        continue
      geom, ours, theirs = model.geom(stop.id).name, bool(view.touching[i]), stop.id in native
      if ours and theirs:
        ends = np.array([view.entry[i], view.exit[i]])
        gaps = np.linalg.norm(native[stop.id][:, None] - ends[None], axis=2).min(axis=1)
        if gaps.max() > _APART:
          found[f"the cable keeps its side of wrap '{geom}', the tendon takes the other"] = None
      elif ours and buried:
        found[f"{buried}, which MuJoCo then drops"] = None
      elif ours:
        found[f"the tendon has let go of wrap '{geom}', the cable has not"] = None
      elif theirs:
        found[f"the cable has let go of wrap '{geom}', the tendon has not"] = None
  return found or {"the same path, at a place where the moment arm jumps": None}
