"""The catalogue: plausible numbers, sources, errors that teach."""

from math import pi

import pytest

import mujocable as mjc
from mujocable.catalogue import FRICTION, MATERIALS, friction, material
from mujocable.errors import BadValue, UnknownName


@pytest.mark.parametrize("name", MATERIALS)
def test_every_material_is_plausible_and_has_a_source(name):
  stock = MATERIALS[name]
  assert 1e9 < stock.modulus < 4.2e11
  assert 0.004 < stock.strength / stock.modulus < 0.4  # strain at break
  assert 500 < stock.density < 19300
  assert len(stock.source) > 20


def test_values_grow_with_the_section():
  one, two = material("steel 7x19", 1e-3), material("steel 7x19", 2e-3, safety=5)
  times = two.EA / one.EA
  assert times == pytest.approx(4.0)
  assert two.max_tension == pytest.approx(4 * one.max_tension / 5)
  assert two.mass_per_length == pytest.approx(4 * one.mass_per_length)
  assert (one.radius, two.radius) == (0.5e-3, 1e-3)
  assert one.stiffness(0.5) == pytest.approx(one.EA / 0.5)


def test_wire_rope_gives_back_the_numbers_of_its_sources():
  # 1/8 inch, galvanized 7x19: breaks at 2000 lbf; 500 lbf stretch it by 500 G / d^2 per cent
  rope = material("steel 7x19", 25.4e-3 / 8)
  assert rope.max_tension == pytest.approx(2000 * 4.4482216, rel=1e-6)
  strain = 500 * 1.40e-5 * 64 / 100
  assert 500 * 4.4482216 / (strain * rope.EA) == pytest.approx(1.0, rel=1e-6)
  assert rope.mass_per_length == pytest.approx(2.9 * 0.45359237 / 30.48, rel=1e-9)


def test_braid_gives_back_the_load_of_its_source():
  braid = material("dyneema braid", 25.4e-3 * 3 / 16)
  assert braid.max_tension == pytest.approx(5400 * 4.4482216, rel=2e-3)


def test_a_material_fills_a_cable():
  rope = material("stainless 7x7", 0.8e-3)
  route = [mjc.Anchor("a"), mjc.Anchor("b")]
  cable = mjc.Cable(
    "c", route, mjc.Axial(EA=rope.EA, max_tension=rope.max_tension), radius=rope.radius
  )
  assert cable.axial.EA == rope.EA


def test_bad_names_and_numbers_are_named():
  with pytest.raises(UnknownName, match=r"'steel 7x9' .* did you mean 'steel 7x19'"):
    material("steel 7x9", 1e-3)
  with pytest.raises(BadValue, match=r"material 'steel 7x19': diameter must be .* > 0"):
    material("steel 7x19", -1e-3)
  with pytest.raises(UnknownName, match="'steel' on 'cheese' is not in the catalogue"):
    friction("steel", "cheese")


def test_friction_of_a_pair_in_either_order():
  assert friction("steel", "ptfe") is friction("ptfe", "steel")
  for pair, found in FRICTION.items():
    assert 0 < found.low <= found.value <= found.high < 1, pair
    assert len(found.source) > 20, pair


def test_diameter_means_the_circle():
  wire = material("steel wire", 1e-3)
  area = wire.EA / MATERIALS["steel wire"].modulus
  assert area == pytest.approx(pi / 4 * 1e-6)
