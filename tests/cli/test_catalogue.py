"""The catalogue on the command line, and the page in docs that shows it."""

from pathlib import Path

from mujocable.catalogue import FRICTION, MATERIALS
from mujocable.cli import catalogue

PAGE = Path(__file__).resolve().parents[2] / "docs" / "design.md"


def test_the_page_is_not_stale():
  text = PAGE.read_text(encoding="utf-8")
  cure = "python -m mujocable.cli.catalogue --into docs/design.md"
  assert catalogue.insert(text) == text, f"docs/design.md is stale; run: {cure}"


def test_every_material_and_pair_has_a_row():
  rows = [line for line in catalogue.tables().splitlines() if line.startswith("|")]
  assert len(rows) == len(MATERIALS) + len(FRICTION) + 4
  assert all(row.count("|") in (6, 5) for row in rows)


def test_one_material(capsys):
  assert catalogue.main(["steel 7x19", "3.175", "--safety", "5"]) == 0
  out = capsys.readouterr().out
  assert "steel 7x19, 3.175 mm" in out and "1779 N" in out and "source" in out


def test_unknown_material_is_named(capsys):
  assert catalogue.main(["steel 7x9"]) == 2
  assert "did you mean 'steel 7x19'?" in capsys.readouterr().err


def test_into_a_file_without_markers(tmp_path, capsys):
  file = tmp_path / "page.md"
  file.write_text("nothing here")
  assert catalogue.main(["--into", str(file)]) == 2
  assert "markers are missing" in capsys.readouterr().err
