"""A material of the catalogue fills what is not given, and nothing else."""

import math

import pytest

import mujocable as mjc
from mujocable.catalogue import material

ROUTE = [mjc.Anchor("a"), mjc.Anchor("b")]


def test_a_name_and_a_radius_fill_rigidity_and_limit():
  stock = material("steel 7x19", 0.8e-3)
  cable = mjc.Cable("c", ROUTE, material="steel 7x19", radius=0.4e-3)
  assert pytest.approx(stock.EA, rel=1e-14) == cable.axial.EA
  assert cable.axial.max_tension == pytest.approx(stock.max_tension, rel=1e-14)
  assert cable.material is None  # the cable is its numbers: it reads back as it was written


def test_a_material_with_a_diameter_gives_the_radius():
  stock = material("steel 7x19", 1.5e-3, safety=5)
  cable = mjc.Cable("c", ROUTE, material=stock)
  assert cable.radius == 0.75e-3
  assert cable.axial.EA == stock.EA
  assert cable.axial.max_tension == stock.max_tension


def test_what_is_given_stays():
  cable = mjc.Cable(
    "c", ROUTE, mjc.Axial(stiffness=7.0, max_tension=3.0), radius=1e-3, material="steel 7x19"
  )
  assert (cable.axial, cable.radius) == (mjc.Axial(stiffness=7.0, max_tension=3.0), 1e-3)
  assert math.isinf(mjc.Cable("c", ROUTE, mjc.Axial(stiffness=7.0)).axial.max_tension)


@pytest.mark.parametrize(
  ("given", "words"),
  [
    ({"material": "steel 7x19"}, "needs the radius"),
    ({"material": "cheese", "radius": 1e-3}, "cheese"),
    ({"material": 3, "radius": 1e-3}, "material must be a name"),
  ],
)
def test_bad_materials_are_refused(given, words):
  with pytest.raises(mjc.CableError, match=words):
    mjc.Cable("c", ROUTE, **given)
