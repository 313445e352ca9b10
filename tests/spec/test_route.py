"""Anchor, Eyelet, Wrap and their text form."""

import dataclasses
import math
import re
from pathlib import Path

import numpy as np
import pytest

from mujocable.errors import BadRoute, BadValue, CableError
from mujocable.runtime.tables import module
from mujocable.spec import tables
from mujocable.spec.route import Anchor, Eyelet, Wrap, check_order
from mujocable.spec.text import KINDS, OPTIONS, contacts_text, parse_contacts, parse_route


def test_elements_are_frozen_values():
  assert Wrap("g", side=[0, 0, 1]) == Wrap("g", side=np.array([0.0, 0.0, 1.0]))
  assert len({Anchor("a"), Anchor("a"), Eyelet("a")}) == 2
  with pytest.raises(dataclasses.FrozenInstanceError):
    Anchor("a").site = "b"  # pyright: ignore


@pytest.mark.parametrize("name", ["", None, 3, b"a"])
@pytest.mark.parametrize("kind", [Anchor, Eyelet, Wrap])
def test_a_name_is_a_string(kind, name):
  with pytest.raises(BadValue, match=f"{kind.__name__}: (site|geom) must be a name"):
    kind(name)


@pytest.mark.parametrize("friction", [-0.1, math.nan, math.inf, True, "0.1", 1j])
@pytest.mark.parametrize("kind", [Eyelet, Wrap])
def test_friction_is_finite_and_not_negative(kind, friction):
  with pytest.raises(BadValue, match=f"{kind.__name__} 'x': friction must be a finite number >= 0"):
    kind("x", friction=friction)


def test_numpy_numbers_are_numbers():
  assert type(Eyelet("x", friction=np.float32(0.5)).friction) is float
  assert Wrap("x", friction=np.int64(1)).friction == 1.0


@pytest.mark.parametrize("side", ["", [0, 0], [0, 0, math.nan], [0, 0, True], 3.0, [[0, 0, 1]]])
def test_side_is_a_site_or_a_point(side):
  with pytest.raises(BadValue, match="Wrap 'g': side must be"):
    Wrap("g", side=side)


def test_permanent_is_a_flag():
  with pytest.raises(BadValue, match="Wrap 'g': permanent must be True or False, got 1"):
    Wrap("g", permanent=1)  # pyright: ignore


A, B, E, W = Anchor("a"), Anchor("b"), Eyelet("e"), Wrap("g")


@pytest.mark.parametrize(
  ("route", "message"),
  [
    ([], "at least 2 elements"),
    ([A], "at least 2 elements"),
    ([W, B], "the first element must be an Anchor, got wrap 0 'g'"),
    ([A, E], "the last element must be an Anchor, got eyelet 1 'e'"),
    ([A, W, Anchor("c"), B], "anchor 2 'c' is inside the route; accepted there: Eyelet, Wrap"),
    ([A, A], "anchor 0 'a' and anchor 1 'a' make a zero-length span"),
    ([A, E, E, B], "eyelet 1 'e' and eyelet 2 'e' make a zero-length span"),
    ([A, Eyelet("a"), B], "anchor 0 'a' and eyelet 1 'a' make a zero-length span"),
    ([A, W, W, B], "wrap 1 'g' and wrap 2 'g' are the same surface twice in a row"),
  ],
)
def test_order_is_checked(route, message):
  with pytest.raises(BadRoute, match=f"cable 'x': .*{message}"):
    check_order("x", route)


@pytest.mark.parametrize("route", [[A, B], [A, W, B], [A, W, E, W, B], [A, Wrap("a"), A]])
def test_good_orders_pass(route):
  check_order("x", route)


def test_contacts_text_has_one_entry_per_contact():
  route = [A, W, E, Wrap("h", side="s", friction=0.1), Wrap("i", (0, 0, 1), permanent=True), B]
  text = contacts_text(route)
  assert text == "wrap; eyelet; wrap friction=0.1; wrap side=0.0,0.0,1.0 permanent"
  assert parse_contacts("x", text) == [
    {},
    {},
    {"friction": 0.1},
    {"side": (0.0, 0.0, 1.0), "permanent": True},
  ]
  assert contacts_text([A, B]) == ""
  assert parse_contacts("x", "") == []
  assert parse_contacts("x", "friction=0.1; ; permanent") == [
    {"friction": 0.1},
    {},
    {"permanent": True},
  ]


def test_text_keeps_every_digit():
  third = 1 / 3
  assert parse_contacts("x", contacts_text([A, Eyelet("e", third), B])) == [{"friction": third}]


def test_route_text():
  text = """anchor motor; wrap sheave side=hint friction=0.2 permanent;
            wrap ball side=0,0.5,1e-3 ; eyelet guide friction=0.1; anchor hook;"""
  assert parse_route("x", text) == [
    Anchor("motor"),
    Wrap("sheave", "hint", 0.2, True),
    Wrap("ball", (0, 0.5, 1e-3)),
    Eyelet("guide", 0.1),
    Anchor("hook"),
  ]


@pytest.mark.parametrize(
  ("text", "message"),
  [
    ("pulley a", "cannot read 'pulley a' in route; accepted: 'anchor SITE'"),
    ("anchor", "cannot read 'anchor' in route"),
    ("wrap g side", "cannot read option 'side'; accepted: friction=NUMBER"),
    ("wrap g friction=much", "cannot read option 'friction=much'"),
    ("wrap g side=0,0,x", "cannot read option 'side=0,0,x'"),
    ("wrap g friction=-1", "friction must be a finite number >= 0"),
    ("wrap g side=0,0", "side must be 3 numbers"),
    ("eyelet e permanent", "eyelet 'e' cannot have permanent; options here: friction"),
    ("anchor a friction=1", "anchor 'a' cannot have friction; options here: none"),
  ],
)
def test_bad_route_text(text, message):
  with pytest.raises(CableError, match=message):
    parse_route("x", text)


@pytest.mark.parametrize("value", [-1, 1.5, True, "2", 1001])
def test_turns_are_a_count(value):
  with pytest.raises(BadValue, match="Wrap 'g': turns must be a whole number from 0 to 1000"):
    Wrap("g", turns=value)


def test_turns_are_written_and_read_back():
  wrap = Wrap("drum", side="s", turns=3)
  assert contacts_text([A, wrap, B]) == "wrap turns=3"
  assert parse_contacts("x", "wrap turns=3") == [{"turns": 3}]
  assert parse_route("x", "anchor a; wrap drum side=s turns=3; anchor b")[1] == wrap


def test_the_tables_are_those_of_the_engine():
  cure = "python -m mujocable.runtime.tables src/mujocable/spec/tables.py"
  assert Path(tables.__file__).read_text(encoding="utf-8") == module(), f"stale; run: {cure}"


def test_the_classes_and_the_page_have_the_options_of_the_engine():
  page = (Path(__file__).resolve().parents[2] / "docs" / "mjcf.md").read_text(encoding="utf-8")
  for word, kind in KINDS.items():
    own = [option for option in OPTIONS.values() if word in option.elements]
    _, *names = [field.name for field in dataclasses.fields(kind)]
    assert sorted(names) == sorted(option.field for option in own)
    row = next(line for line in page.splitlines() if line.startswith(f"| `{word} "))
    said = {name.rstrip("=") for name in re.findall(r"`(\w+=?)`", row.split("|")[3])}
    assert said == {option.key for option in own}
