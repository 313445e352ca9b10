"""Every verb with good and with bad input: what it writes, what it says, how it ends."""

import csv
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import mujoco
import numpy as np
import pytest
from machines import MACHINES, arm

import mujocable as mjc
from mujocable.cli import console
from mujocable.cli.__main__ import VERBS, main

OK, FOUND, USAGE, MISSING = 0, console.FOUND, console.USAGE, console.MISSING
TROUBLE = console.TROUBLE


@pytest.fixture
def ask(capsys, monkeypatch, tmp_path):
  """Runs the command in a folder of its own; returns exit code, output and errors."""
  monkeypatch.chdir(tmp_path)
  monkeypatch.setenv("COLUMNS", "160")

  def run(*arguments):
    code = main([str(a) for a in arguments])
    text = capsys.readouterr()
    return code, text.out, text.err

  return run


@pytest.fixture
def arm_file(tmp_path):
  path = tmp_path / "arm.xml"
  path.write_text(MACHINES["motor"][0])
  return path


# ---- help ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", VERBS)
def test_help_teaches_with_an_example(verb, ask):
  code, out, _ = ask(verb, "--help")
  assert code == OK
  assert "Example" in out and f"mujocable {verb}" in out


def test_an_unknown_verb_is_named_with_the_known_ones(ask):
  code, _, err = ask("chek")
  assert code == USAGE
  assert "no verb 'chek'" in err and "did you mean 'check'?" in err and "convert" in err


def test_no_verb_lists_them(ask):
  code, out, err = ask()
  assert code == USAGE
  assert all(verb in out + err for verb in VERBS)


@pytest.mark.parametrize("verb", ["view", "check", "convert", "run"])
def test_a_model_that_is_not_there(verb, ask):
  code, _, err = ask(verb, "robot.xml")
  assert code == USAGE and "'robot.xml' is not a file" in err and "winch" in err
  code, _, err = ask(verb, "fingre")
  assert code == USAGE and "did you mean 'finger'?" in err


@pytest.mark.parametrize("verb", ["view", "check", "convert", "run"])
def test_a_model_that_is_none(verb, ask, tmp_path):
  (tmp_path / "bad.xml").write_text("<mujoco><worldbody><site/></worldbody>")
  code, _, err = ask(verb, "bad.xml")
  assert code == USAGE and err.startswith("error: bad.xml: XML")
  (tmp_path / "loop.xml").write_text(arm(route='<site site="wall"/> <site site="nowhere"/>'))
  code, _, err = ask(verb, "loop.xml")
  assert code == USAGE and "nowhere" in err


# ---- convert -------------------------------------------------------------------------------------


def test_convert_writes_a_model_with_friction(ask, arm_file, tmp_path):
  code, out, _ = ask("convert", arm_file, "--friction", 0.1, "-o", tmp_path / "cables.xml")
  assert code == OK and "1 converted, 0 native" in out and "written to" in out
  model = mujoco.MjModel.from_xml_path(str(tmp_path / "cables.xml"))
  view = mjc.bind(model, mujoco.MjData(model))["t"]
  assert np.all(view.friction == 0.1) and view.friction.size == 3


def test_convert_draws_a_report(ask, arm_file, tmp_path):
  code, out, _ = ask("convert", arm_file, "--friction", 0.1, "--report", tmp_path / "arm.html")
  assert code == OK and "report in" in out
  text = (tmp_path / "arm.html").read_text()
  assert text.count("<svg") == 2 and "What friction takes" in text


def test_convert_takes_the_recipe_of_a_robot(ask, tmp_path):
  code, out, _ = ask("convert", "soft_foot", "-o", tmp_path / "foot.xml")
  assert code == OK and "recipe of this robot: friction 0.1" in out
  assert "the same to the bit when read back" in out
  cables = mjc.read_cables(mujoco.MjSpec.from_file(str(tmp_path / "foot.xml")))
  assert cables["plantar:rope"].friction == 0.1
  code, out, _ = ask("convert", "soft_foot", "--friction", 0.3, "--json")
  assert code == OK and json.loads(out)["friction"] == 0.3


def test_convert_says_where_friction_acts_nowhere(ask):
  code, out, err = ask("convert", "winch", "--friction", 0.1)
  assert code == FOUND and "1 cable of its own keeps its friction (0.15" in out
  assert "friction 0.1 acts nowhere" in err


def test_convert_as_json(ask, arm_file):
  code, out, _ = ask("convert", arm_file, "--json")
  data = json.loads(out)
  assert code == OK and data["converted"][0]["tendon"] == "t"
  assert data["converted"][0]["length_error_m"] < 1e-8


def test_convert_finds_meshes_from_another_folder(ask, tmp_path):
  """The written file lies elsewhere, its meshes stay where they are."""
  (tmp_path / "parts").mkdir()
  (tmp_path / "elsewhere").mkdir()
  corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
  faces = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
  (tmp_path / "parts" / "wedge.obj").write_text(corners + faces)
  xml = MACHINES["motor"][0].replace(
    "<worldbody>",
    '<asset><mesh name="wedge" file="wedge.obj" scale=".1 .1 .1"/></asset><worldbody>'
    '<geom type="mesh" mesh="wedge" pos="2 0 0"/>',
  )
  xml = xml.replace("<compiler ", '<compiler meshdir="parts" ')
  (tmp_path / "model.xml").write_text(xml)
  code, _, err = ask("convert", "model.xml", "-o", "elsewhere/cables.xml")
  assert code == OK, err
  assert mujoco.MjModel.from_xml_path(str(tmp_path / "elsewhere" / "cables.xml")).nmesh == 1


@pytest.mark.parametrize(
  ("arguments", "message"),
  [
    (["--friction", "-1"], "friction must be finite and >= 0"),
    (["--only", "tt"], "tendon 'tt' is not a tendon of this model; spatial tendons here: 't'"),
    (["-o", "model.txt"], "must end in .xml"),
    (["-o", "no/such/folder.xml"], "is not a folder"),
    (["--push", "maybe"], "push must be one of 'slack', 'native'"),
    (["--report", "page.txt"], "must end in .html"),
    (["--report", "no/such/page.html"], "is not a folder"),
    (["--share", "2"], "share must be from 0 to 1"),
  ],
)
def test_convert_refuses(arguments, message, ask, arm_file):
  code, _, err = ask("convert", arm_file, *arguments)
  assert code == USAGE and message in err


def test_convert_says_when_there_is_nothing(ask):
  code, out, _ = ask("convert", "winch")
  assert code == OK and "no spatial tendons" in out


# ---- check ---------------------------------------------------------------------------------------


def test_check_of_a_sound_model(ask, arm_file):
  code, out, _ = ask("check", arm_file, "--goals", 4)
  assert code == OK and "sound" in out and "wall > boss" in out


def test_check_ends_with_1_where_there_is_an_error(ask, tmp_path):
  block = '<geom name="block" type="box" size=".02 .02 .02" pos="-.1 0 1.05"/>'
  xml = MACHINES["motor"][0].replace("<worldbody>", f"<worldbody>{block}")
  (tmp_path / "pierced.xml").write_text(xml)
  code, out, _ = ask("check", "pierced.xml", "--goals", 2)
  assert code == FOUND and "through geom 'block'" in out and "not sound" in out
  code, out, _ = ask("check", "pierced.xml", "--goals", 2, "--json")
  assert code == FOUND and not json.loads(out)["ok"]


def test_check_refuses(ask, arm_file):
  code, _, err = ask("check", arm_file, "--steps", 1)
  assert code == USAGE and "steps must be at least 2" in err


# ---- run -----------------------------------------------------------------------------------------


def test_run_follows_a_csv_and_writes_everything(ask, tmp_path):
  (tmp_path / "moves.csv").write_text("time,hoist\n0,0\n0.1,0.01\n0.2,0.01\n")
  code, out, _ = ask("run", "winch", "--commands", "moves.csv", "-o", "res", "--rate", 50)
  assert code == OK and "hoist" in out
  with (tmp_path / "res" / "run.csv").open() as file:
    rows = list(csv.DictReader(file))
  assert float(rows[-1]["time"]) == pytest.approx(0.2, abs=0.02)
  assert float(rows[-1]["ctrl.hoist"]) == pytest.approx(0.01)
  assert {"hoist_time.svg", "hoist_along.svg", "hoist_shape.svg", "report.html"} <= {
    p.name for p in (tmp_path / "res").iterdir()
  }
  assert ET.parse(tmp_path / "res" / "hoist_along.svg").getroot().tag.endswith("svg")


def test_run_writes_parquet(ask, tmp_path):
  parquet = pytest.importorskip("pyarrow.parquet")
  code, out, _ = ask(
    "run", "atwood", "--duration", 0.1, "--table", "parquet", "--no-plots", "--no-report", "--json"
  )
  assert code == OK and json.loads(out)["written"] == ["run.parquet"]
  table = parquet.read_table(tmp_path / "out" / "run" / "run.parquet")
  assert "time" in table.column_names and table.num_rows == json.loads(out)["rows"]


def test_run_draws_a_video_where_it_can(ask, tmp_path):
  from mujocable.viewer import offscreen

  code, _, err = ask(
    "run", "winch", "--duration", 0.2, "--no-plots", "--no-report", "--video", "--fps", 10
  )
  assert code == OK
  if next(filter(offscreen.works, offscreen.candidates()), None):
    assert (tmp_path / "out" / "run" / "video.mp4").stat().st_size > 1000
    assert (tmp_path / "out" / "run" / "strip.png").stat().st_size > 1000
  else:
    assert "no offscreen OpenGL here" in err


def test_run_says_why_there_is_no_video(ask, monkeypatch):
  from mujocable.viewer import offscreen

  monkeypatch.delenv("MUJOCO_GL", raising=False)
  monkeypatch.setattr(offscreen, "works", lambda backend: False)
  code, _, err = ask("run", "atwood", "--duration", 0.05, "--no-plots", "--no-report", "--video")
  assert code == OK and "no video:" in err and "libegl1" in err


@pytest.mark.parametrize(
  ("text", "message"),
  [
    ("", "the file is empty"),
    ("flexor\n1\n", "no column 'time'"),
    ("time,flexr\n0,0\n", "'flexr' is not an actuator of this model"),
    ("time,flexor\n0,0\n0,1\n", "must have at least one row and only grow"),
    ("time,flexor\n0,lots\n", "line 2, column 'flexor': 'lots' is not a number"),
    ("time,flexor\n0\n", "line 2 has 1 cells, the first line 2"),
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


def test_run_of_a_converted_model_has_no_column_for_take_up(ask, arm_file):
  """Its tension comes from the tendon; nothing is taken in."""
  ask("convert", arm_file, "-o", "cables.xml")
  _, out, _ = ask("run", "cables.xml", "--duration", 0.1, "--no-plots", "--no-report")
  assert "work in" in out and "take-up" not in out
  assert "take-up" in ask("run", "winch", "--duration", 0.1, "--no-plots", "--no-report")[1]


def test_run_looks_for_the_camera_before_it_simulates(ask, monkeypatch):
  from mujocable.cli import run as running

  monkeypatch.setattr(running, "simulate", lambda *a, **k: pytest.fail("simulated"))
  code, _, err = ask("run", "finger", "--camera", "c", "--video")
  assert code == USAGE and "no camera 'c'" in err


def test_a_missing_extra_is_named(ask, monkeypatch):
  monkeypatch.setitem(sys.modules, "pyarrow", None)
  code, _, err = ask("run", "atwood", "--duration", 0.05, "--table", "parquet")
  assert code == MISSING and re.search(r'pip install ".*\[parquet\].*"', err)


# ---- sweep ---------------------------------------------------------------------------------------


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
  assert code == OK and "4 of 4 points" in out
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


# ---- demo, view ----------------------------------------------------------------------------------


def test_demo_lists_the_robots(ask):
  code, out, _ = ask("demo", "--list")
  assert code == OK and all(name in out for name in console.robots())
  assert json.loads(ask("demo", "--list", "--json")[1]) == console.robots()
  assert ask("demo", "wnich")[0] == USAGE


@pytest.mark.parametrize("name", ["atwood"])
def test_demo_of_any_robot_into_files(name, ask, tmp_path):
  code, _, _ = ask("demo", name, "--headless", "--no-pictures")
  assert code == OK
  assert {"run.csv", "report.html"} <= {p.name for p in (tmp_path / "out/demo" / name).iterdir()}


@pytest.mark.parametrize("name", sorted(console.robots()))
def test_every_robot_runs(name, ask):
  code, out, _ = ask(
    "run", name, "--duration", 0.1, "--motion", "turns", "--no-plots", "--no-report"
  )
  assert code == OK and "100%" in out  # of the paths are valid


def test_view_without_a_display_says_what_works(ask, monkeypatch):
  from mujocable.viewer import native

  monkeypatch.setattr(native, "why_not", lambda: "no display here")
  code, _, err = ask("view", "winch")
  assert code == USAGE and "no display here" in err and "--web" in err


def test_view_hands_the_model_to_the_browser_viewer(ask, monkeypatch):
  web = pytest.importorskip("mujocable.viewer.web")
  served = {}
  monkeypatch.setattr(web, "serve", lambda model, **options: served.update(options, model=model))
  code, _, _ = ask("view", "finger", "--web", "--port", 0, "--motion", "waves")
  assert code == OK and served["model"].nu == 2 and served["port"] == 0
  data = mujoco.MjData(served["model"])
  data.time = 1.0
  served["control"](served["model"], data)
  assert np.any(data.ctrl != 0)


def test_the_installed_command_is_this_one():
  """`python -m mujocable.cli`, in a process of its own."""
  command = [sys.executable, "-m", "mujocable.cli", "catalogue", "--json"]
  done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
  assert done.returncode == OK and json.loads(done.stdout)["materials"]


# ---- what newcomers stumbled over ----------------------------------------------------------------


def test_versions_are_one_line(capsys):
  assert main(["--version"]) == 0
  assert re.fullmatch(
    r"mujocable [\d.]+, MuJoCo [\d.]+, Python [\d.]+\w*\n", capsys.readouterr().out
  )


def test_a_report_of_a_bug_says_versions_cables_and_what_went_wrong(ask, tmp_path):
  code, out, _ = ask("report-bug", "atwood", "--steps", 3)
  assert code == 0 and f"MuJoCo {mujoco.mj_versionString()}" in out and "after 3 steps" in out
  broken = tmp_path / "broken.xml"
  broken.write_text("<mujoco><worldbody><geom/></worldbody></mujoco>")
  code, out, _ = ask("report-bug", broken)
  assert code == 0 and "Traceback" in out and "size 0 must be positive" in out


def test_what_the_user_wrote_comes_back_as_written(ask):
  code, _, err = ask("sweep", "atwood", "--vary", "cable.friction=a:b:c")
  assert code == USAGE and "a:b:c" in err


def test_the_engine_says_what_is_wrong_once(ask, tmp_path):
  text = """<mujoco>
  <extension><plugin plugin="mujocable.cable"><instance name="c">
    <config key="route" value="anchor a; wrap g; anchor b"/><config key="stiffness" value="9"/>
  </instance></plugin></extension>
  <worldbody><site name="a"/><site name="b" pos="1 0 0"/><geom name="g" size=".1"/></worldbody>
  <sensor><plugin name="c" plugin="mujocable.cable" instance="c"/></sensor></mujoco>"""
  file = tmp_path / "inside.xml"
  file.write_text(text)
  code, _, err = ask("check", file)
  assert code == USAGE and err.count("inside the surface") == 1 and "plugin->init" not in err


def test_names_that_do_not_exist_are_bad_input_with_a_suggestion(ask):
  code, _, err = ask("demo", "fingr")
  assert code == USAGE and "did you mean" in err
