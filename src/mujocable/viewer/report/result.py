"""Result: the read-outs of every cable of a model; what they say, as data."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from mujocable.runtime.account import Account, Trouble
from mujocable.viewer.report.joints import Sweep


@dataclass(frozen=True)
class Guide:
  """A Wrap or an Eyelet, in the sample in which the source pulls hardest."""

  name: str  # of the site or geom
  before: float  # tension on the side of the source [N]
  behind: float  # tension on the side of the distal end [N]
  peak: float  # largest tension on either side, of all samples [N]
  turn: float  # of the cable [rad]
  lost: float  # energy turned into heat, all the time [J]; of the samples where no steps are known

  @property
  def loss(self) -> float:
    """Share of the larger tension that the guide takes."""
    larger = max(self.before, self.behind)
    return abs(self.before - self.behind) / larger if larger > 0 else 0.0


@dataclass(frozen=True)
class Slack:
  """A time in which the cable hangs loose."""

  begin: float  # [s]
  end: float  # [s]
  most: float  # [m]


@dataclass(frozen=True)
class CableReport:
  """One cable."""

  name: str  # of the cable
  time: np.ndarray  # [s]
  take_up: np.ndarray  # [m]
  tension: np.ndarray  # [N], shape (samples, segments)
  guides: tuple[Guide, ...]  # every contact, source first
  slack: tuple[Slack, ...]  # times in which it hangs loose
  sweeps: tuple[Sweep, ...]  # one for each limited joint that it can move
  valid: float  # share of the samples with a valid path
  account: Account | None = None  # sums over all steps; None: samples are all there is

  @property
  def stroke(self) -> float:
    """Cable taken in between the extremes [m]."""
    return self.account.stroke if self.account else float(np.ptp(self.take_up))

  @property
  def peak(self) -> float:
    """Largest tension at the source [N]: of all steps, or of the samples."""
    return self.account.peak_tension if self.account else float(self.tension[:, 0].max())

  @property
  def hardest(self) -> int:
    """The sample in which the source pulls hardest; the last of them at a tension limit."""
    return hardest(self.tension)

  @property
  def peak_time(self) -> float:
    """When the source pulls hardest [s]."""
    return self.account.peak_time if self.account else float(self.time[self.hardest])

  @property
  def ratio(self) -> float:
    """Tension at the distal end / tension at the source, while the source pulls hardest.

    At rest this says what friction holds, not what it costs.
    """
    row = self.tension[self.hardest]
    source, end = row[0], row[-1]
    if self.account:
      source, end = self.account.peak_tension, self.account.end_tension
    return float(end / source) if source > 0 else float("nan")

  @property
  def row_time(self) -> float:
    """Of the sample in which the source pulls hardest [s]; its peak may lie between two."""
    return float(self.time[self.hardest])

  @property
  def efficiency(self) -> float:
    """Work out / work in, over all steps; NaN where only samples are known."""
    return self.account.efficiency if self.account else float("nan")

  @property
  def worst(self) -> Guide | None:
    """The guide that makes most heat over all steps; of samples, that takes most tension."""
    hot = max(self.guides, key=lambda guide: guide.lost, default=None)
    if self.account and hot is not None and hot.lost > 0:
      return hot
    taken = max(self.guides, key=lambda guide: abs(guide.before - guide.behind), default=None)
    return taken if taken is not None and taken.before != taken.behind else None


@dataclass(frozen=True)
class Report:
  """All cables; prints as tables."""

  model: str  # its name
  cables: Mapping[str, CableReport] = field(default_factory=dict)  # by name
  troubles: tuple[Trouble, ...] = ()  # why not to trust it
  notes: tuple[str, ...] = ()  # to know beside
  pictures: Mapping[str, bytes] = field(default_factory=dict)  # PNG files by title

  @property
  def verdict(self) -> str:
    """One sentence: whether the numbers are to be trusted."""
    if self.troubles:
      kinds = ", ".join(dict.fromkeys(one.kind for one in self.troubles))
      return f"Not to be trusted as it stands: {kinds}."
    accounts = [one.account for one in self.cables.values() if one.account]
    if not accounts:
      return "No trouble in the samples; what happened between them is not known."
    worst = max(accounts, key=lambda one: one.closes)
    return (
      f"Sound over all {worst.steps} steps: every path valid, no limit reached, no load flying;"
      f" the energy closes to {worst.closes:.1g} of the work put in."
    )

  def rows(self) -> list[dict[str, object]]:
    """The main table: one row per cable, units in the names."""
    moved = any(one.stroke > 0 for one in self.cables.values())
    return [_row(one, moved) for one in self.cables.values()]

  def to_dict(self) -> dict:
    """Plain data, for JSON."""
    return {
      "model": self.model,
      "verdict": self.verdict,
      "troubles": [asdict(one) for one in self.troubles],
      "notes": list(self.notes),
      "cables": {name: _plain_cable(one) for name, one in self.cables.items()},
    }

  def __str__(self) -> str:
    from mujocable.viewer.report import page

    return page.text(self)

  def plots(self) -> dict:
    """Matplotlib figures by name."""
    from mujocable.viewer.report import page

    return page.plots(self)

  def write(self, path: str | Path) -> Path:
    """One HTML page with the verdict, the tables and the plots inside; the data as JSON beside."""
    from mujocable.viewer.report import page

    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page.html(self), encoding="utf-8")
    data = json.dumps(self.to_dict(), indent=2) + "\n"
    path.with_suffix(".json").write_text(data, encoding="utf-8")
    return path


def _row(one: CableReport, moved: bool) -> dict[str, object]:
  row: dict[str, object] = {"cable": one.name}
  if moved:
    row["stroke [mm]"] = 1e3 * one.stroke
  row |= {
    "peak tension [N]": one.peak,
    "at [s]": one.peak_time if one.peak > 0 else float("nan"),
    "end / source then": one.ratio,
  }
  if one.account:
    row |= {
      "work in [J]": one.account.work_in,
      "efficiency": one.efficiency,
      "energy closes to": one.account.closes,
    }
  row |= {
    "rubbed off [J]": sum(guide.lost for guide in one.guides),
    "worst guide": one.worst.name if one.worst else "",
    "its heat [J]": one.worst.lost if one.worst else 0.0,
    "slack events": len(one.slack),
    "longest [s]": max((s.end - s.begin for s in one.slack), default=0.0),
    "valid": one.account.valid if one.account else one.valid,
  }
  return row


def _plain_cable(one: CableReport) -> dict:
  numbers = {
    "peak_tension": one.peak,
    "peak_time": one.peak_time,
    "end_over_source": one.ratio,
    "stroke": one.stroke,
    "valid": one.valid,
  }
  return {
    **{key: None if np.isnan(x) else float(x) for key, x in numbers.items()},
    "account": one.account.to_dict() if one.account else None,
    "guides": [vars(guide) | {"loss": guide.loss} for guide in one.guides],
    "slack": [vars(event) for event in one.slack],
    "joints": {
      s.joint: {"stroke": s.stroke, "least_arm": float(s.arm.min()), "most_arm": float(s.arm.max())}
      for s in one.sweeps
    },
  }


def hardest(tension: np.ndarray) -> int:
  """The sample in which the source pulls hardest, of tensions (samples, segments)."""
  return int(np.flatnonzero(tension[:, 0] >= (1 - 1e-9) * tension[:, 0].max())[-1])
