"""The table of configuration keys: the engine's own, and the page in docs shows it."""

import subprocess
import sys
from pathlib import Path

import pytest

from mujocable.cli import attributes
from mujocable.runtime.library import library

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "mjcf.md"


def mujocable(*arguments):
  return subprocess.run(
    [sys.executable, "-m", "mujocable.cli", *arguments],
    capture_output=True,
    text=True,
    check=False,
    timeout=120,
  )


def test_the_page_is_not_stale():
  text = PAGE.read_text(encoding="utf-8")
  cure = "python -m mujocable.cli.attributes --into docs/mjcf.md"
  assert attributes.insert(text) == text, f"docs/mjcf.md is stale; run: {cure}"


def test_every_key_has_a_row():
  keys = [line.split("|")[0] for line in library().mujocable_attributes().decode().splitlines()]
  rows = attributes.table().splitlines()[2:]
  assert [row.split("`")[1] for row in rows] == keys
  assert all(row.count("|") == 6 for row in rows)


def test_the_command_prints_the_table():
  done = mujocable("attributes")
  assert (done.returncode, done.stdout) == (0, attributes.table())


def test_the_command_refreshes_a_page(tmp_path):
  page = tmp_path / "page.md"
  page.write_text(f"before\n{attributes.BEGIN}\nold\n{attributes.END}\nafter\n")
  assert mujocable("attributes", "--into", str(page)).returncode == 0
  assert page.read_text() == (
    f"before\n{attributes.BEGIN}\n\n{attributes.table()}\n{attributes.END}\nafter\n"
  )


def test_a_page_without_markers_is_refused_and_left_alone(tmp_path):
  page = tmp_path / "page.md"
  page.write_text("nothing here\n")
  done = mujocable("attributes", "--into", str(page))
  assert done.returncode == 1 and "markers" in done.stderr
  assert page.read_text() == "nothing here\n"


@pytest.mark.parametrize(("arguments", "code"), [((), 2), (("dance",), 2), (("--help",), 0)])
def test_without_a_verb_the_verbs_are_listed(arguments, code):
  done = mujocable(*arguments)
  assert done.returncode == code
  assert all(verb in done.stdout + done.stderr for verb in ("demo", "attributes"))
