"""The page of the command line: every command on it runs, every verb is on it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mujocable.cli.__main__ import VERBS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cli.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_every_verb_has_its_row():
  assert re.findall(r"^\| `([\w-]+)` \|", TEXT.split("## ")[0], re.MULTILINE) == list(VERBS)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.split()[1])
def test_commands_of_the_page_run(block, tmp_path):
  command = tmp_path / "mujocable"  # also where the package runs from its source tree
  command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mujocable.cli "$@"\n')
  command.chmod(0o755)
  done = subprocess.run(
    ["bash", "-euc", block],
    cwd=tmp_path,
    env={**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
    capture_output=True,
    text=True,
    check=False,
    timeout=300,
  )
  assert done.returncode == 0, f"{block}\n{done.stdout}{done.stderr}"
