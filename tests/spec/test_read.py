"""read_cables returns what was written, however it was written."""

from dataclasses import replace

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.errors import CableError

TAKE_UPS = [
  None,
  mjc.LengthCommand((-0.125, 0.5), lag=1 / 3, rate_limit=1 / 7),
  mjc.SpoolAngle(1 / 3, (0, 9), lag=0.1),
  mjc.SpoolRate(1 / 3, (-9, 9)),
  mjc.SpoolJoint("drum", 1 / 3),
  mjc.TensionCommand((0, 90), lag=1 / 3),
  mjc.LengthCommand(range=None),
]


def full(name: str, take_up) -> mjc.Cable:
  return mjc.Cable(
    name=name,
    route=[
      mjc.Anchor("motor"),
      mjc.Wrap("sheave", side="hint", friction=1 / 3, permanent=True),
      mjc.Wrap("ball", side=(1 / 3, 0, 1)),
      mjc.Eyelet("guide", friction=0.1),
      mjc.Wrap("drum"),
      mjc.Eyelet("far"),
      mjc.Anchor("hook"),
    ],
    axial=mjc.Axial(
      EA=1e5 / 3,
      damping=2 / 3,
      damping_rate="length",
      max_tension=1e3 / 3,
      transition=1e-4,
      reserve=1e-3,
      pretension=2.0,
      home_length=7.5,
    ),
    friction=mjc.Sliding(0.2, mode="reverse", slip_speed=1e-3),
    take_up=take_up,
    radius=1e-3,
    limits=mjc.Limits(smoothness=1e-5, penetration=1e-6),
  )


@pytest.mark.parametrize("take_up", TAKE_UPS, ids=lambda t: type(t).__name__)
def test_round_trip(spec, take_up):
  cable = full("c", take_up)
  mjc.add_cable(spec, cable)
  assert mjc.read_cables(spec) == {"c": cable}
  assert mjc.read_cables(spec.copy()) == {"c": cable}
  assert mjc.read_cables(mujoco.MjSpec.from_string(spec.to_xml())) == {"c": cable}


def prefixed(cable: mjc.Cable, p: str) -> mjc.Cable:
  def rename(element):
    if isinstance(element, mjc.Anchor):
      return mjc.Anchor(p + element.site)
    if isinstance(element, mjc.Eyelet):
      return mjc.Eyelet(p + element.site, element.friction)
    side = p + element.side if isinstance(element.side, str) else element.side
    return mjc.Wrap(p + element.geom, side, element.friction, element.permanent)

  values = {f: getattr(cable, f) for f in cable.__dataclass_fields__ if f != "_"}
  values["name"] = p + cable.name
  values["route"] = [rename(element) for element in cable.route]
  if isinstance(cable.take_up, mjc.SpoolJoint):
    values["take_up"] = mjc.SpoolJoint(p + cable.take_up.joint, cable.take_up.radius)
  return mjc.Cable(**values)


@pytest.mark.parametrize("take_up", TAKE_UPS, ids=lambda t: type(t).__name__)
def test_attached_twice(spec, take_up):
  cable = full("c", take_up)
  mjc.add_cable(spec, cable)
  pair = mujoco.MjSpec()
  for prefix, x in (("left/", 0), ("right/", 5)):
    pair.attach(spec.copy(), prefix=prefix, frame=pair.worldbody.add_frame(pos=[x, 0, 0]))
  expected = {p + "c": prefixed(cable, p) for p in ("left/", "right/")}
  assert mjc.read_cables(pair) == expected
  again = mujoco.MjSpec.from_string(pair.to_xml())
  assert mjc.read_cables(again) == expected
  assert again.compile().nplugin == 2


def test_cables_between_attached_models(spec, hoist):
  pair = mujoco.MjSpec()
  for prefix in ("left/", "right/"):
    child = spec.copy()
    pair.attach(child, prefix=prefix, frame=pair.worldbody.add_frame())
  route = [mjc.Anchor("left/hook"), mjc.Wrap("right/sheave"), mjc.Anchor("right/hook")]
  bridge = mjc.Cable("bridge", route, mjc.Axial(stiffness=1.0), take_up=mjc.LengthCommand((0, 1)))
  mjc.add_cable(pair, bridge)
  assert mjc.read_cables(pair) == {"bridge": bridge}
  path = [wrap.target.name for wrap in pair.tendons[0].path]
  # hinges and slides with names: the carrier is a fixed tendon over them
  assert path == ["left/lift", "right/axle", "right/lift"]


def test_a_read_cable_can_be_written_again(spec, hoist):
  mjc.add_cable(spec, hoist)
  pair = mujoco.MjSpec()
  pair.attach(spec.copy(), prefix="p/", frame=pair.worldbody.add_frame())
  (cable,) = mjc.read_cables(pair).values()
  mjc.remove_cable(pair, "p/hoist")
  mjc.add_cable(pair, cable)
  assert mjc.read_cables(pair) == {"p/hoist": cable}


HAND = """
<mujoco>
  <extension>
    <plugin plugin="mujocable.cable">
      <instance name="c">
        <config key="name" value="c"/>
        {config}
        <config key="stiffness" value="2e3"/>
      </instance>
    </plugin>
  </extension>
  <worldbody>
    <site name="motor" pos="-0.3 0 0" user="1"/>
    <site name="hint" pos="0 0 1.2" user="2"/>
    <site name="guide" pos="0.05 0 0.6" user="3"/>
    <geom name="sheave" type="cylinder" size="0.05 0.02" euler="90 0 0" pos="0 0 1"/>
    <body name="b" pos="0.05 0 0.2">
      <joint/><geom size="0.02"/><site name="hook" user="{role}"/>
    </body>
  </worldbody>
  <tendon>
    <spatial name="seed">
      <site site="motor"/><site site="hint"/><site site="guide"/><site site="hook"/>
    </spatial>
  </tendon>
  <sensor><plugin name="c" instance="c"/></sensor>
  {more}
</mujoco>
"""


def hand(role="1", more="", **config) -> mujoco.MjSpec:
  keys = "".join(f'<config key="{key}" value="{value}"/>' for key, value in config.items())
  return mujoco.MjSpec.from_string(HAND.format(config=keys, role=role, more=more))


ROUTE_TEXT = "anchor motor; wrap sheave side=hint friction=0.3; eyelet guide; anchor hook"


def written_route(p=""):
  wrap = mjc.Wrap(p + "sheave", side=p + "hint", friction=0.3)
  return (mjc.Anchor(p + "motor"), wrap, mjc.Eyelet(p + "guide"), mjc.Anchor(p + "hook"))


@pytest.mark.parametrize(
  "config",
  [
    {"route": ROUTE_TEXT},
    {"route": ROUTE_TEXT.replace("0.3", "0.1"), "contacts": "wrap friction=0.3; eyelet;"},
    {"seed": "seed", "surfaces": "sheave", "contacts": "friction=0.3;"},
  ],
  ids=["route", "contacts", "seed"],
)
def test_hand_written_forms(config):
  spec = hand(**config)
  assert mjc.read_cables(spec) == {
    "c": mjc.Cable("c", written_route(), mjc.Axial(stiffness=2000.0))
  }
  pair = mujoco.MjSpec()
  pair.attach(spec, prefix="p/", frame=pair.worldbody.add_frame())
  assert mjc.read_cables(pair)["p/c"].route == written_route("p/")
  assert pair.compile().nplugin == 1


def test_contacts_may_have_what_an_element_needs():
  route = "anchor motor; ring hint radius=0.1; sheath guide; anchor hook"
  contacts = "ring tube=0.01 friction=0.2; exit=hint length=0.9"
  ring = mjc.Ring("hint", radius=0.1, tube=0.01, friction=0.2)
  found = mjc.read_cables(hand(route=route, contacts=contacts))["c"].route
  assert found[1:3] == (ring, mjc.Sheath("guide", "hint", length=0.9))


def test_hand_written_winch():
  more = '<actuator><plugin name="c" instance="c" tendon="seed" ctrlrange="0 0.5"/></actuator>'
  spec = hand(route=ROUTE_TEXT, take_up="spool_angle", spool_radius="0.1", more=more)
  assert mjc.read_cables(spec)["c"].take_up == mjc.SpoolAngle(0.1, (0, 0.5))


@pytest.mark.parametrize(
  ("config", "message"),
  [
    ({}, "cable 'c': no route; .* Accepted by hand: config route, config seed, a tuple"),
    (
      {"route": "anchor motor; wrap sheave friction=.1 friction=.2; anchor hook"},
      "cable 'c': friction is given twice in 'friction=.1 friction=.2'",
    ),
    (
      {"seed": "sed", "surfaces": "sheave"},
      "seed 'sed' is not a tendon of this model; tendons here",
    ),
    (
      {"route": ROUTE_TEXT, "contacts": "wrap; eyelet; wrap"},
      "3 entries in contacts for 2 contacts",
    ),
    ({"route": ROUTE_TEXT, "contacts": "rubbish"}, "cannot read option 'rubbish'"),
    ({"seed": "seed"}, "seed 'seed' has 1 surface hints but 0 surfaces"),
    (
      {"seed": "seed", "surfaces": "sheave", "role": "4"},
      r"site 'hook' has role 4.0; accepted: 1 \(",
    ),
    ({"route": ROUTE_TEXT, "take_up": "winch"}, "take_up must be one of fixed, length, .*'winch'"),
    ({"route": ROUTE_TEXT, "take_up": "spool_angle"}, "take_up spool_angle needs spool_radius"),
    (
      {"route": ROUTE_TEXT, "take_up": "spool_joint", "spool_radius": "1"},
      "spool_joint needs a joint",
    ),
    ({"route": ROUTE_TEXT, "damping": "-1"}, "cable 'c': damping must be a finite number >= 0"),
  ],
)
def test_bad_hand_writing(config, message):
  with pytest.raises(CableError, match=message):
    mjc.read_cables(hand(**config))


@pytest.mark.skipif(
  mujoco.mj_version() < 4000000, reason="MuJoCo before 4.0 keeps the tuple and says what it misses"
)
@pytest.mark.parametrize("count", [1, 6])  # in instances of their own, and in one of several
@pytest.mark.parametrize(("kind", "name"), [("site", "hint"), ("body", "payload")])
def test_a_cable_that_lost_its_route_is_named_and_the_others_are_read(
  spec, hoist, kind, name, count
):
  plain = mjc.Cable("plain", [mjc.Anchor("motor"), mjc.Anchor("far")], mjc.Axial(stiffness=1.0))
  lost = [f"hoist_{k}" for k in range(count)]
  for one in lost:
    mjc.add_cable(spec, replace(hoist, name=one, take_up=None))
  mjc.add_cable(spec, plain)
  spec.delete(getattr(spec, kind)(name))
  with pytest.raises(CableError, match=r"no route; .* deleted.* remove_cable") as refusal:
    mjc.read_cables(spec)
  assert all(repr(one) in str(refusal.value) for one in lost) and "plain" not in str(refusal.value)
  with pytest.raises(ValueError, match=r"cable 'hoist_0': no route: .* deleted.* remove_cable"):
    spec.compile()
  assert mjc.read_cables(spec, skip_broken=True) == {"plain": plain}
  for one in lost:
    mjc.remove_cable(spec, one)
  assert mjc.read_cables(spec) == {"plain": plain}
  assert spec.compile().nplugin == 1


def test_what_a_deleted_instance_leaves_behind_is_removed(spec, hoist):
  """Its actuator, sensor and carrier refer to it: without them the model compiles again."""
  before = spec.to_xml()
  mjc.add_cable(spec, hoist)
  spec.delete(spec.plugin("hoist"))
  mjc.remove_cable(spec, "hoist")
  assert [*spec.actuators, *spec.sensors, *spec.tuples, *spec.tendons] == []
  spec.compile()
  assert spec.to_xml().count("<site") == before.count("<site")


def test_a_cable_that_cannot_be_read_is_skipped_where_asked(spec, hoist):
  mjc.add_cable(spec, hoist)
  (plugin,) = spec.plugins
  plugin.config = {**plugin.config, "damping": "-1"}
  with pytest.raises(CableError, match="cable 'hoist': damping"):
    mjc.read_cables(spec)
  assert mjc.read_cables(spec, skip_broken=True) == {}


def test_other_plugins_are_left_alone(spec, hoist):
  spec.activate_plugin("mujoco.pid")
  spec.add_plugin(name="pid", plugin_name="mujoco.pid", active=True)
  mjc.add_cable(spec, hoist)
  assert list(mjc.read_cables(spec)) == ["hoist"]


def test_a_copy_outlives_its_original(spec, hoist):
  """The copy keeps `plugin_name` in the memory of the original, up to MuJoCo 4.0."""
  cables = {f"hoist_{k}": replace(hoist, name=f"hoist_{k}", take_up=None) for k in range(6)}
  for _ in range(20):
    for cable in cables.values():
      mjc.add_cable(spec, cable)
    copied = spec.copy()
    for name in cables:
      mjc.remove_cable(spec, name)
    others = [mujoco.MjSpec.from_string("<mujoco/>") for _ in range(20)]
    assert mjc.read_cables(copied) == cables and others
    mjc.remove_cable(copied, "hoist_2")
    assert {*mjc.read_cables(copied)} == {*cables} - {"hoist_2"}


@pytest.mark.parametrize(
  ("motor", "side"),
  [
    ("a\u00a0b", "over"),
    ("a b", "left,right"),
    ("a b", "1,2,3"),
    ("a;\u2003b|c", "x=y"),
    ("ä 絲", "é"),
  ],
)
def test_names_of_any_letters_are_read_back(motor, side):
  """Blanks of any kind, and commas where a route is written as text: also from a file."""
  spec = mujoco.MjSpec()
  world = spec.worldbody
  world.add_site(name=motor, pos=[-1, 0, 0])
  world.add_site(name=side, pos=[0, 0, 1])
  world.add_geom(name="ball", size=[0.2, 0, 0])
  world.add_site(name="end", pos=[1, 0, 0])
  route = [mjc.Anchor(motor), mjc.Wrap("ball", side=side), mjc.Anchor("end")]
  cable = mjc.Cable("rope", route, mjc.Axial(stiffness=100.0))
  mjc.add_cable(spec, cable)
  model = spec.compile()
  assert mjc.bind(model, mujoco.MjData(model))["rope"].touching.size == 1
  for one in (spec, mujoco.MjSpec.from_string(spec.to_xml())):
    assert mjc.read_cables(one) == {"rope": cable}


@pytest.mark.parametrize(
  ("word", "sites", "found"),
  [
    ("a%20b", ["a%20b"], "a%20b"),
    ("a%20b", ["a%20b", "a b"], "a b"),
    ("a%2520b", ["a%20b", "a b"], "a%20b"),
    ("100%", ["100%"], "100%"),
  ],
)
def test_a_name_with_a_code_in_it(word, sites, found):
  """A code stands for a letter where a site has that name. In the engine and in the reader."""
  spec = mujoco.MjSpec.from_string(
    f"""<mujoco><extension><plugin plugin="mujocable.cable"><instance name="c">
    <config key="route" value="anchor {word}; anchor far"/><config key="stiffness" value="1"/>
    </instance></plugin></extension><worldbody><site name="far"/></worldbody>
    <sensor><plugin name="c" plugin="mujocable.cable" instance="c"/></sensor></mujoco>"""
  )
  for length, name in enumerate(sites, 1):
    spec.worldbody.add_site(name=name, pos=[length, 0, 0])
  assert mjc.read_cables(spec)["c"].route[0] == mjc.Anchor(found)
  model = spec.compile()
  data = mujoco.MjData(model)
  mujoco.mj_forward(model, data)
  assert mjc.bind(model, data)["c"].length == sites.index(found) + 1


@pytest.mark.parametrize(
  ("turns", "friction", "fine"),
  [("2.0", "2e-1", True), ("2e0", ".2", True), ("2.5", ".2", False), ("2", "0x1", False)],
)
def test_numbers_are_read_as_the_engine_reads_them(turns, friction, fine):
  spec = mujoco.MjSpec.from_string(
    f"""<mujoco><extension><plugin plugin="mujocable.cable"><instance name="c">
    <config key="route" value="anchor a; wrap g turns={turns}; anchor b"/>
    <config key="friction" value="{friction}"/> <config key="stiffness" value="1"/>
    </instance></plugin></extension><worldbody><geom name="g" type="cylinder" size=".1 1"/>
    <site name="a" pos="1 .1 0"/><site name="b" pos="-1 .1 .1"/></worldbody>
    <sensor><plugin name="c" plugin="mujocable.cable" instance="c"/></sensor></mujoco>"""
  )
  if not fine:
    for read in (lambda: mjc.read_cables(spec), spec.compile):
      with pytest.raises(ValueError, match=r"cable 'c': .*(turns|friction)"):
        read()
    return
  assert mjc.read_cables(spec)["c"].route[1] == mjc.Wrap("g", turns=2)
  model = spec.compile()
  data = mujoco.MjData(model)
  mujoco.mj_forward(model, data)
  view = mjc.bind(model, data)["c"]
  assert view.wrap_angle[0] == pytest.approx(4 * np.pi, rel=0.02) and view.friction == [0.2]


@pytest.mark.parametrize("name", [" rope", "rope  "])
@pytest.mark.parametrize("motor", ["motor", "the motor"])
def test_a_blank_at_the_end_of_a_name_survives_attach(name, motor):
  child = mujoco.MjSpec()
  child.worldbody.add_site(name=motor)
  child.worldbody.add_site(name="end", pos=[1, 0, 0])
  route = [mjc.Anchor(motor), mjc.Anchor("end")]
  mjc.add_cable(child, mjc.Cable(name, route, mjc.Axial(stiffness=100.0)))
  spec = mujoco.MjSpec()
  spec.attach(child, prefix="left/", frame=spec.worldbody.add_frame())
  model = spec.compile()
  assert list(mjc.bind(model, mujoco.MjData(model))) == ["left/" + name]
  assert mjc.read_cables(spec)["left/" + name].route[0] == mjc.Anchor("left/" + motor)


def test_a_range_that_does_not_limit_is_none():
  spec = mujoco.MjSpec()
  spec.worldbody.add_site(name="a")
  spec.worldbody.add_body().add_site(name="b", pos=[1, 0, 0])
  cable = mjc.Cable(
    "rope",
    [mjc.Anchor("a"), mjc.Anchor("b")],
    mjc.Axial(stiffness=1.0),
    take_up=mjc.LengthCommand((0.0, 1.0)),
  )
  mjc.add_cable(spec, cable)
  spec.actuator("rope").ctrllimited = mujoco.mjtLimited.mjLIMITED_FALSE
  assert mjc.read_cables(spec)["rope"].take_up == mjc.LengthCommand(None)
