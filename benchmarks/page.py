"""Page: docs/benchmarks.md, written from a saved run. Nothing on it is typed in."""

import json
from pathlib import Path

import numpy as np

from benchmarks.instructions import STEPS, WARM
from benchmarks.scenes import SCENES
from benchmarks.timing import BUILDS, ratios

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "benchmarks.md"

_HEAD = """# Benchmarks

What a step costs with cables, with MuJoCo's own tendons in the same mechanism, and with neither.
Written by `python -m benchmarks --page {file}`; the numbers in that file come from

```
python -m benchmarks --save {file}
python -m benchmarks --instructions --save {file}
```

Taken on: {machine}.

Native tendons have no friction, no slack and no two wraps without a site between. Where a route has
two, the native twin gets a site between them, so it computes less and something else. *Ratio* is
the whole step with cables over the whole step with tendons; *added* is what the cables add to the
step without either, over what the tendons add.

"""


def table(rows: dict, field: str, unit: str, digits: int) -> list[str]:
  """One Markdown table of times or counts."""
  with_spread = field == "times"
  head = ["scene", "what", "none", "native", "cable", "ratio", "added"]
  if with_spread:
    head.append("spread")
  lines = [f"| {' | '.join(head)} |", "|" + "---|" * 2 + "--:|" * (len(head) - 2)]
  what = {scene.name: scene.what for scene in SCENES}
  for name, row in rows.items():
    if field not in row:
      continue
    values = row[field]
    cells = [name, what.get(name, "")]
    cells += [
      f"{values[kind]:,.{digits}f}" if kind in values else ""
      for kind in ("none", "native", "cable")
    ]
    cells += [f"{ratio:.2f}" if ratio else "" for ratio in ratios(values)]
    if with_spread:
      cells.append(f"{100 * row['spread']['cable']:.0f} %")
    lines.append(f"| {' | '.join(cells)} |")
  return [f"Unit: {unit}.", "", *lines, ""]


def line_through(rows: dict, family: str) -> tuple[float, float]:
  """Slope of the cost of a family of scenes, and how far it is from a straight line, relative."""
  sizes, costs = _costs(rows, family)
  slope, start = np.polyfit(sizes, costs, 1)
  return slope, np.abs(np.polyval((slope, start), sizes) - costs).max() / max(costs)


def _costs(rows: dict, family: str) -> tuple[list[int], list[float]]:
  sizes, costs = [], []
  for name, row in rows.items():
    if name.startswith(f"{family}_") and "instructions" in row:
      sizes.append(int(name.rpartition("_")[2]))
      costs.append(row["instructions"]["cable"] - row["instructions"]["none"])
  return sizes, costs


def growth(rows: dict, family: str) -> str:
  """How the cost of a family of scenes grows, as a line of the page."""
  sizes, _ = _costs(rows, family)
  if len(sizes) < 3:
    return ""
  slope, off = line_through(rows, family)
  return (
    f"- {family} from {min(sizes)} to {max(sizes)}: {slope:,.0f} instructions for each one more;"
    f" a straight line is off by {100 * off:.1f} % of the largest at most."
  )


def text(saved: dict, file: str) -> str:
  """The page."""
  rows = saved["scenes"]
  machine = ", ".join(f"{key} {value}" for key, value in saved["machine"].items())
  lines = [_HEAD.format(file=file, machine=machine)]
  lines += ["## Instructions per step", ""]
  lines.append(
    f"Counted by valgrind over {STEPS} steps after {WARM}; they do not depend on what else runs.\n"
  )
  lines += table(rows, "instructions", "instructions per step", 0)
  grown = [line for line in (growth(rows, f) for f in ("guides", "cables")) if line]
  if grown:
    lines += ["Cost grows linearly (cables less none, least squares):", "", *grown, ""]
  lines += ["## Times per step", ""]
  lines.append(
    f"Processor time, medians of interleaved rounds over {BUILDS} builds of each scene on a shared"
    " machine, where other programs take their part of the caches: the ratios mean more than the"
    " times."
    " *Spread* is the distance of the quartiles over the median, of the cables' times.\n"
  )
  lines += table(rows, "times", "microseconds per step", 1)
  return "\n".join(lines).rstrip() + "\n"


def write(path: Path) -> Path:
  """Writes the page from a saved file; returns where."""
  saved = json.loads(path.read_text(encoding="utf-8"))
  file = path.resolve().relative_to(ROOT).as_posix()
  PAGE.write_text(text(saved, file), encoding="utf-8")
  return PAGE.relative_to(ROOT)
