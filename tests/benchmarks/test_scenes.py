"""Benchmarks: every scene runs, all kinds are the same mechanism, and the page is the saved run."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from benchmarks import beside, instructions, page
from benchmarks.scenes import SCENES
from benchmarks.timing import measure, ratios
from mujocable.runtime import library

ROOT = Path(__file__).resolve().parents[2]
NAMES = {scene.name: scene for scene in SCENES}


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_every_kind_of_a_scene_steps(scene):
  sizes = set()
  for kind in scene.kinds:
    model, data = scene.build(kind)
    mujoco.mj_step(model, data, nstep=5)
    cables = mjc.bind(model, data)
    assert bool(cables) == (kind == "cable")
    assert all(cable.status == mjc.SolveStatus.VALID for cable in cables.values())
    assert np.all(np.isfinite(data.qpos)) and not any(w.number for w in data.warning)
    sizes.add((model.nv, model.nbody, model.ngeom))
    if kind == "native":
      assert model.ntendon and not model.nplugin
  assert len(sizes) == 1


@pytest.mark.parametrize("name", ["arm", "cylinder", "sphere", "guides_32", "cables_4"])
def test_without_friction_the_native_twin_moves_alike(name):
  """To round-off, where a native tendon can say the same: points, one wrap a span, no radius."""
  ends = []
  for kind in ("cable", "native"):
    model, data = NAMES[name].build(kind)
    for cable in mjc.bind(model, data).values():
      cable.friction = 0.0
    mujoco.mj_step(model, data, nstep=200)
    ends.append(data.qpos.copy())
  assert ends[0] == pytest.approx(ends[1], rel=1e-9, abs=1e-12)
  assert np.abs(ends[0]).max() > 1e-5


def test_many_tendons_move_like_native_ones():
  """Taut, over knees that they touch. Damping is explicit here and implicit there, so not in bits.

  Halving the step halves what that makes.
  """
  apart = []
  for halvings in (0, 1):
    ends = []
    for kind in ("cable", "native"):
      model, data = NAMES["tendons_300"].build(kind)
      model.opt.timestep /= 2**halvings
      mujoco.mj_step(model, data, nstep=200 * 2**halvings)
      ends.append(data.qpos.copy())
      for cable in mjc.bind(model, data).values():
        assert cable.status == mjc.SolveStatus.VALID and cable.source_tension > 0
    apart.append(np.abs(ends[0] - ends[1]).max())
  assert np.abs(ends[0]).max() > 0.3
  assert apart[0] < 1e-3 and apart[1] == pytest.approx(apart[0] / 2, rel=0.1)


def test_times_are_medians_with_a_spread():
  row = measure(NAMES["cylinder"], rounds=3, steps=20)
  assert set(row["times"]) == set(row["spread"]) == {"none", "native", "cable"}
  assert all(value > 0 for value in row["times"].values())
  assert ratios({"none": 1.0, "native": 3.0, "cable": 2.0}) == (2 / 3, 0.5)
  assert ratios({"none": 1.0, "cable": 2.0}) == (None, None)


def test_without_valgrind_there_is_a_cure(monkeypatch):
  monkeypatch.setattr(shutil, "which", lambda name: None)
  with pytest.raises(RuntimeError, match=r"valgrind is not installed; .* apt-get install valgrind"):
    instructions.count([NAMES["cylinder"]])


def test_checkouts_step_in_turns(monkeypatch, tmp_path):
  monkeypatch.setattr(beside, "TURNS", 1)
  with pytest.raises(RuntimeError, match=r"has no build.*make build"):
    beside.compare([tmp_path], ["cylinder"], 3, 10)
  # this library twice
  (tmp_path / "build").mkdir()
  (tmp_path / "build" / "libmujocable.so").symlink_to(library.find())
  for folder in ("src", "benchmarks"):
    (tmp_path / folder).symlink_to(ROOT / folder)
  times = beside.compare([tmp_path] * 2, ["cylinder", "winch"], 3, 10)
  assert {name: len(columns) for name, columns in times.items()} == {"cylinder": 2, "winch": 2}
  assert all(time > 0 for columns in times.values() for time in columns)


SIZES = (1, 4, 16, 64)


@pytest.fixture(scope="module")
def counts():
  """Instructions of this build, from one process: most of its time goes into imports."""
  if not shutil.which("valgrind"):
    pytest.skip("valgrind is not installed")
  return instructions.count([NAMES["cylinder"], *(NAMES[f"cables_{size}"] for size in SIZES)])


@pytest.mark.slow
def test_instructions_of_the_steps_alone_are_counted(counts):
  counted = counts["cylinder"]
  assert counted["none"] < counted["native"] and counted["none"] < counted["cable"]
  assert 1e3 < counted["none"] < 1e5  # an import of Python alone takes 1e9


@pytest.mark.slow
def test_another_cable_costs_what_the_one_before_cost(counts):
  """From 4 to 64 cables on one arm: doubling the number doubles the instructions.

  If MuJoCo looked through all sensors for every cable, the last 48 would cost a tenth more each.
  One alone costs more than each of many, which are solved together and share an instance: 0.46 of
  it when this was written, 0.50 when each had an instance, 0.78 when they were solved one by one.
  """
  rows = [counts[f"cables_{size}"] for size in SIZES]
  added = np.array([row["cable"] - row["none"] for row in rows])
  each = np.diff(added[1:]) / np.diff(SIZES[1:])
  assert each.max() < 1.05 * each.min()
  assert each.max() < 0.48 * added[0]


def test_the_page_is_the_saved_run():
  file = ROOT / "benchmarks" / "results.json"
  saved = json.loads(file.read_text(encoding="utf-8"))
  want = page.text(saved, "benchmarks/results.json")
  assert page.PAGE.read_text(encoding="utf-8") == want, (
    "run: python -m benchmarks --page benchmarks/results.json"
  )
  for scene in SCENES:
    row = saved["scenes"][scene.name]
    assert set(row["times"]) == set(row["instructions"]) == set(scene.kinds), scene.name


def test_an_unknown_scene_is_refused():
  done = subprocess.run(
    [sys.executable, "-m", "benchmarks", "cilinder"], capture_output=True, text=True, cwd=ROOT
  )
  assert done.returncode == 2 and "no scene cilinder; scenes: winch" in done.stderr
