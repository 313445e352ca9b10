"""What the code says of docs/theory.md: every equation and section that it cites is there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
THEORY = (ROOT / "docs" / "theory.md").read_text(encoding="utf-8")
EQUATIONS = [int(n) for n in re.findall(r"\\tag\{(\d+)\}", THEORY)]


def cited(folder):
  """(file:line, number) of every equation in a comment of a folder; (13)-(15) is all three."""
  for file in sorted((ROOT / "cpp" / folder).rglob("*")):
    if file.suffix not in {".h", ".cc"}:
      continue
    for line, text in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
      comment = text.partition("//")[2]
      for found in re.finditer(r"(?<![\w)\]])\((\d{1,2})\)(?:-\((\d{1,2})\))?", comment):
        first, last = int(found[1]), int(found[2] or found[1])
        for number in range(first, last + 1):
          yield f"{file.relative_to(ROOT)}:{line}", number


def test_equations_are_numbered_in_order():
  assert len(EQUATIONS) > 20 and list(range(1, len(EQUATIONS) + 1)) == EQUATIONS


def test_every_equation_that_the_code_cites_is_there():
  found = [one for folder in ("core", "plugin", "tests") for one in cited(folder)]
  assert len(found) > 60
  assert not [f"{where}: ({n})" for where, n in found if n not in EQUATIONS]


def test_every_equation_is_somewhere_in_the_code():
  seen = {n for folder in ("core", "plugin") for _, n in cited(folder)}
  assert not set(EQUATIONS) - seen


def test_every_section_that_a_text_names_is_there():
  sections = {int(n) for n in re.findall(r"^## (\d+)\.", THEORY, re.M)}
  files = [p for top in ("cpp", "src", "tests") for p in (ROOT / top).rglob("*.*")]
  found = 0
  for file in files:
    if file.suffix not in {".h", ".cc", ".py"}:
      continue
    for number in re.findall(r"theory (?:section )?(\d+)", file.read_text(encoding="utf-8")):
      found += 1
      assert int(number) in sections, f"{file.relative_to(ROOT)}: theory {number}"
  assert found > 5
