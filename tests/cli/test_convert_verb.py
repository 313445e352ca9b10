"""mujocable convert and check: what they write, what they say, how they end."""

import json

import mujoco
import numpy as np
import pytest
from machines import MACHINES

import mujocable as mjc
from mujocable.cli.console import FOUND, USAGE


def test_convert_writes_a_model_with_friction(ask, arm_file, tmp_path):
  code, out, _ = ask("convert", arm_file, "--friction", 0.1, "-o", tmp_path / "cables.xml")
  assert code == 0 and "1 converted, 0 native" in out and "written to" in out
  model = mujoco.MjModel.from_xml_path(str(tmp_path / "cables.xml"))
  view = mjc.bind(model, mujoco.MjData(model))["t"]
  assert np.all(view.friction == 0.1) and view.friction.size == 3


def test_convert_draws_a_report(ask, arm_file, tmp_path):
  code, out, _ = ask("convert", arm_file, "--friction", 0.1, "--report", tmp_path / "arm.html")
  assert code == 0 and "report in" in out
  text = (tmp_path / "arm.html").read_text()
  assert text.count("<svg") == 2 and "What friction takes" in text


def test_convert_takes_the_recipe_of_a_robot(ask, tmp_path):
  code, out, _ = ask("convert", "soft_foot", "-o", tmp_path / "foot.xml")
  assert code == 0 and "recipe of this robot: friction 0.1" in out
  assert "the same to the bit when read back" in out
  cables = mjc.read_cables(mujoco.MjSpec.from_file(str(tmp_path / "foot.xml")))
  assert cables["plantar:rope"].friction == 0.1
  code, out, _ = ask("convert", "soft_foot", "--friction", 0.3, "--json")
  assert code == 0 and json.loads(out)["friction"] == 0.3


def test_convert_says_where_friction_acts_nowhere(ask):
  code, out, err = ask("convert", "winch", "--friction", 0.1)
  assert code == FOUND and "1 cable of its own keeps its friction (0.15" in out
  assert "friction 0.1 acts nowhere" in err


def test_convert_as_json(ask, arm_file):
  code, out, _ = ask("convert", arm_file, "--json")
  data = json.loads(out)
  assert code == 0 and data["converted"][0]["tendon"] == "t"
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
  assert code == 0, err
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
  assert code == 0 and "no spatial tendons" in out


# ---- check ---------------------------------------------------------------------------------------


def test_check_of_a_sound_model(ask, arm_file):
  code, out, _ = ask("check", arm_file, "--goals", 4)
  assert code == 0 and "sound" in out and "wall > boss" in out


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
