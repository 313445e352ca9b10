"""mujocable run: what it writes, what it says, how it ends."""

import csv
import json
import re
import sys
import xml.etree.ElementTree as ET

import mujoco
import pytest

import mujocable as mjc
from mujocable.cli.console import MISSING, TROUBLE, USAGE
from mujocable.study.motion import preset


def test_run_follows_a_csv_and_writes_everything(ask, tmp_path):
  (tmp_path / "moves.csv").write_text("time,hoist\n0,0\n0.1,0.01\n0.2,0.01\n")
  code, out, _ = ask("run", "winch", "--commands", "moves.csv", "-o", "res", "--rate", 50)
  assert code == 0 and "hoist" in out
  with (tmp_path / "res" / "run.csv").open() as file:
    rows = list(csv.DictReader(file))
  assert float(rows[-1]["time"]) == pytest.approx(0.2, abs=0.02)
  assert float(rows[-1]["ctrl.hoist"]) == pytest.approx(0.01)
  assert {"hoist_time.svg", "hoist_along.svg", "hoist_shape.svg", "report.html"} <= {
    p.name for p in (tmp_path / "res").iterdir()
  }
  assert ET.parse(tmp_path / "res" / "hoist_along.svg").getroot().tag.endswith("svg")


def test_every_cable_has_files_of_its_own_whatever_its_name(ask, tmp_path):
  """Names that differ in a letter no file may have, that are long, or read like markup."""
  names = ["a/b", "a_b", "x" * 300, "é" * 200, "[red]b[/red]"]
  spec = mujoco.MjSpec()
  spec.worldbody.add_site(name="a")
  body = spec.worldbody.add_body(pos=[1, 0, 0])
  body.add_joint(name="hinge", axis=[0, 1, 0])
  body.add_geom(size=[0.1, 0, 0], pos=[0.2, 0, 0])
  body.add_site(name="b", pos=[0.2, 0, 0])
  route = [mjc.Anchor("a"), mjc.Anchor("b")]
  for name in names:
    mjc.add_cable(spec, mjc.Cable(name, route, mjc.Axial(stiffness=100.0)))
  spec.compile()
  (tmp_path / "many.xml").write_text(spec.to_xml(), encoding="utf-8")
  code, out, err = ask("run", "many.xml", "--duration", 0.01, "--motion", "rest", "-o", "res")
  assert code == 0, err
  drawn = {path.name for path in (tmp_path / "res").glob("*_time.svg")}
  assert len(drawn) == len(names) and all(name in out for name in drawn)
  code, out, err = ask("sweep", "many.xml", "--vary", "*.friction=0", "--duration", 0.01, "-o", "s")
  assert code == 0, err
  drawn = {path.name for path in (tmp_path / "s").glob("*_sweep.svg")}
  assert len(drawn) == len(names) and all(name in out for name in drawn)


def test_run_writes_parquet(ask, tmp_path):
  parquet = pytest.importorskip("pyarrow.parquet")
  code, out, _ = ask(
    "run", "atwood", "--duration", 0.1, "--table", "parquet", "--no-plots", "--no-report", "--json"
  )
  assert code == 0 and json.loads(out)["written"] == ["run.parquet"]
  table = parquet.read_table(tmp_path / "out" / "run" / "run.parquet")
  assert "time" in table.column_names and table.num_rows == json.loads(out)["rows"]


def test_run_draws_a_video_where_it_can(ask, tmp_path):
  quick = ["--duration", 0.2, "--motion", "rest", "--no-plots", "--no-report"]
  code, _, err = ask("run", "winch", *quick, "--video", "--fps", 10)
  assert code == 0
  # (tests/viewer/test_offscreen.py looks whether there is one)
  if "no offscreen OpenGL here" not in err:
    assert (tmp_path / "out" / "run" / "video.mp4").stat().st_size > 1000
    assert (tmp_path / "out" / "run" / "strip.png").stat().st_size > 1000


def test_run_says_why_there_is_no_video(ask, monkeypatch):
  from mujocable.viewer import offscreen

  monkeypatch.delenv("MUJOCO_GL", raising=False)
  monkeypatch.setattr(offscreen, "works", lambda backend: False)
  code, _, err = ask("run", "atwood", "--duration", 0.05, "--no-plots", "--no-report", "--video")
  assert code == 0 and "no video:" in err and "libegl1" in err


@pytest.mark.parametrize(
  ("text", "message"),
  [
    ("", "the file is empty"),
    ("flexor\n1\n", "no column 'time'"),
    ("time,flexr\n0,0\n", "'flexr' is not an actuator of this model"),
    ("time,flexor\n0,0\n0,1\n", "must have at least one row and only grow"),
    ("time,flexor\n0,lots\n", "line 2, column 'flexor': 'lots' is not a number"),
    ("time,flexor\n0\n", "line 2 has 1 cells, the first line 2"),
    ("time,flexor\n\n0\n", "line 3 has 1 cells, the first line 2"),
    ("time,flexor,flexor\n0,0,1\n", "column 'flexor' stands twice; give it once"),
  ],
)
def test_run_refuses_a_bad_csv(text, message, ask, tmp_path):
  (tmp_path / "moves.csv").write_text(text)
  code, _, err = ask("run", "finger", "--commands", "moves.csv")
  assert code == USAGE and message in err


@pytest.mark.parametrize(
  ("arguments", "message"),
  [
    (["--motion", "dance"], "motion must be one of rest, ramp, pull, turns, cycle, hold, waves"),
    (["--duration", "-1"], "duration must be finite and > 0"),
    (["--rate", "0"], "rate must be finite and > 0"),
    (["--keyframe", "k"], "no keyframe 'k'"),
    (["--table", "xls"], "--table must be one of csv, parquet"),
    (["--commands", "gone.csv"], "gone.csv"),
    (
      ["--camera", "c", "--video", "--no-plots", "--no-report", "--duration", ".05"],
      "no camera 'c'",
    ),
  ],
)
def test_run_refuses(arguments, message, ask):
  code, _, err = ask("run", "finger", *arguments)
  assert code == USAGE and message in err


@pytest.mark.parametrize("inside", ["", "<body><joint/><geom size='1'/></body>"])
def test_run_without_cables(inside, ask, tmp_path):
  """Also of a model in which nothing moves."""
  text = f"<mujoco><worldbody>{inside}</worldbody></mujoco>"
  (tmp_path / "plain.xml").write_text(text)
  code, _, err = ask("run", "plain.xml")
  assert code == USAGE and "'plain.xml' has no cables; mujocable convert" in err
  moves = preset(mujoco.MjModel.from_xml_string(text), "pull", 1.0)
  assert moves(0.5).shape == (0,)


def test_run_says_when_it_is_not_to_be_trusted(ask, tmp_path):
  """The whole range of the winch, at once: the payload flies over its sheave."""
  (tmp_path / "moves.csv").write_text("time,hoist\n0,0\n0.8,18.8\n2,18.8\n")
  options = ["--commands", "moves.csv", "--no-plots", "-o", "res", "--rate", 20]
  code, out, err = ask("run", "winch", *options, "--json")
  data = json.loads(out)
  kinds = {one["kind"] for one in data["troubles"]}
  assert code == TROUBLE and kinds == {"invalid", "flies", "saturated"}
  assert "invalid: hoist" in err and "flies: hoist" in err and "250 N" in err
  report = json.loads((tmp_path / "res" / "report.json").read_text())
  assert report["verdict"].startswith("Not to be trusted")
  page = (tmp_path / "res" / "report.html").read_text()
  assert page.index("Not to be trusted") < page.index("<table")
  assert "http" not in page.replace("http-equiv", "")  # nothing from elsewhere


def test_run_does_not_depend_on_the_sampling_rate(ask, tmp_path):
  (tmp_path / "moves.csv").write_text("time,flexor,extensor\n0,0,0\n0.3,.02,-.02\n0.5,0,0\n")
  found = []
  for rate in (25, 30, 2000):
    options = ["--commands", "moves.csv", "--no-plots", "--no-report", "--rate", rate, "--json"]
    _, out, _ = ask("run", "finger", *options)
    found.append(json.loads(out)["cables"])
  assert found[0] == found[1] == found[2]
  assert found[0]["flexor"]["steps"] == 1000 and found[0]["flexor"]["peak_tension"] > 0.1


def test_run_of_a_converted_model_says_how_far_its_tendon_was_pulled(ask, arm_file, tmp_path):
  """Judge: the length of the path in the table, in every step."""
  ask("convert", arm_file, "-o", "cables.xml")
  options = ["--duration", 0.1, "--no-plots", "--no-report", "--rate", 1e6]
  _, out, _ = ask("run", "cables.xml", *options, "--json")
  (account,) = json.loads(out)["cables"].values()
  with (tmp_path / "out" / "run" / "run.csv").open() as file:
    lengths = [float(row["t.length"]) for row in csv.DictReader(file)]
  assert account["stroke"] == pytest.approx(max(lengths) - min(lengths)) and account["stroke"] > 0
  assert "stroke" in ask("run", "cables.xml", *options)[1]


def test_run_looks_for_the_camera_before_it_simulates(ask, monkeypatch):
  from mujocable.cli import run as running

  monkeypatch.setattr(running, "simulate", lambda *a, **k: pytest.fail("simulated"))
  code, _, err = ask("run", "finger", "--camera", "c", "--video")
  assert code == USAGE and "no camera 'c'" in err


def test_a_missing_extra_is_named(ask, monkeypatch):
  monkeypatch.setitem(sys.modules, "pyarrow", None)
  code, _, err = ask("run", "atwood", "--duration", 0.05, "--table", "parquet")
  assert code == MISSING and re.search(r'pip install ".*\[parquet\].*"', err)
