"""Finding, checking and loading the engine library."""

import re
import subprocess
import sys
from pathlib import Path

import mujoco
import pytest
import tomllib

import mujocable as mjc
from mujocable.errors import LibraryError
from mujocable.runtime import library

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = library.find()  # the one that runs here
# MuJoCo loads plugins by their entry point from 4.0 on
ENTRY_POINTS = mujoco.mj_version() >= 4000000


def python(code: str) -> subprocess.CompletedProcess:
  """Runs code in a fresh interpreter."""
  return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)


def test_register_can_be_called_again():
  loaded = library.library()
  mjc.register()
  assert library.library() is loaded


def test_the_library_matches_the_running_mujoco():
  assert library.library().mujocable_version() == mujoco.mj_version()
  assert mujoco.mj_versionString().rpartition(".")[0] in library.KNOWN
  assert library.library().mujocable_error() == b""


def test_every_file_names_the_same_releases_of_mujoco():
  """The package, CMake, pip's range and the README."""
  cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
  assert tuple(re.search(r"set\(known_mujocos ([\d. ]+)\)", cmake)[1].split()) == library.KNOWN
  with (ROOT / "pyproject.toml").open("rb") as file:
    project = tomllib.load(file)
  (wanted,) = [r for r in project["project"]["dependencies"] if r.startswith("mujoco")]
  assert wanted in project["build-system"]["requires"]
  major, minor = library.KNOWN[-1].split(".")
  assert wanted == f"mujoco>={library.KNOWN[0]},<{major}.{int(minor) + 1}"
  carried = project["tool"]["mujocable"]["mujoco-releases"]
  assert tuple(release.rpartition(".")[0] for release in carried) == library.KNOWN
  readme = (ROOT / "README.md").read_text(encoding="utf-8")
  assert f"MuJoCo {library.KNOWN[0]} to {library.KNOWN[-1]}" in readme


def libraries(folder, *versions):
  """A package folder that holds libraries for these releases of MuJoCo, all of them empty."""
  (folder / "_lib").mkdir()
  for version in versions:
    (folder / "_lib" / f"libmujocable-{version}{library._SUFFIX}").touch()
  return [str(folder / "sources"), str(folder)]


def test_each_mujoco_gets_its_own_library(monkeypatch, tmp_path):
  monkeypatch.delenv("MUJOCABLE_LIBRARY", raising=False)
  monkeypatch.setattr(mjc, "__path__", libraries(tmp_path, "3.9.0", "3.11.0", "4.0.0"))
  for version in ("3.11.0", "4.0.0"):
    monkeypatch.setattr(mujoco, "mj_versionString", lambda version=version: version)
    assert library.find() == tmp_path / "_lib" / f"libmujocable-{version}{library._SUFFIX}"


def test_another_mujoco_is_refused_with_what_is_there_and_how_to_build(monkeypatch, tmp_path):
  monkeypatch.delenv("MUJOCABLE_LIBRARY", raising=False)
  monkeypatch.setattr(library, "_library", None)
  monkeypatch.setattr(mjc, "__path__", libraries(tmp_path, "4.0.0", "3.11.0"))
  # known, but not built here
  monkeypatch.setattr(mujoco, "mj_versionString", lambda: "3.12.0")
  with pytest.raises(ImportError) as refused:
    library.register()
  said = str(refused.value)
  assert "built here for MuJoCo 3.11.0, 4.0.0, but MuJoCo 3.12.0 is installed" in said
  assert 'pip install "mujoco==4.0.0"' in said and "--no-build-isolation" in said
  assert "ANY_MUJOCO" not in said
  # never heard of
  monkeypatch.setattr(mujoco, "mj_versionString", lambda: "4.1.0")
  with pytest.raises(ImportError, match=r"MUJOCABLE_ANY_MUJOCO=ON.*3\.11 to 4\.0 are known"):
    library.register()


def test_a_library_for_another_mujoco_is_refused(monkeypatch):
  monkeypatch.setattr(library, "_library", None)
  monkeypatch.setattr(mujoco, "mj_version", lambda: 4010000)
  monkeypatch.setattr(mujoco, "mj_versionString", lambda: "4.1.0")
  monkeypatch.setenv("MUJOCABLE_LIBRARY", str(LIBRARY))
  with pytest.raises(
    ImportError, match=r"is built for MuJoCo [\d.]+, but MuJoCo 4\.1\.0 is running"
  ):
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


@pytest.mark.skipif(not ENTRY_POINTS, reason="needs MuJoCo 4.0: older ones ask no entry point")
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
