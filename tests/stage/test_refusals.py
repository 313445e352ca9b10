"""Bad input in hand-written MJCF is refused at compile, and the reason reaches Python.

Each refusal names the cable and what was wrong. (In the public code NaN and negative parameters
pass, and the reason of a refusal never reaches Python.)
"""

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.runtime.library import table

del mjc  # importing it registers the plugin

WORLD = """
  <worldbody>
    <site name="a" pos="-1 0 0"/> <site name="top" pos="0 0 1"/> <site name="deep" pos="0 0 0.1"/>
    <geom name="post" type="cylinder" size="0.2 1" zaxis="0 1 0" contype="0" conaffinity="0"/>
    <geom name="brick" type="box" size="0.1 0.1 0.1" pos="0 0 3"/>
    <body pos="1 0 0"><joint type="slide" axis="1 0 0"/><geom size="0.05"/><site name="b"/></body>
  </worldbody>
"""
GOOD = {"route": "anchor a; wrap post side=top; anchor b", "stiffness": "100"}


def document(**config):
  keys = "".join(f'<config key="{k}" value="{v}"/>' for k, v in (GOOD | config).items() if v)
  return f"""<mujoco><extension><plugin plugin="mujocable.cable">
  <instance name="tie">{keys}</instance></plugin></extension>{WORLD}
  <sensor><plugin name="tie" plugin="mujocable.cable" instance="tie"/></sensor></mujoco>"""


def test_the_document_itself_is_good():
  model = mujoco.MjModel.from_xml_string(document())
  data = mujoco.MjData(model)
  mujoco.mj_step(model, data)
  assert np.all(np.isfinite(data.sensordata))


NUMBERS = ["stiffness", "damping", "friction", "max_tension", "radius", "transition"]


@pytest.mark.parametrize("value", ["nan", "-1", "abc", "1e", "-inf"])
@pytest.mark.parametrize("key", NUMBERS)
def test_numbers_that_are_none_are_refused(key, value):
  with pytest.raises(ValueError) as refusal:
    mujoco.MjModel.from_xml_string(document(**{key: value}))
  assert "tie" in str(refusal.value) and key in str(refusal.value)


@pytest.mark.parametrize(
  ("config", "words"),
  [
    ({"route": "anchor a; wrap pots side=top; anchor b"}, ["tie", "pots"]),
    ({"route": "anchor a; wrap brick side=top; anchor b"}, ["tie", "brick"]),
    ({"route": "anchor nowhere; anchor b"}, ["tie", "nowhere"]),
    ({"route": "anchor a"}, ["tie"]),
    ({"route": "wrap post; anchor b"}, ["tie"]),
    ({"route": "anchor a; anchor a"}, ["tie"]),
    ({"route": "anchor deep; wrap post side=top; anchor b"}, ["tie", "deep", "post"]),
    ({"route": "anchor a; wrap post side=top colour=red; anchor b"}, ["tie", "colour"]),
    ({"stiffness": ""}, ["tie", "stiffness"]),
    ({"EA": "5"}, ["tie", "EA"]),
    ({"friction_law": "sideways"}, ["tie", "sideways"]),
    ({"take_up": "wish"}, ["tie", "wish"]),
    ({"pretension": "3", "pretension_offset": "0.1"}, ["tie", "pretension"]),
  ],
  ids=str,
)
def test_routes_and_words_that_are_wrong_are_refused(config, words):
  with pytest.raises(ValueError) as refusal:
    mujoco.MjModel.from_xml_string(document(**config))
  for word in words:
    assert word in str(refusal.value), str(refusal.value)


def test_an_unknown_key_is_refused():
  with pytest.raises(ValueError) as refusal:
    mujoco.MjModel.from_xml_string(document(stifness="5"))
  assert "stifness" in str(refusal.value)


@pytest.mark.parametrize("field", ["tensio", "memory", ""])
def test_a_sensor_of_no_field_is_refused_and_every_field_is_listed(field):
  record = '<plugin name="tie" plugin="mujocable.cable" instance="tie"/>'
  wrong = record.replace('name="tie"', f'name="tie.{field}"')
  with pytest.raises(ValueError) as refusal:
    mujoco.MjModel.from_xml_string(document().replace(record, record + wrong))
  assert f"sensor 'tie.{field}'" in str(refusal.value)
  listed = str(refusal.value).partition("fields: ")[2].split("\n")[0]
  assert listed.split(", ") == [name for (name,) in table("fields")]
