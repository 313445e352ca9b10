"""The conversion report: every tendon is on it, with its pictures, its state and its loss.

Judges: Capstan's law for the loss, the shape of the scene for the pictures, an HTML parser.
"""

from html.parser import HTMLParser
from xml.etree import ElementTree

import mujoco
import numpy as np
import pytest
from machines import arm

import mujocable as mjc
from mujocable.runtime.view import bind
from mujocable.study.convert.cost import step_cost
from mujocable.study.convert.page import page, postures
from mujocable.study.convert.pictures import Artist, cable_lines, native_paths
from mujocable.viewer.sketch import View, best_view, outline

MIXED = (
  arm(actuator='<motor name="m" tendon="t" gear="-1" ctrlrange="-3 20"/>')
  .replace(
    "</tendon>",
    '<spatial name="calm"><site site="wall"/><site site="guide"/><site site="tip"/></spatial>'
    '<spatial name="odd &lt;one&gt;" springlength="0 .3" stiffness="9" springyield=".1">'
    '<site site="wall"/><site site="tip"/></spatial></tendon>',
  )
  .replace("</mujoco>", '<keyframe><key name="up" qpos="-.3 -.4"/></keyframe></mujoco>')
)


@pytest.fixture(scope="module")
def conversion():
  return mjc.convert(mujoco.MjSpec.from_string(MIXED), friction=0.2, poses=6)


class Parts(HTMLParser):
  """Counts elements and refuses what does not close."""

  def __init__(self, text):
    super().__init__()
    self.count, self.open, self.words = {}, [], []
    self.feed(text)
    assert not self.open

  def handle_starttag(self, tag, attrs):
    self.count[tag] = self.count.get(tag, 0) + 1
    if tag not in ("meta", "br"):
      self.open.append(tag)

  def handle_startendtag(self, tag, attrs):
    self.count[tag] = self.count.get(tag, 0) + 1

  def handle_endtag(self, tag):
    assert self.open.pop() == tag

  def handle_data(self, data):
    self.words.append(data)


def test_every_tendon_has_its_pictures_and_its_reason(conversion):
  text = page(conversion)
  parts = Parts(text)
  assert parts.count["figure"] == 3
  assert parts.count["svg"] == 2 * 2 + 1  # before and after; before alone where it stays native
  words = " ".join(parts.words)
  for what in (
    "2 of 3 spatial tendons became cables",
    "keyframe 'up'",
    "odd <one>",
    "its spring yields",
    "a cable cannot push and goes slack where actuator 'm' can push",
    "step [µs]",
  ):
    assert what in words, what
  assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_a_conversion_writes_its_page(conversion, tmp_path):
  conversion.report(tmp_path / "page.html")
  assert "became cables" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_path_that_parts_is_shown_where_it_does():
  """Bent far, MuJoCo lets go of the knuckle: one more pair of pictures, in that pose."""
  xml = arm(actuator='<motor tendon="t" gear="-1" ctrlrange="0 20"/>')
  spec = mujoco.MjSpec.from_string(xml.replace("-80 80", "0 175"))
  parted = mjc.convert(spec, poses=16, paths="ours")
  (one,) = parted.converted
  assert one.differing and one.worst
  assert abs(parted.places[one.worst][1]) > np.deg2rad(90)
  text = page(parted)
  Parts(text)
  assert text.count("<svg") == 4
  assert f"below: {parted.pose_names[one.worst]}, where they differ most" in text


def test_losses_are_capstans(conversion):
  """Loss of a posture: 1 - exp(-mu * turn), the turn measured by the angles of a polyline."""
  (one,) = [one for one in conversion.converted if one.tendon == "calm"]
  model = conversion.spec.compile()
  data = mujoco.MjData(model)
  places = {"home": model.qpos0, "keyframe 'up'": model.key_qpos[0]}
  for name, qpos in places.items():
    data.qpos[:] = qpos
    mujoco.mj_forward(model, data)
    wall, guide, tip = (data.site(s).xpos for s in ("wall", "guide", "tip"))
    a, b = guide - wall, tip - guide
    turn = np.arccos(a @ b / np.linalg.norm(a) / np.linalg.norm(b))
    bend = one.bends[conversion.pose_names.index(name)]
    assert bend == pytest.approx(turn, abs=1e-7)
    assert postures(conversion)[name][conversion.converted.index(one)] == bend
    loss = one.loss(0.2)[conversion.pose_names.index(name)]
    assert loss == pytest.approx(1 - np.exp(-0.2 * turn), abs=1e-7)


def test_both_pictures_show_the_same_path(conversion):
  """Length along the drawn line: the tendon's and the cable's, chords of arcs being shorter."""
  before, after = conversion.native, conversion.spec.compile()
  old, new = mujoco.MjData(before), mujoco.MjData(after)
  mujoco.mj_forward(before, old)
  mujoco.mj_forward(after, new)
  tendon = before.tendon("t").id
  (path,) = native_paths(before, old, tendon)
  drawn = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
  assert drawn == pytest.approx(old.ten_length[tendon], rel=1e-3)
  lines = cable_lines(bind(after, new)["t"], 0.2)
  drawn = sum(np.linalg.norm(np.diff(line.points, axis=0), axis=1).sum() for line in lines)
  assert drawn == pytest.approx(old.ten_length[tendon], rel=1e-3)
  widths = [line.width for line in lines]
  assert widths == sorted(widths, reverse=True) and widths[-1] < widths[0]
  ElementTree.fromstring(Artist(conversion).before("t"))


def test_views_and_outlines():
  """A path in the x-z plane is seen from the side; a ball covers a circle of its radius."""
  turn = np.linspace(0, 3, 20)
  side = best_view(np.stack([np.cos(turn), 0 * turn, np.sin(turn)], axis=1))
  assert abs(side.right[0]) == pytest.approx(1) and side.up[2] == 1
  above = best_view(np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=1))
  assert above.up[1] == 1
  model = mujoco.MjModel.from_xml_string(
    '<mujoco><worldbody><geom size=".5" pos="1 2 3"/><geom type="plane" size="1 1 1"/>'
    '<geom type="box" size=".1 .2 .3"/></worldbody></mujoco>'
  )
  data = mujoco.MjData(model)
  mujoco.mj_forward(model, data)
  view = View(np.array([1.0, 0, 0]), np.array([0, 0, 1.0]))
  rim = outline(model, data, 0, view)
  assert rim is not None
  away = np.linalg.norm(view.flat(rim) - view.flat(np.array([[1.0, 2, 3]])), axis=1)
  assert away == pytest.approx(0.5, rel=0.02)
  assert outline(model, data, 1, view) is None
  box = outline(model, data, 2, view)
  assert box is not None and np.abs(view.flat(box)).max(axis=0) == pytest.approx([0.1, 0.3])


def test_cost_is_measured_for_each_model(conversion):
  cost = step_cost({"native": conversion.native, "cables": conversion.spec.compile()})
  assert set(cost) == {"native", "cables"} and min(cost.values()) > 0
