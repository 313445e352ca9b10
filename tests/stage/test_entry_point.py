"""Where the package is installed, plain `import mujoco` is enough to load a model with cables."""

import importlib.metadata
import subprocess
import sys

import pytest
from oracles import workshop

CHILD = """
import sys
import mujoco
spec_text = open(sys.argv[1]).read()
model = mujoco.MjModel.from_xml_string(spec_text)
data = mujoco.MjData(model)
mujoco.mj_step(model, data)
assert model.nplugin == 5, model.nplugin
print("stepped")
"""


def installed():
  points = importlib.metadata.entry_points(group="mujoco.plugins")
  return any(point.value.startswith("mujocable") for point in points)


@pytest.mark.skipif(not installed(), reason="mujocable is not pip-installed in this environment")
def test_plain_import_mujoco_is_enough(tmp_path):
  spec = workshop.spec_of()
  spec.compile()
  path = tmp_path / "workshop.xml"
  path.write_text(spec.to_xml())
  child = subprocess.run(
    [sys.executable, "-c", CHILD, str(path)],
    capture_output=True,
    text=True,
    timeout=120,
    cwd=tmp_path,
  )
  assert child.returncode == 0 and "stepped" in child.stdout, child.stderr
