"""The notebooks run from top to bottom."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.ipynb"))

# in a process of its own: the kernel's libraries have warnings of their own
_RUN = """
import sys
import nbclient
import nbformat

notebook = nbformat.read(sys.argv[1], as_version=4)
nbformat.validate(notebook)
assert not any(cell.get("outputs") for cell in notebook.cells), "stored outputs grow stale"
nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
print(*[output["output_type"] for output in outputs])
assert not [o for o in outputs if o["output_type"] == "stream" and o["name"] == "stderr"], outputs
pictures = [o for o in outputs if o["output_type"] == "display_data" and "image/png" in o["data"]]
print(len(pictures))
"""


def test_there_is_a_notebook():
  assert NOTEBOOKS


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs_from_top_to_bottom(notebook, tmp_path):
  done = subprocess.run(
    [sys.executable, "-c", _RUN, str(notebook)],
    capture_output=True,
    text=True,
    check=False,
    timeout=300,
    cwd=tmp_path,
    env={**os.environ, "MUJOCO_GL": "off"},
  )
  assert done.returncode == 0, done.stderr
  assert int(done.stdout.split()[-1]) >= 3, done.stdout


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_uses_the_public_surface_only(notebook):
  text = notebook.read_text(encoding="utf-8")
  assert not re.search(r"from mujocable|import mujocable\.", text)
