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
from pathlib import Path

import nbformat

from website import notebooks

path = Path(sys.argv[1])
stored, new = nbformat.read(path, as_version=4), notebooks.run(path)
outputs = [output for cell in new.cells for output in cell.get("outputs", [])]
assert not [o for o in outputs if o["output_type"] == "stream" and o["name"] == "stderr"], outputs
cure = f"stored results are stale; run: python -m website.notebooks {path.name}"
assert notebooks.texts(stored) == notebooks.texts(new), cure
for notebook in (stored, new):
  outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
  drawn = [o for o in outputs if o["output_type"] == "display_data" and "image/png" in o["data"]]
  print(len(drawn))
"""


def test_there_is_a_notebook():
  assert NOTEBOOKS


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs_from_top_to_bottom_and_shows_what_is_stored(notebook, tmp_path):
  path = [str(NOTEBOOKS[0].parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
  done = subprocess.run(
    [sys.executable, "-c", _RUN, str(notebook)],
    capture_output=True,
    text=True,
    check=False,
    timeout=300,
    cwd=tmp_path,
    env={**os.environ, "MUJOCO_GL": "off", "PYTHONPATH": os.pathsep.join(path)},
  )
  assert done.returncode == 0, done.stderr
  stored, drawn = map(int, done.stdout.split())
  assert stored == drawn >= 3


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_uses_the_public_surface_only(notebook):
  text = notebook.read_text(encoding="utf-8")
  assert not re.search(r"from mujocable|import mujocable\.", text)
