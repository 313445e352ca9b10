"""Every verb: its help, models that are none, what the user wrote, and robots by name."""

import json
import re

import mujoco
import numpy as np
import pytest
from machines import arm

from mujocable.cli import console
from mujocable.cli.__main__ import VERBS, main
from mujocable.cli.console import USAGE


@pytest.mark.parametrize("verb", VERBS)
def test_help_teaches_with_an_example(verb, ask):
  code, out, _ = ask(verb, "--help")
  assert code == 0
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


def test_a_model_that_crashes_mujoco_while_it_is_read(ask, tmp_path):
  """<replicate> and a plugin's sensor without an object; with one, the cable is as any other."""
  text = arm(route='<site site="wall"/> <site site="tip"/>')
  sites = re.findall(r'<site name="(\w+)"', text)
  assert len(sites) > 1
  cable = f"""<extension><plugin plugin="mujocable.cable"><instance name="c">
    <config key="route" value="anchor {sites[0]}; anchor {sites[1]}"/>
    <config key="stiffness" value="100"/></instance></plugin></extension>"""
  grid = '<replicate count="2" offset="1 0 0"><geom size=".1" pos="0 9 9"/></replicate>'
  text = text.replace("</worldbody>", "<include file='grid.xml'/></worldbody>", 1)
  (tmp_path / "grid.xml").write_text(f"<mujocoinclude>{grid}</mujocoinclude>")
  for named in ("", f'objtype="site" objname="{sites[0]}"'):
    sensor = f'<plugin name="c" plugin="mujocable.cable" instance="c" {named}/>'
    (tmp_path / "parts").mkdir(exist_ok=True)  # files in it are named as seen from the model
    (tmp_path / "parts" / "sensor.xml").write_text(f"<mujoco>{sensor}</mujoco>")
    also = '<mujoco><include file="parts/sensor.xml"/></mujoco>'
    (tmp_path / "parts" / "sensors.xml").write_text(also)
    for one in (sensor, '<include file="parts/sensors.xml"/>'):
      whole = text.replace("</mujoco>", f"{cable}<sensor>{one}</sensor></mujoco>")
      (tmp_path / "many.xml").write_text(whole)
      code, _, err = ask("check", "many.xml")
      assert ("many.xml: sensor 'c'" in err and "objname" in err) == (not named), err
      assert (code == USAGE) == (not named)


def test_a_cable_in_every_copy_of_a_replicate_is_refused(ask, tmp_path):
  """MuJoCo reads memory that is gone, and crashes or not; attached copies are fine."""
  part = """<site name="top"/>
    <body pos="0 0 -1"><joint type="slide"/><geom size=".1"/><site name="low"/></body>"""
  cable = """<extension><plugin plugin="mujocable.cable"><instance name="c">
    <config key="name" value="c"/> <config key="route" value="anchor top; anchor low"/>
    <config key="stiffness" value="100"/></instance></plugin></extension>
    <sensor><plugin name="c" plugin="mujocable.cable" instance="c" {}/></sensor>"""
  grid = f'<frame><replicate count="2" offset="1 0 0">{part}</replicate></frame>'
  sensor = cable.format('objtype="site" objname="low"')
  (tmp_path / "grid.xml").write_text(f"<mujoco>{sensor}<worldbody>{grid}</worldbody></mujoco>")
  code, _, err = ask("check", "grid.xml")
  assert code == USAGE and "sensor 'c'" in err and "<attach>" in err
  (tmp_path / "part.xml").write_text(
    f"<mujoco>{cable.format('')}<worldbody>{part}</worldbody></mujoco>"
  )
  copies = "".join(f'<frame><attach model="p" prefix="{x}_"/></frame>' for x in "ab")
  (tmp_path / "twice.xml").write_text(
    '<mujoco><asset><model name="p" file="part.xml"/></asset>'
    f"<worldbody>{copies}</worldbody></mujoco>"
  )
  code, out, _ = ask("check", "twice.xml")
  assert code != USAGE and "a_c" in out and "b_c" in out


def test_demo_lists_the_robots(ask):
  code, out, _ = ask("demo", "--list")
  assert code == 0 and all(name in out for name in console.robots())
  assert json.loads(ask("demo", "--list", "--json")[1]) == console.robots()
  code, _, err = ask("demo", "fingr")
  assert code == USAGE and "did you mean 'finger'?" in err


def test_demo_of_any_robot_into_files(ask, tmp_path):
  code, _, _ = ask("demo", "atwood", "--headless", "--no-pictures")
  assert code == 0
  assert {"run.csv", "report.html"} <= {p.name for p in (tmp_path / "out/demo/atwood").iterdir()}


@pytest.mark.parametrize("name", sorted(console.robots()))
def test_every_robot_runs(name, ask):
  code, out, _ = ask(
    "run", name, "--duration", 0.1, "--motion", "turns", "--no-plots", "--no-report"
  )
  assert code == 0 and "100%" in out  # of the paths are valid


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
  assert code == 0 and served["model"].nu == 2 and served["port"] == 0
  data = mujoco.MjData(served["model"])
  data.time = 1.0
  served["control"](served["model"], data)
  assert np.any(data.ctrl != 0)


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
  code, out, err = ask("report-bug", "fingre")
  assert code == USAGE and "did you mean 'finger'?" in err and "Traceback" not in out + err


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
