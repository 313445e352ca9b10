"""Cable and its laws: frozen data, and the config keys they become."""

import copy
import dataclasses
import inspect
import math
import pickle
import re

import pytest

import mujocable as mjc
from mujocable.errors import BadRoute, BadValue
from mujocable.runtime.tables import table
from mujocable.spec.keys import (
  CONFIG_KEYS,
  KEYS,
  WORDS,
  config_of,
  laws,
  laws_of,
  value_of,
  with_keys,
)

ROUTE = [mjc.Anchor("a"), mjc.Anchor("b")]


def make(**given) -> mjc.Cable:
  """From keys, as MJCF has them."""
  return mjc.Cable("x", ROUTE, **laws(**{"stiffness": 1.0, **given}))


def test_cables_are_frozen_values():
  assert make() == make()
  assert make().route == tuple(ROUTE)
  assert hash(make()) == hash(make())
  assert dataclasses.replace(make(), name="y").name == "y"
  for copied in (copy.deepcopy(make()), pickle.loads(pickle.dumps(make()))):
    assert copied == make()


@pytest.mark.parametrize("name", ["", None, 1])
def test_bad_name(name):
  with pytest.raises(BadValue, match="cable: name must be a name"):
    mjc.Cable(name=name, route=ROUTE, axial=mjc.Axial(stiffness=1.0))


# what says "no limit" and "slack at home" is good
BAD_NUMBERS = [
  (key, value)
  for key in KEYS
  if key not in WORDS
  for value in (math.nan, math.inf, -1.0, True, "1", [1.0])
  if (key, value) not in [("max_tension", math.inf), ("pretension_offset", -1.0)]
]


@pytest.mark.parametrize(("key", "value"), BAD_NUMBERS)
def test_bad_numbers(key, value):
  name = {"friction": "coefficient"}.get(key, key.removeprefix("max_"))
  with pytest.raises(BadValue, match=rf": (max_)?{name} must be a"):
    make(friction_law="sliding", **{"stiffness": None, key: value})


@pytest.mark.parametrize("friction", [math.nan, -1.0, True, "0.1", None])
def test_bad_friction(friction):
  with pytest.raises(BadValue, match="cable 'x': friction must be a finite number >= 0, got"):
    make(friction=friction)


@pytest.mark.parametrize(
  "key", ["stiffness", "slip_speed", "max_tension", "home_length", "max_smoothness"]
)
def test_zero_is_refused_where_it_makes_no_sense(key):
  with pytest.raises(BadValue, match=r"must be .* > 0.*, got 0"):
    make(friction_law="sliding", **{key: 0})


def test_words():
  with pytest.raises(BadValue, match="damping_rate must be one of 'stretch', 'length', got 'both'"):
    make(damping_rate="both")
  with pytest.raises(BadValue, match="mode must be one of 'velocity', 'forward', 'rev"):
    make(friction_law="sliding", friction_mode="backward")
  with pytest.raises(
    BadValue, match="friction_law must be one of 'memory', 'sliding', got 'stick'"
  ):
    make(friction_law="stick")
  with pytest.raises(BadValue, match="cable 'x': integration must be one of 'auto', 'explicit'"):
    make(integration="implicit")


def test_kinds():
  axial = mjc.Axial(stiffness=1.0)
  with pytest.raises(BadValue, match="take_up must be None or one of LengthCommand, SpoolAngle"):
    make(take_up="length")
  with pytest.raises(BadValue, match=r"cable 'x': axial must be an Axial, got 2000\.0"):
    mjc.Cable("x", ROUTE, 2000.0)  # pyright: ignore
  with pytest.raises(BadValue, match="cable 'x': limits must be a Limits, got 1e-05"):
    mjc.Cable("x", ROUTE, axial, limits=1e-5)  # pyright: ignore


def test_stiffness_or_rigidity():
  with pytest.raises(BadValue, match=r"Axial: give stiffness \[N/m\] or EA \[N\], not both"):
    make(EA=1.0)
  with pytest.raises(BadValue, match=r"cable 'x': stiffness \[N/m\] or EA \[N\] is missing"):
    make(stiffness=None)
  assert make(stiffness=None, take_up=mjc.TensionCommand((0, 1))).axial.EA is None


def test_pretension_or_offset():
  with pytest.raises(BadValue, match=r"give pretension .* or pretension_offset .*, not both"):
    make(pretension=1.0, pretension_offset=0.1)


@pytest.mark.parametrize("route", ["ab", None, 3, mjc.Anchor("a")])
def test_route_is_a_list(route):
  with pytest.raises(
    BadRoute, match="cable 'x': route must be a list of Anchor, Eyelet, Wrap, Ring, Sheath"
  ):
    mjc.Cable("x", route, mjc.Axial(stiffness=1.0))


def test_route_elements_are_ours():
  with pytest.raises(
    BadRoute,
    match=r"cable 'x': route\[1\] must be one of Anchor, Eyelet, Wrap, Ring, Sheath, got 'b'",
  ):
    mjc.Cable("x", [mjc.Anchor("a"), "b"], mjc.Axial(stiffness=1.0))  # pyright: ignore


# ------------------------------------ former keywords


@pytest.mark.parametrize(
  "key", [key for key in KEYS if key not in ("friction", "radius", "integration")]
)
def test_former_keywords_name_the_new_ones(key):
  with pytest.raises(BadValue, match=rf"Cable has no '{key}' of its own any more: write \w+=") as e:
    mjc.Cable("x", ROUTE, **{key: 1.0})
  # what is written instead exists
  law, field = re.findall(r"=(Axial|Sliding|Limits)\((?:coefficient(?:, )?)?(\w*)", str(e.value))[0]
  names = [field.name for field in dataclasses.fields(getattr(mjc, law))]
  assert field in names or key == "friction_law"


def test_former_attributes_name_the_new_ones():
  with pytest.raises(AttributeError, match=r"no 'stiffness'; it moved: cable\.axial\.stiffness"):
    _ = make().stiffness  # pyright: ignore
  with pytest.raises(AttributeError, match=r"a Cable has no 'stifness'$"):
    _ = make().stifness  # pyright: ignore


# ------------------------------------ config keys


def test_config_holds_what_was_said_and_reads_back():
  cable = make(
    stiffness=1 / 3,
    damping=2,
    friction_law="sliding",
    friction_mode="forward",
    pretension=0.1,
    radius=1e-300,
    transition=1,
  )
  config = config_of(cable)
  assert config == {
    "stiffness": "0.3333333333333333",
    "damping": "2.0",
    "friction_law": "sliding",
    "friction_mode": "forward",
    "pretension": "0.1",
    "radius": "1e-300",
    "transition": "1.0",
  }
  assert mjc.Cable("x", ROUTE, **laws_of("x", config)) == cable


@pytest.mark.parametrize(
  ("config", "message"),
  [
    ({"damping": "lots"}, "cable 'x': damping must be a number, got 'lots'"),
    ({"max_smoothness": "0"}, "cable 'x': max_smoothness must be a finite number > 0, got 0.0"),
    ({"friction_mode": "back"}, "cable 'x': friction_mode must be one of 'velocity', "),
    ({"EA": "1", "stiffness": "1"}, "cable 'x': Axial: give stiffness"),
    ({"slip_speed": "1"}, "cable 'x': slip_speed belongs to .* or set friction_law=\"sliding\""),
    ({"friction_mode": "reverse"}, "cable 'x': friction_mode belongs to friction without memory"),
  ],
)
def test_a_bad_config_names_the_cable_and_the_key(config, message):
  with pytest.raises(BadValue, match=message):
    laws_of("x", config)


def test_one_key_can_be_changed_and_nothing_else_changes():
  cable = make(damping=3.0, friction_law="sliding", friction=0.2, slip_speed=0.5, radius=1e-3)
  for key, value in (("stiffness", 7.0), ("friction", 0.4), ("max_smoothness", 1e-3)):
    changed = with_keys(cable, **{key: value})
    assert value_of(changed, key) == value
    assert with_keys(changed, **{key: value_of(cable, key)}) == cable
  assert with_keys(cable, friction_law="memory").friction == 0.2
  assert with_keys(make(friction=0.2), friction_law="sliding").friction == mjc.Sliding(0.2)


def engine_attributes() -> dict[str, tuple[str, ...]]:
  return {row[0]: row for row in table("attributes")}


def test_engine_and_python_know_the_same_keys():
  assert set(engine_attributes()) == set(CONFIG_KEYS)


def test_engine_and_python_have_the_same_defaults():
  bare = mjc.Cable("x", ROUTE, take_up=mjc.TensionCommand(None))
  sliding = dataclasses.replace(bare, friction=mjc.Sliding(0.0))
  checked = 0
  for key in KEYS:
    value = value_of(bare, key)
    value = value_of(sliding, key) if value is None else value
    if value is not None:
      default = engine_attributes()[key][2]
      assert (default if isinstance(value, str) else float(default)) == value, key
      checked += 1
  assert checked == len(KEYS) - 6  # stiffness, EA, home_length, max_penetration, two pretensions


FROZEN = [kind for kind in vars(mjc).values() if dataclasses.is_dataclass(kind)]


@pytest.mark.parametrize("kind", [kind for kind in FROZEN if kind is not mjc.MeshFit])
def test_help_explains_every_field(kind):
  text = inspect.getdoc(kind) or ""
  for field in dataclasses.fields(kind):
    assert re.search(rf"^  {field.name}: \S", text, re.M), field.name
  assert "axial" in inspect.signature(mjc.Cable).parameters
