"""The table of configuration keys: the engine's own, and the page in docs shows it."""

from pathlib import Path

from mujocable.cli import attributes
from mujocable.runtime.library import library

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "mjcf.md"


def test_the_page_is_not_stale():
  text = PAGE.read_text(encoding="utf-8")
  cure = "python -m mujocable.cli attributes --into docs/mjcf.md"
  assert attributes.insert(text) == text, f"docs/mjcf.md is stale; run: {cure}"


def test_every_key_has_a_row():
  keys = [line.split("|")[0] for line in library().mujocable_attributes().decode().splitlines()]
  rows = attributes.table().splitlines()[2:]
  assert [row.split("`")[1] for row in rows] == keys
  assert all(row.count("|") == 6 for row in rows)


def test_the_command_prints_the_table(ask):
  assert ask("attributes")[:2] == (0, attributes.table())


def test_the_command_refreshes_a_page(ask, tmp_path):
  page = tmp_path / "page.md"
  page.write_text(f"before\n{attributes.BEGIN}\nold\n{attributes.END}\nafter\n")
  assert ask("attributes", "--into", page)[0] == 0
  assert page.read_text() == (
    f"before\n{attributes.BEGIN}\n\n{attributes.table()}\n{attributes.END}\nafter\n"
  )


def test_a_page_without_markers_is_refused_and_left_alone(ask, tmp_path):
  page = tmp_path / "page.md"
  page.write_text("nothing here\n")
  code, _, err = ask("attributes", "--into", page)
  assert code == 2 and "markers are missing" in err
  assert page.read_text() == "nothing here\n"
