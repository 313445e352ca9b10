"""Finding, checking and loading the engine library."""

import re
import subprocess
import sys
from pathlib import Path

import mujoco
import pytest

import mujocable as mjc
from mujocable.errors import LibraryError
from mujocable.runtime import library


def python(code: str) -> subprocess.CompletedProcess:
  """Runs code in a fresh interpreter."""
  return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)


def test_register_can_be_called_again():
  loaded = library.library()
  mjc.register()
  assert library.library() is loaded


def test_the_library_matches_the_running_mujoco():
  assert library.library().mujocable_version() == mujoco.mj_version()
  assert mujoco.mj_versionString() == library.MUJOCO_VERSION
  assert library.library().mujocable_error() == b""


def test_another_mujoco_is_refused(monkeypatch):
  monkeypatch.setattr(library, "_library", None)
  monkeypatch.setattr(mujoco, "mj_versionString", lambda: "3.9.1")
  with pytest.raises(ImportError, match=r"4\.0\.0.*3\.9\.1.*pip install \"mujoco==4\.0\.0\""):
    library.register()


def test_importing_with_another_mujoco_is_an_import_error():
  result = python(
    "import mujoco; mujoco.mj_versionString = lambda: '4.1.0'\n"
    "import sys; [sys.modules.pop(n) for n in list(sys.modules) if n.startswith('mujocable')]\n"
    "import mujocable"
  )
  assert result.returncode == 1
  last = result.stderr.strip().splitlines()[-1]
  assert re.search(r"LibraryError: mujocable is built for MuJoCo 4\.0\.0, but MuJoCo 4\.1\.0", last)
  assert 'pip install "mujoco==4.0.0"' in last


def test_a_library_for_another_mujoco_is_refused(monkeypatch):
  monkeypatch.setattr(library, "_library", None)
  monkeypatch.setattr(mujoco, "mj_version", lambda: 4010000)
  with pytest.raises(ImportError, match=r"is built for MuJoCo \d+, but MuJoCo 4010000 is running"):
    library.register()


def test_a_missing_library_is_named(monkeypatch, tmp_path):
  monkeypatch.setenv("MUJOCABLE_LIBRARY", str(tmp_path / "gone.so"))
  with pytest.raises(
    LibraryError, match=r"MUJOCABLE_LIBRARY names '.*gone\.so', which is not a file"
  ):
    library.find()
  monkeypatch.delenv("MUJOCABLE_LIBRARY")
  monkeypatch.setattr(mjc, "__path__", [str(tmp_path)])
  with pytest.raises(LibraryError, match=r"libmujocable.* is not in .*_lib; install the package"):
    library.find()


def test_a_broken_library_is_an_import_error(monkeypatch, tmp_path):
  broken = tmp_path / "broken.so"
  broken.write_text("not a library")
  monkeypatch.setenv("MUJOCABLE_LIBRARY", str(broken))
  monkeypatch.setattr(library, "_library", None)
  with pytest.raises(LibraryError, match=r"cannot load .*broken\.so"):
    library.register()


def test_the_library_is_found_in_any_package_folder(monkeypatch, tmp_path):
  (tmp_path / "_lib").mkdir()
  name = Path(f"libmujocable{library._SUFFIX}")
  (tmp_path / "_lib" / name).touch()
  monkeypatch.delenv("MUJOCABLE_LIBRARY", raising=False)
  monkeypatch.setattr(mjc, "__path__", [str(tmp_path / "sources"), str(tmp_path)])
  assert library.find() == tmp_path / "_lib" / name


@pytest.mark.parametrize(
  "first", ["mujoco", "mujocable", "mujocable.runtime.library", "mujocable.spec"]
)
def test_any_import_order_works_without_warnings(first):
  code = (
    f"import warnings; warnings.simplefilter('error')\nimport {first}\nimport mujocable, mujoco"
  )
  result = python(code)
  assert (result.returncode, result.stderr) == (0, "")


def test_the_entry_point_runs_while_mujoco_is_imported(tmp_path):
  # a package with our entry point, seen on the path of a fresh interpreter
  info = tmp_path / "probe-1.dist-info"
  info.mkdir()
  (info / "METADATA").write_text("Metadata-Version: 2.1\nName: probe\nVersion: 1\n")
  (info / "entry_points.txt").write_text(
    "[mujoco.plugins]\nprobe = mujocable.runtime.library:register\n"
  )
  scene = "<mujoco><extension><plugin plugin='mujocable.cable'/></extension></mujoco>"
  for first in ("mujoco", "mujocable", "mujocable.runtime.library"):
    result = python(
      f"import sys, warnings; sys.path.insert(0, {str(tmp_path)!r})\n"
      "warnings.simplefilter('error')\n"
      f"import {first}, mujoco\n"
      f'mujoco.MjModel.from_xml_string("{scene}")\n'
      "assert 'mujocable' in sys.modules"
    )
    assert (result.returncode, result.stderr) == (0, ""), first


def test_public_names_exist():
  for name in mjc.__all__:
    assert hasattr(mjc, name), name
