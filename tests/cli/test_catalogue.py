"""The catalogue on the command line, and the page in docs that shows it."""

from pathlib import Path

from mujocable.catalogue import FRICTION, MATERIALS
from mujocable.cli import catalogue

PAGE = Path(__file__).resolve().parents[2] / "docs" / "design.md"


def test_the_page_is_not_stale():
  text = PAGE.read_text(encoding="utf-8")
  cure = "python -m mujocable.cli catalogue --into docs/design.md"
  assert catalogue.insert(text) == text, f"docs/design.md is stale; run: {cure}"


def test_every_material_and_pair_has_a_row():
  rows = [line for line in catalogue.tables().splitlines() if line.startswith("|")]
  assert len(rows) == len(MATERIALS) + len(FRICTION) + 4
  assert all(row.count("|") in (6, 5) for row in rows)


def test_one_material(ask):
  code, out, _ = ask("catalogue", "steel 7x19", "3.175", "--safety", "5")
  assert code == 0 and "steel 7x19, 3.175 mm" in out and "1779 N" in out and "source" in out


def test_unknown_material_is_named(ask):
  code, _, err = ask("catalogue", "steel 7x9")
  assert code == 2 and "did you mean 'steel 7x19'?" in err


def test_into_a_file_without_markers(ask, tmp_path):
  file = tmp_path / "page.md"
  file.write_text("nothing here")
  code, _, err = ask("catalogue", "--into", file)
  assert code == 2 and "markers are missing" in err
