"""What only the engine can refuse: one clear error at compile, naming the cable and the culprit."""

import mujoco
import pytest

import mujocable as mjc
from mujocable.spec.tables import FIELDS

HAND = """
<mujoco>
  <extension>
    <plugin plugin="mujocable.cable">
      <instance name="c">{config}</instance>
    </plugin>
  </extension>
  <worldbody>
    <site name="motor" pos="-0.3 0 0"/>
    <site name="beside" pos="-0.3 0 0"/>
    <site name="inside" pos="0 0 1"/>
    <geom name="sheave" type="cylinder" size="0.05 0.02" euler="90 0 0" pos="0 0 1"/>
    <geom name="crate" type="box" size="0.01 0.01 0.01" pos="2 0 0"/>
    <geom name="floor" type="plane" size="5 5 1" pos="0 0 -5"/>
    <site name="far" pos="3 0 0"/>
    <body pos="0.05 0 0.2"><joint/><geom size="0.02"/><site name="hook"/></body>
  </worldbody>
  <sensor><plugin name="c" instance="c"/></sensor>
  {more}
</mujoco>
"""


def keys_of(config: dict[str, str]) -> str:
  return "".join(f'<config key="{key}" value="{value}"/>' for key, value in config.items())


def compile_hand(more="", **config) -> mujoco.MjModel:
  return mujoco.MjModel.from_xml_string(HAND.format(config=keys_of(config), more=more))


GOOD = {"route": "anchor motor; wrap sheave side=0,1,0; anchor hook", "stiffness": "2000"}


def test_the_good_one_compiles():
  assert compile_hand(**GOOD).nplugin == 1


@pytest.mark.parametrize(
  ("config", "words"),
  [
    ({"route": "anchor moto; anchor hook"}, ["'moto'", "site", "'motor'|motor"]),
    ({"route": "anchor motor; wrap wheel; anchor hook"}, ["'wheel'", "geom", "sheave"]),
    ({"route": "anchor motor; wrap floor; anchor hook"}, ["'floor'", "ellipsoid", "a plane"]),
    ({"route": "anchor motor; wrap crate; anchor hook"}, ["'crate'", "rounding", "radius"]),
    ({"route": "anchor motor; wrap crate rounding=1; anchor hook"}, ["'crate'", "half size"]),
    ({"route": "anchor motor; wrap sheave rounding=1; anchor hook"}, ["'sheave'", "of a box"]),
    ({"route": "anchor motor; wrap crate rounding=.01 turns=1; anchor hook"}, ["a cylinder only"]),
    ({"route": "anchor motor; wrap sheave turns=1.5; anchor hook"}, ["turns", "whole", "1.5"]),
    ({"route": "anchor motor; wrap sheave turns=-1; anchor hook"}, ["turns", "whole", "-1"]),
    ({"route": "anchor motor; ring far turns=1; anchor hook"}, ["turns", "tube=NUMBER"]),
    ({"route": "anchor motor; ring far; anchor hook"}, ["'far'", "radius=", "tube="]),
    ({"route": "anchor motor; ring far radius=1; anchor hook"}, ["'far'", "tube="]),
    ({"route": "anchor motor; ring far radius=1 tube=1; anchor hook"}, ["'far'", "no hole"]),
    ({"route": "anchor motor; ring far radius=x tube=1; anchor hook"}, ["radius", "> 0"]),
    ({"route": "anchor motor; ring far permanent; anchor hook"}, ["permanent", "tube=NUMBER"]),
    ({"route": "anchor motor; anchor motor"}, ["'motor'"]),
    (
      {"route": "anchor motor; anchor beside"},
      ["anchor 0 'motor' and anchor 1 'beside' are at one place", "home_length"],
    ),
    ({"route": "anchor motor"}, ["anchor"]),
    ({"route": "wrap sheave; anchor hook"}, ["'sheave'", "anchor"]),
    ({"route": "anchor inside; wrap sheave; anchor hook"}, ["'inside'", "'sheave'"]),
    ({"route": "pulley sheave; anchor hook"}, ["pulley", "anchor, eyelet, wrap"]),
    ({"route": ""}, ["route", "seed", "tuple"]),
    ({"stiffness": "nan"}, ["stiffness", "nan"]),
    ({"stiffness": "-1"}, ["stiffness", "> 0", "-1"]),
    ({"stiffness": ""}, ["stiffness", "EA"]),
    ({"EA": "10"}, ["stiffness", "EA"]),
    ({"damping": "inf"}, ["damping", ">= 0", "inf"]),
    ({"friction": "rough"}, ["friction", "rough"]),
    ({"friction_law": "static"}, ["friction_law", "memory, sliding", "static"]),
    ({"slip_speed": "0.1"}, ["slip_speed", "friction_law"]),
    ({"take_up": "length"}, ["actuator"]),
    ({"take_up": "wish"}, ["take_up", "wish", "spool_angle"]),
    ({"pretension": "3", "pretension_offset": "0.1"}, ["pretension"]),
    ({"pretension_offset": "5", "friction": "0.1"}, ["pretension_offset takes in 5 m", "less"]),
    ({"pretension_offset": "1.5", "home_length": "1.5", "friction": "0.1"}, ["1.5 m at home"]),
    ({"pretension": "30", "stiffness": "", "EA": "25"}, ["pretension takes in", "stiffer"]),
    ({"pretension": "9e3", "friction": "0.1"}, ["pretension takes in 4.5 m", "stiffer"]),
    ({"route": "anchor motor; ring far radius=1e-5 tube=2e-5; anchor hook"}, ["1e-05 m"]),
    ({"route": "anchor motor friction=1; anchor hook"}, ["friction=1", "accepted: none"]),
    ({"route": "anchor motor; wrap sheave colour=red; anchor hook"}, ["colour", "permanent"]),
    ({"route": "anchor motor; wrap sheave friction=1 friction=2; anchor hook"}, ["given twice"]),
    ({"route": "anchor motor; wrap sheave permanent permanent; anchor hook"}, ["given twice"]),
    ({"surfaces": "sheave"}, ["surfaces", "seed"]),
    ({"lag": "2"}, ["lag", "'fixed', the default", "length, spool_angle, tension"]),
    ({"rate_limit": "0.1"}, ["rate_limit", "'fixed', the default", "length, spool_angle"]),
    ({"share": "abc"}, ["share", "'fixed', the default", "tendon"]),
    ({"tendon": "notendon"}, ["tendon", "'fixed', the default"]),
    ({"spool_joint": "nojoint"}, ["spool_joint", "'fixed', the default"]),
    ({"spool_radius": "nan"}, ["spool_radius", "'fixed', the default", "spool_angle, spool_rate"]),
    ({"take_up": "fixed", "lag": "2"}, ["lag", "'fixed'; remove it"]),
    ({"take_up": "length", "spool_radius": "0.1"}, ["spool_radius", "'length'; remove it"]),
    ({"take_up": "spool_rate", "lag": "0.1"}, ["lag", "'spool_rate'"]),
    ({"take_up": "tension", "rate_limit": "1"}, ["rate_limit", "'tension'"]),
  ],
)
def test_bad_hand_writing_is_named(config, words):
  with pytest.raises(ValueError, match=r"cable 'c': ") as error:
    compile_hand(**{**GOOD, **config})
  for word in words:
    assert any(w in str(error.value) for w in word.split("|")), str(error.value)


def test_a_spring_without_rigidity_may_be_longer_than_its_cable():
  """Judge: its tension grows with its length, as its stiffness says."""
  model = compile_hand(**{**GOOD, "stiffness": "10", "pretension": "300"})
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)["c"]
  for angle in (0.0, 0.1):
    data.qpos[0] = angle
    mujoco.mj_forward(model, data)
    want = 300 + 10 * (view.length - view.home_length)
    assert view.source_tension == pytest.approx(want, rel=1e-12)


@pytest.mark.parametrize(
  ("config", "dynprm", "found"),
  [
    ({"take_up": "length", "lag": "0.1"}, "0.5", "0.5"),
    ({"take_up": "length", "rate_limit": "1"}, "0.5", "0.5"),
    ({"take_up": "length", "lag": "0.123456789"}, "0.123457", None),
    ({"take_up": "length", "lag": "0.1"}, "", None),
    ({"take_up": "spool_rate", "spool_radius": "1"}, "0.5", None),
  ],
)
def test_a_time_constant_beside_the_lag_is_refused(config, dynprm, found):
  """MuJoCo's default is one that nobody wrote, and XML has six digits."""
  kind = "integrator" if config["take_up"] == "spool_rate" else "filter"
  written = f'dynprm="{dynprm}"' if dynprm else ""
  motor = f'instance="c" site="hook" gear="0" dyntype="{kind}" {written}'
  more = f'<actuator><plugin name="motor" {motor}/></actuator>'
  if found is None:
    assert compile_hand(more, **GOOD, **config).nu == 1
    return
  words = f"cable 'c': actuator 'motor': dynprm=\"{found}\" is not the lag .* accepted: lag"
  with pytest.raises(ValueError, match=words):
    compile_hand(more, **GOOD, **config)


@pytest.mark.parametrize("keys", [{}, {"share": "1", "lag": "0.0", "rate_limit": " inf "}])
def test_keys_that_nothing_reads_may_have_their_defaults(keys):
  """MuJoCo writes those that were not given as empty ones."""
  empty = dict.fromkeys(["surfaces", "spool_joint", "tendon", "spool_radius", "take_up"], "")
  assert compile_hand(**GOOD, **empty, **keys).nplugin == 1


@pytest.mark.parametrize("size", [0.0, float("nan"), float("inf")])
def test_a_geom_that_lost_its_size_is_named(spec, hoist, size, capfd):
  """Of a model that was changed after it was compiled."""
  mjc.add_cable(spec, hoist)
  model = spec.compile()
  model.geom("sheave").size[0] = size
  with pytest.raises(mujoco.FatalError):
    mujoco.MjData(model)
  told = capfd.readouterr().err
  assert "cable 'hoist': wrap 1 'sheave': size 0 of the geom must be a finite number > 0" in told


def test_an_instance_without_a_name_is_refused():
  """Views would show one of several, and whoever reads the spec none."""
  text = HAND.format(config="", more="").replace('<instance name="c"></instance>', "")
  sensor = f'<plugin name="c" plugin="mujocable.cable">{keys_of(GOOD)}</plugin>'
  text = text.replace('<plugin name="c" instance="c"/>', sensor)
  with pytest.raises(ValueError, match=r"cable '#0': its plugin instance has no name, .*extension"):
    mujoco.MjModel.from_xml_string(text)


@pytest.mark.parametrize("option", ["", "permanent"])
@pytest.mark.parametrize("size", [0.1, 0.15])
@pytest.mark.parametrize("way", ["0,1,0", "0,-1,0"])
def test_two_drums_on_one_axis_are_named_with_their_cure(size, way, option):
  """With an eyelet between them it compiles."""
  xml = f"""<mujoco><extension><plugin plugin="mujocable.cable"><instance name="c">
    <config key="route" value="anchor a; wrap one side=0,1,0 {option}; CURE
                               wrap two side={way} {option}; anchor b"/>
    <config key="stiffness" value="1"/></instance></plugin></extension>
  <worldbody>
    <site name="a" pos="-1 0 -.06"/> <site name="b" pos="1 0 .06"/>
    <site name="between" pos="0 .16 0"/>
    <geom name="one" type="cylinder" size=".1 .05" pos="0 0 -.06"/>
    <geom name="two" type="cylinder" size="{size} .05" pos="0 0 .06"/>
  </worldbody>
  <sensor><plugin name="c" plugin="mujocable.cable" instance="c"/></sensor></mujoco>"""
  words = "no string runs between wrap 1 'one' and wrap 2 'two': .* an eyelet between them"
  with pytest.raises(ValueError, match=words):
    mujoco.MjModel.from_xml_string(xml.replace("CURE", ""))
  mujoco.MjModel.from_xml_string(xml.replace("CURE", "eyelet between;"))


def test_a_wheel_that_loses_its_cable_is_named():
  """Also where the rest of the path passes it by, so that nothing remembers it."""
  xml = """<mujoco><extension><plugin plugin="mujocable.cable"><instance name="c">
    <config key="route" value="anchor a; wrap one side=0,-1,0; wrap two side=0,1,0; anchor b"/>
    <config key="stiffness" value="1"/></instance></plugin></extension>
  <worldbody>
    <site name="a" pos="-1 .3 0"/> <site name="b" pos="1 .3 0"/>
    <geom name="one" type="cylinder" size=".1 .01" pos="0 0 .3"/>
    <geom name="two" type="cylinder" size=".1 .05" pos=".5 .25 0"/>
  </worldbody>
  <sensor><plugin name="c" plugin="mujocable.cable" instance="c"/></sensor></mujoco>"""
  with pytest.raises(ValueError, match="the cable does not stay on wrap 1 'one'"):
    mujoco.MjModel.from_xml_string(xml)


@pytest.mark.parametrize(("gear", "fine"), [("-1", True), ("1", True), ("0", True), ("0.5", False)])
def test_a_gear_that_nothing_reads_is_refused(gear, fine):
  """The cable's moments stand in the place of those of its carrier; MuJoCo's default is 1."""
  carrier = '<tendon><spatial name="t"><site site="motor"/><site site="hook"/></spatial></tendon>'
  motor = f'<plugin name="motor" instance="c" tendon="t" gear="{gear}"/>'
  more = f"{carrier}<actuator>{motor}</actuator>"
  if fine:
    assert compile_hand(more, **GOOD, take_up="length").nu == 1
    return
  with pytest.raises(ValueError, match=rf"actuator 'motor': gear=\"{gear}\" .* accepted: gear"):
    compile_hand(more, **GOOD, take_up="length")


def test_an_unknown_key_is_named():
  """By MuJoCo, before the engine is asked."""
  with pytest.raises(ValueError, match="stifness"):
    compile_hand(**GOOD, stifness="1")


@pytest.mark.parametrize("field", ["tensio", "memory", ""])
def test_a_sensor_of_no_field_is_refused_and_every_field_is_listed(field):
  spec = mujoco.MjSpec.from_string(HAND.format(config=keys_of(GOOD), more=""))
  sensor = spec.add_sensor(name=f"c.{field}", type=mujoco.mjtSensor.mjSENS_PLUGIN)
  sensor.plugin.name, sensor.plugin.plugin_name, sensor.plugin.active = "c", "mujocable.cable", True
  with pytest.raises(ValueError, match=rf"sensor 'c\.{field}' names no field") as refusal:
    spec.compile()
  listed = str(refusal.value).partition("fields: ")[2].split("\n")[0]
  assert listed.split(", ") == list(FIELDS)


def test_an_end_inside_a_surface(spec):
  spec.worldbody.add_site(name="inside", pos=[0, 0, 1])
  route = [mjc.Anchor("inside"), mjc.Wrap("sheave"), mjc.Anchor("hook")]
  mjc.add_cable(spec, mjc.Cable("c", route, mjc.Axial(stiffness=1.0)))
  with pytest.raises(ValueError, match=r"cable 'c': .*'inside'"):
    spec.compile()


FORMS = """
<mujoco>
  <extension>
    <plugin plugin="mujocable.cable">
      <instance name="c">
        <config key="name" value="c"/>
        <config key="stiffness" value="2000"/>
        <config key="pretension" value="5"/>
        <config key="friction" value="0.1"/>
        {config}
      </instance>
    </plugin>
  </extension>
  <worldbody>
    <site name="motor" pos="-0.3 0 0" user="1"/>
    <site name="hint" pos="0 0 1.2" user="2"/>
    <site name="guide" pos="0.05 0 0.6" user="3"/>
    <site name="other" pos="9 0 0.6" user="3"/>
    <body name="sheave" pos="0 0 1">
      <joint axis="0 1 0"/>
      <geom name="sheave" type="cylinder" size="0.05 0.02" euler="90 0 0"/>
    </body>
    <body pos="0.05 0 0.2">
      <freejoint/><geom size="0.02"/><site name="hook" user="1"/>
    </body>
  </worldbody>
  <tendon>
    <spatial name="seed">
      <site site="motor"/><site site="hint"/><site site="guide"/><site site="hook"/>
    </spatial>
  </tendon>
  <sensor><plugin name="c" instance="c"/></sensor>
  {custom}
</mujoco>
"""

TUPLE = """
  <custom>
    <tuple name="c">
      <element objtype="site" objname="motor"/>
      <element objtype="geom" objname="sheave"/>
      <element objtype="site" objname="hint" prm="1"/>
      <element objtype="site" objname="guide"/>
      <element objtype="site" objname="hook"/>
    </tuple>
  </custom>"""


def run(custom="", prefix="", **config) -> list:
  spec = mujoco.MjSpec.from_string(FORMS.format(config=keys_of(config), custom=custom))
  scene = mujoco.MjSpec() if prefix else spec
  if prefix:
    scene.attach(spec, prefix=prefix, frame=scene.worldbody.add_frame())
  model = scene.compile()
  data = mujoco.MjData(model)
  for _ in range(50):
    mujoco.mj_step(model, data)
  c = mjc.bind(model, data)[prefix + "c"]
  return [c.length, *c.tension, *c.entry.flat, *c.exit.flat, *c.load, *data.qpos]


@pytest.mark.parametrize("prefix", ["left/", "c/"])
def test_all_forms_of_an_attached_route_give_identical_results(prefix):
  explicit = "anchor motor; wrap sheave side=hint; eyelet guide friction=0.3; anchor hook"
  by_route = run(prefix=prefix, route=explicit)
  by_tuple = run(prefix=prefix, custom=TUPLE, contacts="wrap; eyelet friction=0.3")
  by_seed = run(prefix=prefix, seed="seed", surfaces="sheave", contacts="wrap; eyelet friction=0.3")
  assert by_route == by_tuple
  assert by_route == by_seed
