"""The house in numbers: files, lines, constants and long functions of each room.

    python -m website.house            # a table of the rooms of ARCHITECTURE.md, C++ and Python
    python -m website.house --list     # and every function above 80 lines, every constant without
                                       # a reason, every file above 400 lines
    python -m website.house --walks    # and the files one opens to follow a step: see website.walks

A constant of C++ is argued where a comment stands on its line or right above it, and chosen where
that comment says so: then it names the test that would notice, or that none does.
"""

import argparse
import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from website import walks

ROOT = Path(__file__).resolve().parents[1]
LONG, LARGE = 80, 400  # lines of a function, of a file

_CONSTANT = re.compile(
  r"^\s*(?:inline |static )*constexpr (?:double|int|size_t|std::\w+) k\w+(?:\[\w*\])? ="
)
_KEYWORDS = {"if", "for", "while", "switch", "catch", "return", "sizeof", "requires"}


@dataclass
class Room:
  """What one room consists of."""

  files: int = 0
  lines: int = 0
  comments: int = 0  # lines that are nothing else
  argued: int = 0
  chosen: int = 0
  bare: list[str] = field(default_factory=list)  # constants without a reason
  functions: list[tuple[int, str]] = field(default_factory=list)  # lines, name and place
  large: list[str] = field(default_factory=list)

  @property
  def longest(self) -> int:
    """Lines of the longest function."""
    return max((lines for lines, _ in self.functions), default=0)


def rooms() -> dict[str, Room]:
  """Every room with files, in the order of the folders."""
  found: dict[str, Room] = {}
  for file in sorted((ROOT / "cpp").rglob("*")):
    if file.suffix in {".h", ".cc"}:
      parts = file.relative_to(ROOT / "cpp").parts
      top = file.relative_to(ROOT / "cpp").parents[-2].name
      name = top if top == "tests" or len(parts) < 3 else "/".join(parts[:2])
      _read(file, found.setdefault(name, Room()), cpp_functions)
  page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
  named = re.findall(r"^\| `(mujocable\.[\w.]+)` \|", page, re.MULTILINE)
  for file in sorted((ROOT / "src" / "mujocable").rglob("*.py")):
    module = ".".join(file.relative_to(ROOT / "src").with_suffix("").parts)
    fitting = [room for room in named if f"{module}.".startswith(f"{room}.")]
    _read(file, found.setdefault(max(fitting, key=len, default=module), Room()), py_functions)
  return found


def _read(file: Path, room: Room, functions) -> None:
  text = file.read_text(encoding="utf-8")
  lines, where = text.splitlines(), file.relative_to(ROOT)
  room.files += 1
  room.lines += len(lines)
  room.comments += sum(line.lstrip().startswith(("//", "#")) for line in lines)
  if len(lines) > LARGE:
    room.large.append(f"{len(lines)} {where}")
  for name, first, count in functions(text):
    room.functions.append((count, f"{name} {where}:{first}"))
  for i, line in enumerate(lines):
    if file.suffix == ".py" or not _CONSTANT.match(line):
      continue
    reason = _reason(lines, i)
    room.argued += bool(reason) and "chosen" not in reason.lower()
    room.chosen += "chosen" in reason.lower()
    if not reason:
      room.bare.append(f"{where}:{i + 1}: {line.strip()}")


def _reason(lines: list[str], at: int) -> str:
  # the comment of its line, and the one above the run of constants that it is part of
  own = lines[at].partition("//")[2]
  while at > 0 and _CONSTANT.match(lines[at - 1]):
    at -= 1
  above = []
  while at > 0 and lines[at - 1].lstrip().startswith("//"):
    at -= 1
    above.append(lines[at])
  return own + " ".join(reversed(above))


def cpp_functions(text: str) -> Iterator[tuple[str, int, int]]:
  """Name, first line and number of lines of every function, by matching braces."""
  text = re.sub(r"//[^\n]*", "", text)
  text = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)
  text = re.sub(r"'(?:[^'\\]|\\.)'", "' '", text)
  open_: list[tuple[str | None, int, bool]] = []
  for brace in re.finditer(r"[{}]", text):
    line = text.count("\n", 0, brace.start()) + 1
    if brace[0] == "{":
      head = re.split(r"[;{}]", text[max(0, brace.start() - 600) : brace.start()])[-1].strip()
      open_.append((_name_of(head), line, any(name for name, *_ in open_)))
    elif open_:
      name, first, inside = open_.pop()
      if name and not inside:
        yield name, first, line - first + 1


def _name_of(head: str) -> str | None:
  # of a function that this text begins; lambdas and statements have none
  if "=" in head.split("(")[0] or re.search(r"\]\s*(?:<[^>]*>)?\s*\(", head):
    return None
  if not re.search(r"\)\s*(?:const|noexcept|override|->\s*[\w:<>&* ]+|:\s.*)*$", head, re.DOTALL):
    return None
  found = re.search(r"([\w:~]+)\s*\(", head)
  return found[1] if found and found[1] not in _KEYWORDS else None


def py_functions(text: str) -> Iterator[tuple[str, int, int]]:
  """The same of Python, functions inside others included in theirs."""
  for node in ast.walk(ast.parse(text)):
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
      yield node.name, node.lineno, (node.end_lineno or node.lineno) - node.lineno + 1


def table(found: dict[str, Room]) -> str:
  """One row for each room, one for all of C++ and one for all of Python."""
  rows = [["room", "files", "lines", "comments", "argued", "chosen", "bare", "longest", ">80"]]
  groups = {
    "cpp/core, cpp/plugin": [n for n in found if n.startswith(("core", "plugin"))],
    "src/mujocable": [n for n in found if n.startswith("mujocable")],
  }
  for name in [*found, *groups]:
    part = [found[n] for n in groups.get(name, [name])]
    counts = [
      sum(r.files for r in part),
      sum(r.lines for r in part),
      sum(r.comments for r in part),
      sum(r.argued for r in part),
      sum(r.chosen for r in part),
      sum(len(r.bare) for r in part),
      max(r.longest for r in part),
      sum(lines > LONG for r in part for lines, _ in r.functions),
    ]
    rows.append([name, *map(str, counts)])
  widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
  return "\n".join(
    "  ".join(
      cell.ljust(w) if i == 0 else cell.rjust(w)
      for i, (cell, w) in enumerate(zip(row, widths, strict=True))
    )
    for row in rows
  )


def main() -> None:
  """Prints the table."""
  parser = argparse.ArgumentParser(prog="python -m website.house", description=__doc__)
  parser.add_argument("--list", action="store_true", help="name what the table counts")
  parser.add_argument("--walks", action="store_true", help="name the files of two steps (valgrind)")
  asked = parser.parse_args()
  found = rooms()
  print(table(found))
  if asked.list:
    long = sorted((f for r in found.values() for f in r.functions if f[0] > LONG), reverse=True)
    print("\nfunctions above 80 lines", *(f"{n} {where}" for n, where in long), sep="\n  ")
    print("\nfiles above 400 lines", *(x for r in found.values() for x in r.large), sep="\n  ")
    print("\nconstants without a reason", *(x for r in found.values() for x in r.bare), sep="\n  ")
  if asked.walks:
    print("\n" + walks.table())


if __name__ == "__main__":
  main()
