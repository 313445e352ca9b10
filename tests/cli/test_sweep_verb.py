"""mujocable sweep: what it writes, what it says, how it ends."""

import csv
import json
import os
import subprocess
import sys

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.cli.console import TROUBLE, USAGE


def test_sweep_over_a_grid(ask, tmp_path):
  code, out, _ = ask(
    "sweep",
    "atwood",
    "--vary",
    "*.friction=0,0.1",
    "--vary",
    "*.stiffness=1e4,2e4",
    "--duration",
    0.1,
    "--workers",
    1,
    "-o",
    "res",
  )
  assert code == 0 and "4 of 4 points" in out
  with (tmp_path / "res" / "sweep.csv").open() as file:
    rows = list(csv.DictReader(file))
  assert [float(row["*.friction"]) for row in rows][:2] == [0.0, 0.0]
  assert list((tmp_path / "res").glob("*_sweep.svg"))


def test_sweep_equals_runs_one_by_one(ask, tmp_path):
  """Judge: a plain simulation with the same friction and commands, every step read by the view."""
  (tmp_path / "moves.csv").write_text("time,flexor,extensor\n0,0,0\n0.5,.01,-.01\n")
  vary = ["--vary", "flexor.friction=0,0.2"]
  _, out, _ = ask("sweep", "finger", *vary, "--commands", "moves.csv", "--no-plots", "--json")
  rows = [row for row in json.loads(out) if row["cable"] == "flexor"]
  from mujocable.models import finger

  model = finger.build().compile()
  for row in rows:
    data = mujoco.MjData(model)
    view = mjc.bind(model, data)["flexor"]
    view.friction = row["flexor.friction"]
    peak = 0.0
    for step in range(round(0.5 / model.opt.timestep)):
      take_up = np.interp(step * model.opt.timestep, [0, 0.5], [0, 0.01])
      data.ctrl[:] = take_up, -take_up
      mujoco.mj_step(model, data)
      peak = max(peak, view.source_tension)
    assert row["peak_tension"] == peak > 0


def test_sweep_moves_a_guide(ask):
  """A higher pulley makes a longer path: another model for each value."""
  _, out, _ = ask(
    "sweep",
    "winch",
    "--vary",
    "geom:sheave.radius=0.1,0.12",
    "--vary",
    "hoist.friction=0.1,0.2",
    "--duration",
    0.05,
    "--workers",
    1,
    "--json",
  )
  assert len(json.loads(out)) == 4


@pytest.mark.parametrize(
  ("vary", "message"),
  [
    ("hoist.friction", "cannot read 'hoist.friction'; accepted:"),
    ("hoist.friction=a,b", "cannot read the values"),
    ("hoist.friction=0:1:1000000000", "1000000000 values of 'hoist.friction=0:1:1000000000' are"),
    ("hoits.friction=0,1", "no cable 'hoits'; cables here: 'hoist'; did you mean 'hoist'?"),
    ("hoist.fricton=0,1", "a cable has no 'fricton'; accepted: "),
    ("hoist.friction=-1,1", "friction must be"),
    ("site:motr.x=0,1", "no site 'motr'"),
    ("site:motor.w=0,1", "a site has no 'w'; accepted: x, y, z"),
    ("hoist.friction[1]=0,1", "only the friction of one cable has an index"),
    ("joint:axle.radius=0,1", "a joint has no 'radius'; accepted: stiffness, damping"),
  ],
)
def test_sweep_refuses(vary, message, ask):
  code, _, err = ask("sweep", "winch", "--vary", vary, "--duration", 0.02)
  assert code == USAGE and message in err, err


def test_sweep_keeps_the_reason_of_a_point_that_fails(ask, tmp_path):
  """The other points run; the reason is in the table and on the error stream."""
  vary = ["--vary", "geom:sheave.radius=0.12,-1", "--duration", 0.05, "--workers", 1]
  code, out, err = ask("sweep", "winch", *vary, "--json")
  good, bad = json.loads(out)
  why = "size 0 must be positive"
  assert code == TROUBLE and good["trouble"] == "" and good["valid"] == 1
  assert why in bad["trouble"] and why in err and "geom:sheave.radius=-1" in err
  parquet = pytest.importorskip("pyarrow.parquet")
  table = parquet.read_table(tmp_path / "out" / "sweep" / "sweep.parquet")
  assert table.column("trouble").to_pylist() == [good["trouble"], bad["trouble"]]


def test_sweep_refuses_a_parameter_that_varies_twice(ask):
  """The second one would have undone the first, in a table with one column for both."""
  vary = ["--vary", "hoist.friction=0,0.1", "--vary", "hoist.friction=0.2,0.3"]
  code, _, err = ask("sweep", "winch", *vary, "--duration", 0.02)
  assert code == USAGE and "'hoist.friction' varies twice" in err


def test_a_reason_is_what_the_plugin_said():
  from mujocable.study.jobs.point import reason

  said = "Error: engine error: plugin->init failed for plugin id 1\ncable 'c': wrap 1 is buried"
  assert reason(ValueError(said)) == "cable 'c': wrap 1 is buried"


def test_sweep_of_what_has_no_effect_is_refused(ask, arm_file):
  """A converted cable pulls with what its tendon pulls with: it has no stiffness of its own."""
  ask("convert", arm_file, "-o", "cables.xml")
  code, _, err = ask("sweep", "cables.xml", "--vary", "t.stiffness=100,200")
  assert code == USAGE and "has no effect" in err and "friction" in err


def test_sweep_without_cables(ask, tmp_path):
  (tmp_path / "plain.xml").write_text("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
  code, _, err = ask("sweep", "plain.xml", "--vary", "a.friction=0,1")
  assert code == USAGE and "no cables" in err


@pytest.mark.parametrize("columns", [None, "60"])
def test_no_digit_is_cut_in_a_pipe_or_a_narrow_window(tmp_path, columns):
  environment = {key: text for key, text in os.environ.items() if key != "COLUMNS"}
  environment |= {} if columns is None else {"COLUMNS": columns}
  command = [sys.executable, "-m", "mujocable.cli", "sweep", "winch", "--duration", "0.05"]
  command += ["--vary", "hoist.friction=0.123,0.234", "--no-plots"]
  done = subprocess.run(
    command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True, timeout=120
  )
  assert "points" in done.stdout and "…" not in done.stdout
