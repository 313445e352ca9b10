"""Results: what was found beside what was wanted, as json, csv and md, and in docs/robots.md."""

import csv
import json
import re
import shutil
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = DOCS / "robots.md"

HEADER = """# Robots

Robots from parameters, and what guide friction does to them: it sticks and slides
([friction](friction.md)), and takes its part of the tension while a cable is pulled.
`mujocable.models` has `spirob` (a log-spiral arm with any number of units, two or three cables, or
MuJoCo's own tendons), `finger`,
`rolling_joint` (two condyles that touch, and their twin on hinges), `hand` (four fingers and a
thumb, ten cables), `tensegrity`, `winch`, `atwood` and `capstan`; each builds an `MjSpec`:

```python
from mujocable.models import spirob

arm = spirob.Spirob(friction=0.15, cables=3)
model = spirob.build(arm).compile()
```

Every number and figure below was written by the command above it; `python -m experiments --docs
NAME` writes its section of this page anew. The models behind the published tables were never
published: what is known, what is inferred and what is chosen is said in the README of each
experiment and each model.
"""
ORDER = ("spirob11", "spirob18", "rolling_joint", "finger", "memory", "runtime")


@dataclass(frozen=True)
class Check:
  """A value that must not be larger than its bound, or with `least` not smaller."""

  what: str
  value: float
  bound: float
  unit: str = ""
  least: bool = False

  @property
  def met(self) -> bool:
    return bool(self.value >= self.bound if self.least else self.value <= self.bound)

  @property
  def wanted(self) -> str:
    """The bound in words."""
    return f"at {'least' if self.least else 'most'} {_short(self.bound, self.unit)}"


@dataclass
class Report:
  """Everything an experiment found."""

  name: str
  title: str
  rows: list[dict[str, Any]] = field(default_factory=list)
  more: dict[str, Any] = field(default_factory=dict)  # further keys of the json
  checks: list[Check] = field(default_factory=list)
  text: list[str] = field(default_factory=list)  # paragraphs and tables of the page
  figures: dict[str, tuple[str, Callable[[Path], None]]] = field(default_factory=dict)

  @property
  def met(self) -> bool:
    return all(check.met for check in self.checks)

  def figure(self, name: str, caption: str, draw: Callable[[Path], None]) -> None:
    """Adds a picture: `draw` writes the file."""
    self.figures[name] = (caption, draw)


def finish(report: Report, arguments: Namespace) -> int:
  """Writes and prints everything; 0 when every check is met. Quick runs render nothing."""
  out: Path = arguments.out
  if arguments.quick:
    report.figures.pop("strip", None)
  pictures = write(report, out)
  if arguments.docs and not arguments.quick:
    write_section(report, pictures)
  for check in report.checks:
    value = _short(check.value, check.unit)
    print(f"  {_verdict(check)}  {check.what}: {value} ({check.wanted})")
  print(f"results: {out / report.name}.json, .csv, .md and {out / report.name}/")
  return 0 if report.met else 1


def write(report: Report, out: Path) -> dict[Path, str]:
  """json, csv, md and figures into the folder `out`; returns the pictures and their captions."""
  folder = out / report.name
  folder.mkdir(parents=True, exist_ok=True)
  (out / f"{report.name}.json").write_text(
    json.dumps(_object(report), indent=2) + "\n", encoding="utf-8"
  )
  _write_csv(report, out / f"{report.name}.csv")
  pictures = _draw(report, folder)
  text = f"# {report.title}\n\n" + "\n\n".join(_body(report, pictures, report.name))
  (out / f"{report.name}.md").write_text(text + "\n", encoding="utf-8")
  return pictures


def _object(report: Report) -> dict[str, Any]:
  checks = [
    {
      "what": c.what,
      "value": c.value,
      "bound": c.bound,
      "least": c.least,
      "unit": c.unit,
      "met": c.met,
    }
    for c in report.checks
  ]
  rows = {"rows": report.rows} if report.rows else {}
  return rows | report.more | {"checks": checks, "met": report.met}


def _write_csv(report: Report, file: Path) -> None:
  # lists become numbered columns
  flat = []
  for row in report.rows or [report.more]:
    cells = {}
    for key, value in row.items():
      if isinstance(value, list):
        cells |= {f"{key}[{i}]": x for i, x in enumerate(value, 1)}
      elif not isinstance(value, dict):
        cells[key] = value
    flat.append(cells)
  with file.open("w", newline="", encoding="utf-8") as stream:
    table = csv.DictWriter(stream, flat[0])
    table.writeheader()
    table.writerows(flat)


def _draw(report: Report, folder: Path) -> dict[Path, str]:
  drawn = {}
  for name, (caption, draw) in report.figures.items():
    file = folder / f"{name}.png"
    draw(file)
    if file.exists():  # no picture where nothing can be rendered
      drawn[file] = caption
  return drawn


def _body(report: Report, pictures: Mapping[Path, str], folder: str) -> list[str]:
  body = [f"`python -m experiments {report.name}`", *report.text]
  if report.checks:
    body.append(check_table(report.checks))
  return body + [
    f"![{caption}]({folder}/{file.name})\n\n*{caption}*" for file, caption in pictures.items()
  ]


def write_section(report: Report, pictures: Mapping[Path, str], page: Path = PAGE) -> None:
  """Writes the experiment's section of the page, and copies its pictures beside it."""
  folder = f"images/{page.stem}/{report.name}"
  (page.parent / folder).mkdir(parents=True, exist_ok=True)
  for file in pictures:
    shutil.copyfile(file, page.parent / folder / file.name)
  begin, end = f"<!-- {report.name}: begin -->", f"<!-- {report.name}: end -->"
  body = "\n\n".join([begin, f"## {report.title}", *_body(report, pictures, folder), end])
  old = page.read_text(encoding="utf-8") if page.exists() else HEADER
  sections = {
    name: found[0]
    for name in ORDER
    if (found := re.search(rf"<!-- {name}: begin -->.*<!-- {name}: end -->", old, re.DOTALL))
  }
  sections[report.name] = body
  text = "\n\n".join([HEADER.strip(), *(sections[name] for name in ORDER if name in sections)])
  page.write_text(text + "\n", encoding="utf-8")


# ---- tables --------------------------------------------------------------------------------------


def table(head: Mapping[str, str] | Sequence[str], rows: Sequence[Sequence[str]]) -> str:
  """A table with right-aligned columns after the first."""
  head = list(head)
  lines = [f"| {' | '.join(head)} |", "|---|" + "--:|" * (len(head) - 1)]
  return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows])


def check_table(checks: Sequence[Check]) -> str:
  """What was wanted and what came out."""
  rows = [(c.what, _short(c.value, c.unit), c.wanted, _verdict(c)) for c in checks]
  return table(("check", "here", "wanted", ""), rows)


def _verdict(check: Check) -> str:
  return "met" if check.met else "MISSED"


def _short(value: float, unit: str) -> str:
  return f"{value:.3g} {unit}".strip()
