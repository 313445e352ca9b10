"""What the tests of verbs share: the command in this process, in a folder of its own."""

import pytest
from machines import MACHINES

from mujocable.cli.__main__ import main


@pytest.fixture
def ask(capsys, monkeypatch, tmp_path):
  """Runs the command in a folder of its own; returns exit code, output and errors."""
  monkeypatch.chdir(tmp_path)
  monkeypatch.setenv("COLUMNS", "160")

  def run(*arguments):
    code = main([str(a) for a in arguments])
    text = capsys.readouterr()
    return code, text.out, text.err

  return run


@pytest.fixture
def arm_file(tmp_path):
  path = tmp_path / "arm.xml"
  path.write_text(MACHINES["motor"][0])
  return path
