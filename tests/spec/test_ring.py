"""Ring: refusals, the text form, and the way through an MjSpec and back, also with a prefix."""

import mujoco
import pytest

import mujocable as mjc
from mujocable.errors import BadRoute, BadValue
from mujocable.spec.text import contacts_text, parse_route

XML = """
<mujoco>
  <worldbody>
    <site name="a" pos="-1 0 0"/>
    <site name="b" pos="1 0 0"/>
    <site name="eye" pos="0 0 .3" euler="0 90 0"/>
    <site name="low" pos="0 0 .05"/>
    <geom name="crate" type="box" size=".1 .1 .1" pos="0.5 0 0.05"/>
  </worldbody>
</mujoco>
"""
ROUTE = (
  mjc.Anchor("a"),
  mjc.Ring("eye", 0.2, 0.02, side="low", friction=0.1),
  mjc.Wrap("crate", side=(0.0, 0.0, 1.0), rounding=0.02),
  mjc.Anchor("b"),
)


@pytest.mark.parametrize(
  ("given", "message"),
  [
    ({"radius": 0.0, "tube": 0.1}, "Ring 'r': radius must be a finite number > 0"),
    ({"radius": 0.1, "tube": -1}, "Ring 'r': tube must be a finite number > 0"),
    ({"radius": 0.1, "tube": 0.1}, "Ring 'r': tube must be smaller than radius"),
    ({"radius": 0.1, "tube": 0.01, "side": (1, 2)}, "Ring 'r': side must be 3 numbers"),
    ({"radius": 0.1, "tube": 0.01, "friction": -1}, "Ring 'r': friction must be"),
  ],
)
def test_bad_values(given, message):
  with pytest.raises(BadValue, match=message):
    mjc.Ring("r", **given)


def test_text_form():
  text = "ring radius=0.2 tube=0.02 friction=0.1; wrap side=0.0,0.0,1.0 rounding=0.02"
  assert contacts_text(ROUTE) == text
  ring = "anchor a; ring eye radius=0.2 tube=0.02 side=low; anchor b"
  assert parse_route("c", ring)[1] == mjc.Ring("eye", 0.2, 0.02, side="low")
  with pytest.raises(BadRoute, match="ring 'eye' needs radius=NUMBER and tube=NUMBER"):
    parse_route("c", "anchor a; ring eye; anchor b")
  with pytest.raises(BadRoute, match="wrap 'g' cannot have radius"):
    parse_route("c", "anchor a; wrap g radius=1; anchor b")


def test_the_same_ring_twice_is_refused():
  spec = mujoco.MjSpec.from_string(XML)
  ring = mjc.Ring("eye", 0.2, 0.02)
  cable = mjc.Cable("c", [mjc.Anchor("a"), ring, ring, mjc.Anchor("b")], mjc.Axial(stiffness=1.0))
  with pytest.raises(BadRoute, match="are the same surface twice in a row"):
    mjc.add_cable(spec, cable)


@pytest.mark.parametrize("prefix", ["", "left_"])
def test_there_and_back(prefix):
  child = mujoco.MjSpec.from_string(XML)
  cable = mjc.Cable("c", ROUTE, mjc.Axial(stiffness=100.0))
  mjc.add_cable(child, cable)
  assert mjc.read_cables(child) == {"c": cable}
  spec = child
  if prefix:
    spec = mujoco.MjSpec()
    spec.attach(child, prefix=prefix, frame=spec.worldbody.add_frame())
    read = mjc.read_cables(spec)[prefix + "c"]
    assert read.route[1] == mjc.Ring("left_eye", 0.2, 0.02, side="left_low", friction=0.1)
    assert read.route[2].rounding == 0.02
  model = spec.compile()
  data = mujoco.MjData(model)
  mujoco.mj_forward(model, data)
  view = mjc.bind(model, data)[prefix + "c"]
  assert view.status == mjc.SolveStatus.VALID
  assert view.touching.all()


def test_an_explicit_route_survives_a_prefix():
  child = mujoco.MjSpec.from_string(XML)
  mjc.add_cable(child, mjc.Cable("c", ROUTE, mjc.Axial(stiffness=100.0)))
  text = "anchor a; ring eye radius=0.2 tube=0.02 side=low; anchor b"
  config = child.plugins[0].config
  child.plugins[0].config = {**config, "route": text, "contacts": ""}
  spec = mujoco.MjSpec()
  spec.attach(child, prefix="left_", frame=spec.worldbody.add_frame())
  route = mjc.read_cables(spec)["left_c"].route
  assert route[1] == mjc.Ring("left_eye", 0.2, 0.02, side="left_low")
