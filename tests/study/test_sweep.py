"""Sweeps: independent of who ran what; whatever happens, finished points stay."""

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import mujoco
import pytest

import mujocable as mjc
from mujocable.errors import BadValue
from mujocable.models import winch
from mujocable.study.jobs import journal as journals
from mujocable.study.sweep import axis, sweep

AXES = [axis("hoist.friction=0:0.3:3"), axis("geom:sheave.radius=0.10,0.12")]


def lift(**more):
  return sweep(winch.build(), AXES, motion="ramp", duration=0.3, **more)


@pytest.fixture(scope="module")
def plain():
  return lift()


def test_a_compiled_model_is_refused():
  with pytest.raises(BadValue, match=r"spec must be a mujoco\.MjSpec, got MjModel"):
    sweep(winch.build().compile(), AXES)  # pyright: ignore


def test_numbers_do_not_depend_on_the_number_of_workers(plain):
  assert plain.done == plain.total == 6 and not plain.failed
  assert lift(workers=2).rows == plain.rows


def test_a_stopped_sweep_is_resumed_to_the_same_table(plain, tmp_path):
  def stop(result):
    if result.done == 2:
      raise KeyboardInterrupt

  with pytest.raises(KeyboardInterrupt):
    lift(folder=tmp_path, finished=stop)
  lines = (tmp_path / journals.NAME).read_text().splitlines()
  assert len(lines) == 3 and json.loads(lines[0])["total"] == 6
  # cut off in the middle of a line, as a killed process leaves it
  (tmp_path / journals.NAME).write_text("\n".join(lines) + '\n{"index": 4, "poi')
  ran = []
  again = lift(folder=tmp_path, resume=True, finished=lambda result: ran.append(result.done))
  assert again.rows == plain.rows and len(ran) == 4
  # a finished one is not run again
  whole = lift(folder=tmp_path, resume=True, finished=lambda result: pytest.fail("ran"))
  assert whole.rows == plain.rows


def test_points_of_another_study_are_not_mixed_in(tmp_path):
  def stop(result):
    raise KeyboardInterrupt

  with pytest.raises(KeyboardInterrupt):
    lift(folder=tmp_path, finished=stop)
  with pytest.raises(BadValue, match="holds 1 of 6 points of this study; resume it"):
    lift(folder=tmp_path)
  with pytest.raises(BadValue, match="holds the points of another study"):
    sweep(winch.build(), AXES[:1], duration=0.3, folder=tmp_path, resume=True)


def test_points_of_another_mesh_are_not_mixed_in(tmp_path):
  """The model names the file alone; what is in it decides where the cable runs."""
  corners = "v 0 0 0\nv .2 0 0\nv 0 .2 0\nv 0 0 {}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
  scene = """
  <mujoco> <asset> <mesh name="stone" file="stone.obj"/> </asset>
    <worldbody> <site name="motor" pos="0 0 1"/>
      <body> <joint type="slide" axis="0 0 1"/> <geom type="mesh" mesh="stone"/> <site name="hook"/>
      </body> </worldbody> </mujoco>
  """

  def asked(height, **more):
    stone = tmp_path / "stone.obj"
    stone.write_text(corners.format(height))
    os.utime(stone, (1e9 * (1 + height),) * 2)  # MuJoCo remembers files by their time
    (tmp_path / "scene.xml").write_text(scene)
    spec = mujoco.MjSpec.from_file(str(tmp_path / "scene.xml"))
    rope = mjc.Axial(stiffness=1e5, damping=300.0)
    mjc.add_cable(spec, mjc.Cable("rope", [mjc.Anchor("motor"), mjc.Anchor("hook")], rope))
    return sweep(spec, ["rope.damping=300,400"], motion="rest", duration=0.05, **more)

  (light, *_) = asked(0.1, folder=tmp_path / "out").rows
  assert asked(0.1, folder=tmp_path / "out", resume=True).rows[0] == light
  with pytest.raises(BadValue, match="holds the points of another study"):
    asked(0.2, folder=tmp_path / "out", resume=True)
  assert asked(0.2).rows[0]["peak_tension"] > 1.5 * light["peak_tension"]


def test_a_full_disk_loses_nothing(plain, tmp_path, monkeypatch):
  """/dev/full takes no byte: the points stay in memory, the file is named."""
  if not Path("/dev/full").exists():
    pytest.skip("no /dev/full here")
  made = journals.Journal.__init__

  def on_a_full_disk(self, *args, **more):
    made(self, *args, **more)
    self._file.close()
    self._file = open("/dev/full", "a")  # noqa: SIM115

  monkeypatch.setattr(journals.Journal, "__init__", on_a_full_disk)
  found = lift(folder=tmp_path)
  assert found.rows == plain.rows
  assert "/dev/full" in found.unsaved and "No space left" in found.unsaved


def test_a_model_that_fails_at_one_point_fails_alone(plain):
  found = sweep(winch.build(), [axis("geom:sheave.radius=0.12,-1")], motion="ramp", duration=0.3)
  ((point, why),) = found.failed.items()
  assert point == "geom:sheave.radius=-1" and "size 0 must be positive" in why
  good = [row for row in found.rows if not row["trouble"]]
  (same,) = [
    r for r in plain.rows if r["hoist.friction"] == 0.15 and r["geom:sheave.radius"] == 0.12
  ]
  assert good[0]["peak_tension"] == same["peak_tension"]


def test_ctrl_c_keeps_every_point_and_resume_goes_on(tmp_path):
  """The command in a process of its own, interrupted as a terminal does it."""
  command = [sys.executable, "-m", "mujocable.cli", "sweep", "winch"]
  # each point takes about a tenth of a second, and whoever watches goes first: the signal arrives
  # long before the last one
  command += ["--vary", "hoist.friction=0:0.3:40", "--duration", "5", "--no-plots", "-o", "res"]
  command += ["--motion", "rest", "--no-fit-motion"]
  process = subprocess.Popen(
    ["nice", *command, "--workers", "2"],
    cwd=tmp_path,
    stdout=subprocess.PIPE,
    stderr=subprocess.PIPE,
    text=True,
    start_new_session=True,
  )
  path = tmp_path / "res" / journals.NAME
  while process.poll() is None and (not path.exists() or len(path.read_text().splitlines()) < 4):
    time.sleep(0.05)
  os.killpg(process.pid, signal.SIGINT)
  _, err = process.communicate(timeout=60)
  assert process.returncode == 130, err
  assert "Traceback" not in err and "of 40 points are in res; --resume goes on" in err
  kept = len(path.read_text().splitlines()) - 1
  assert kept >= 3 and (tmp_path / "res" / "sweep.csv").exists()
  done = subprocess.run(
    [*command, "--workers", "1", "--resume", "--json"],
    cwd=tmp_path,
    capture_output=True,
    text=True,
    check=False,
    timeout=120,
  )
  assert len(json.loads(done.stdout)) == 40


def test_a_point_that_loses_its_path_says_so_in_its_row_alone(capfd, tmp_path, monkeypatch):
  """Not once more for each point on the error stream, and in MuJoCo's log."""
  monkeypatch.chdir(tmp_path)
  axes = ["hoist.friction=0,0.1"]
  table = sweep(winch.build(), axes, motion="pull", duration=4.0, fit_motion=False)
  assert all("invalid" in row["trouble"] for row in table.rows)
  assert "WARNING" not in capfd.readouterr().err


def test_axes_are_a_list():
  with pytest.raises(BadValue, match="axes must be a list, such as"):
    sweep(winch.build(), "hoist.friction=0,0.1")


def test_every_curve_of_a_sweep_is_named_and_looks_its_own_way():
  pytest.importorskip("matplotlib")
  from mujocable.viewer.sweeps import plot_sweep

  measures = dict.fromkeys(("peak_tension", "end_tension", "efficiency", "lost"), 1.0)
  names = ["rope.friction", "rope.EA", "rope.lag"]
  rows = [
    {**dict(zip(names, values, strict=True)), **measures}
    for values in itertools.product((0.0, 0.1), (1.0, 2.0, 3.0, 4.0), (0.1, 0.2, 0.3))
  ]
  figure = plot_sweep(rows, names, "rope")
  lines = figure.axes[0].get_lines()
  assert len({(line.get_color(), line.get_linestyle()) for line in lines}) == len(lines) == 12
  (legend,) = figure.legends
  assert [text.get_text() for text in legend.get_texts()] == [line.get_label() for line in lines]
  assert figure.axes[0].get_xlabel() == "rope.friction"


def test_units_of_fits_and_designs_are_written_beside_their_names():
  from mujocable.viewer.units import with_unit

  found = {
    "rope.EA": "N",
    "rope.tension[-1]": "N",
    "rope.damping": "N s/m",
    "site:tip.force": "N",
    "site:tip.x": "m",
    "geom:load.mass": "kg",
    "length.pull": "m",
  }
  for name, unit in found.items():
    assert with_unit(name) == f"{name} [{unit}]"
  for name in ("rope.friction", "rope.efficiency", "joint:knee.stiffness", "qpos.knee", "force.a"):
    assert with_unit(name) == name
