"""Every model has a builder and a README."""

import importlib
from pathlib import Path

import mujoco
import pytest

import mujocable.models

FOLDER = Path(mujocable.models.__file__).parent
MODELS = sorted(file.parent.name for file in FOLDER.glob("*/__init__.py"))


@pytest.mark.parametrize("name", MODELS)
def test_model_builds_compiles_and_is_described(name):
  spec = importlib.import_module(f"mujocable.models.{name}").build()
  assert isinstance(spec, mujoco.MjSpec)
  model = spec.compile()
  assert model.nplugin > 0
  readme = (FOLDER / name / "README.md").read_text(encoding="utf-8")
  assert readme.startswith("# ")
