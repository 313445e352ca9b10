"""Cable: the data class and its config strings."""

import dataclasses
import math
import re

import pytest

import mujocable as mjc
from mujocable.errors import BadRoute, BadValue
from mujocable.runtime.library import library
from mujocable.spec.cable import PARAMETERS, config_of, parameters_of

ROUTE = [mjc.Anchor("a"), mjc.Anchor("b")]


def make(**given) -> mjc.Cable:
  return mjc.Cable("x", ROUTE, **{"stiffness": 1.0, **given})


def test_cables_are_frozen_values():
  assert make() == make()
  assert make().route == tuple(ROUTE)
  assert hash(make()) == hash(make())
  assert dataclasses.replace(make(), name="y").name == "y"


@pytest.mark.parametrize("name", ["", None, 1])
def test_bad_name(name):
  with pytest.raises(BadValue, match="cable: name must be a name"):
    mjc.Cable(name=name, route=ROUTE, stiffness=1.0)


BAD_NUMBERS = [math.nan, math.inf, -1.0, True, "1", [1.0]]


@pytest.mark.parametrize("value", BAD_NUMBERS)
@pytest.mark.parametrize(
  "name",
  [
    n
    for n in PARAMETERS
    if n not in ("damping_rate", "friction_law", "friction_mode", "integration")
  ],
)
def test_bad_numbers(name, value):
  if (name, value) in [("max_tension", math.inf), ("pretension_offset", -1.0)]:
    return  # no limit, slack at home
  given = {"stiffness": None, name: value} if name == "EA" else {name: value}
  with pytest.raises(BadValue, match=f"cable 'x': {name} must be a"):
    make(**given)


@pytest.mark.parametrize(
  "name", ["stiffness", "slip_speed", "max_tension", "home_length", "max_smoothness"]
)
def test_zero_is_refused_where_it_makes_no_sense(name):
  with pytest.raises(BadValue, match=f"cable 'x': {name} must be .* > 0.*, got 0"):
    make(**{name: 0})


def test_words():
  with pytest.raises(BadValue, match="damping_rate must be one of 'stretch', 'length', got 'both'"):
    make(damping_rate="both")
  with pytest.raises(BadValue, match="friction_mode must be one of 'velocity', 'forward', 'rev"):
    make(friction_law="sliding", friction_mode="backward")


def test_take_up_kind():
  with pytest.raises(BadValue, match="take_up must be None or one of LengthCommand, SpoolAngle"):
    make(take_up="length")


def test_stiffness_or_rigidity():
  with pytest.raises(BadValue, match=r"cable 'x': give stiffness \[N/m\] or EA \[N\], not both"):
    make(EA=1.0)
  with pytest.raises(BadValue, match=r"cable 'x': stiffness \[N/m\] or EA \[N\] is missing"):
    make(stiffness=None)
  assert make(stiffness=None, take_up=mjc.TensionCommand((0, 1))).EA is None


def test_pretension_or_offset():
  with pytest.raises(BadValue, match=r"give pretension .* or pretension_offset .*, not both"):
    make(pretension=1.0, pretension_offset=0.1)


@pytest.mark.parametrize("route", ["ab", None, 3, mjc.Anchor("a")])
def test_route_is_a_list(route):
  with pytest.raises(
    BadRoute, match="cable 'x': route must be a list of Anchor, Eyelet, Wrap and Ring"
  ):
    mjc.Cable("x", route, stiffness=1.0)


def test_route_elements_are_ours():
  with pytest.raises(
    BadRoute, match=r"cable 'x': route\[1\] must be Anchor, Eyelet, Wrap or Ring, got 'b'"
  ):
    mjc.Cable("x", [mjc.Anchor("a"), "b"], stiffness=1.0)  # pyright: ignore


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
  assert mjc.Cable("x", ROUTE, **parameters_of("x", config)) == cable
  with pytest.raises(BadValue, match="cable 'x': damping must be a number, got 'lots'"):
    parameters_of("x", {"damping": "lots"})


def engine_attributes() -> dict[str, list[str]]:
  lines = library().mujocable_attributes().decode().splitlines()
  return {line.split("|")[0]: line.split("|") for line in lines if line}


def test_engine_and_python_know_the_same_keys():
  others = {"name", "route", "seed", "surfaces", "contacts", "take_up"}
  others |= {"spool_radius", "spool_joint", "lag", "rate_limit", "tendon", "share"}
  assert set(engine_attributes()) == others | set(PARAMETERS)


def test_engine_and_python_have_the_same_defaults():
  for field in dataclasses.fields(mjc.Cable):
    if field.name in PARAMETERS and field.default is not None:
      default = engine_attributes()[field.name][2]
      if isinstance(field.default, str):
        assert default == field.default, field.name
      else:
        assert float(default) == field.default, field.name


def test_help_explains_every_field():
  text = mjc.Cable.__doc__ or ""
  for field in dataclasses.fields(mjc.Cable):
    assert re.search(rf"^    {field.name}: \S", text, re.M), field.name
