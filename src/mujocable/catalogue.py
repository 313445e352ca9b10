"""Catalogue: what cables are made of and what they rub on, each number with its source.

    m = material("steel 7x19", diameter=0.8e-3, safety=5)
    Cable(name, route, Axial(EA=m.EA, max_tension=m.max_tension), radius=m.radius)

Stress, modulus and density are **gross**: per area of the circle that the diameter gives, gaps
between wires included, so that a diameter is all one has to know. They are typical values; the
maker's data sheet is better.
"""

from dataclasses import dataclass
from math import pi

from mujocable import checks
from mujocable.errors import UnknownName, listing, suggestion

# units of the sources
_PSI, _KGF_MM2 = 6894.757, 9.80665e6  # [Pa]


@dataclass(frozen=True)
class Stock:
  """A cable by the meter: gross values."""

  modulus: float  # [Pa]
  strength: float  # at break [Pa]
  density: float  # [kg/m^3]
  source: str  # of modulus; strength; density


@dataclass(frozen=True)
class Material:
  """A cable of one diameter."""

  name: str  # of the stock
  diameter: float  # [m]
  EA: float  # axial rigidity [N]
  max_tension: float  # breaking load / safety [N]
  mass_per_length: float  # [kg/m]; for the record: cables are massless in the simulation
  source: str  # of the numbers

  @property
  def radius(self) -> float:
    """[m]"""
    return self.diameter / 2

  def stiffness(self, length: float) -> float:
    """Of a piece of this length [m]: EA / length [N/m]."""
    return self.EA / checks.positive(f"material {self.name!r}", "length", length)


def _rope(g: float, pounds: float, inches: float, pounds_per_100_ft: float, source: str) -> Stock:
  # elastic stretch in per cent is G * pounds / inches^2
  area = pi / 4 * inches**2  # [in^2]
  density = pounds_per_100_ft * 0.45359237 / 30.48 / (area * 0.0254**2)
  return Stock(100 / (g * pi / 4) * _PSI, pounds / area * _PSI, density, source)


def _fiber(modulus: float, strength: float, density: float, share: float, source: str) -> Stock:
  # from kgf/mm^2 and g/cm^3 of the bare fiber; `share` of both is left in a braid's gross section
  return Stock(
    modulus * _KGF_MM2 * share, strength * _KGF_MM2 * share, 1e3 * density * 0.75, source
  )


_G = "G factor: strandcore.com, 'Wire rope stretch'"
_MIL = "break: FAA AC 43.13-1B table 7-3 (MIL-W-83420)"
_WEIGHT = "weight: nominal of MIL-DTL-83420, as makers print it"
_TEIJIN = "fiber: Teijin, 'Tensile properties of industrial fibers' (Technora, table 3)"
# Samson AmSteel-Blue, 3/16 inch, breaks at 5400 lbf: 1348 MPa gross, of 2844 MPa in the fiber
_BRAID = 0.474
_BRAIDED = (
  "share left in a braid, 0.474, from Samson AmSteel-Blue 3/16 inch (5400 lbf: arboristsite.com,"
  " 'Amsteel Blue splicing experiments'), the same taken for the modulus; three quarters of the"
  " section filled: estimate"
)

MATERIALS = {
  "steel 7x7": _rope(1.07e-5, 480, 1 / 16, 0.75, f"{_G} (galvanized); {_MIL}, 1/16 in; {_WEIGHT}"),
  "steel 7x19": _rope(1.40e-5, 2000, 1 / 8, 2.9, f"{_G} (galvanized); {_MIL}, 1/8 in; {_WEIGHT}"),
  "stainless 7x7": _rope(1.20e-5, 480, 1 / 16, 0.75, f"{_G} (302); {_MIL}, comp. B; {_WEIGHT}"),
  "stainless 7x19": _rope(1.62e-5, 1760, 1 / 8, 2.9, f"{_G} (302); {_MIL}, comp. B; {_WEIGHT}"),
  "stainless 1x19": _rope(
    7.79e-6, 500, 1 / 16, 0.85, f"{_G} (302); break: 1/16 in of type 304, makers' tables; {_WEIGHT}"
  ),
  "dyneema braid": _fiber(8800, 290, 0.98, _BRAID, f"{_TEIJIN}, HMPE; {_BRAIDED}"),
  "vectran braid": _fiber(7600, 329, 1.41, _BRAID, f"{_TEIJIN}, polyarylate HT; {_BRAIDED}"),
  "aramid braid": _fiber(7470, 300, 1.44, _BRAID, f"{_TEIJIN}, PPTA; {_BRAIDED}"),
  "technora braid": _fiber(7500, 347, 1.39, _BRAID, f"{_TEIJIN}, Technora; {_BRAIDED}"),
  "polyester braid": _fiber(1300, 115, 1.38, _BRAID, f"{_TEIJIN}, polyester; {_BRAIDED}"),
  "nylon monofilament": Stock(
    2.5e9,
    0.7e9,
    1140.0,
    "modulus and break: estimates for drawn polyamide 6 line (yarn is stiffer: 82 cN/dtex);"
    f" density: {_TEIJIN}, nylon 66",
  ),
  "tungsten 7x49": Stock(
    115e9,
    2500 * 4.4482216 / (pi / 4 * 0.004**2),
    19300 * 0.60,
    "modulus: 411 GPa (matmake.com, after the CRC Handbook of Chemistry and Physics), of which a"
    " rope keeps the share that stainless 7x19 keeps (0.28); break: 4 mm rope, 2500 lbf (Carl Stahl"
    " Sava, 'The benefits of tungsten cable'); 60 % of the section filled: estimate",
  ),
  "steel wire": Stock(
    21500 * _KGF_MM2, 275 * _KGF_MM2, 7850.0, f"{_TEIJIN}, steel: one solid, hard-drawn wire"
  ),
}


def material(name: str, diameter: float, safety: float = 1.0) -> Material:
  """A cable of this stock and diameter [m]; its tension limit is the breaking load / safety."""
  try:
    stock = MATERIALS[name]
  except (KeyError, TypeError):
    known = listing("materials", sorted(MATERIALS))
    raise UnknownName(
      f"material {name!r} is not in the catalogue; {known}{suggestion(name, MATERIALS)}"
    ) from None
  owner = f"material {name!r}"
  diameter = checks.positive(owner, "diameter", diameter)
  safety = checks.positive(owner, "safety", safety)
  area = pi / 4 * diameter**2
  return Material(
    name=name,
    diameter=diameter,
    EA=stock.modulus * area,
    max_tension=stock.strength * area / safety,
    mass_per_length=stock.density * area,
    source=stock.source,
  )


# ---- friction ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Friction:
  """A coefficient of friction: a middle value and how far tables and tests spread."""

  value: float  # in the middle
  low: float  # smallest found
  high: float  # largest found
  source: str  # of the numbers


_PICKED = "pickedshares.com, 'Static and sliding friction values'"
_SCHNEIDER = "schneider-company.com, 'Coefficient of friction reference chart'"
_CRC = "Shackelford, CRC Materials Science and Engineering Handbook, table 399"

FRICTION = {
  ("steel", "ptfe"): Friction(0.10, 0.04, 0.22, f"sliding, dry: {_PICKED}"),
  ("steel", "pom"): Friction(0.20, 0.10, 0.30, f"static, polyacetal homopolymer: {_CRC}"),
  ("steel", "nylon"): Friction(0.38, 0.32, 0.45, f"sliding, dry: {_PICKED}"),
  ("steel", "nylon, oiled"): Friction(0.10, 0.10, 0.10, f"sliding: {_PICKED}"),
  ("steel", "brass"): Friction(0.51, 0.51, 0.51, f"static, clean and dry: {_SCHNEIDER}"),
  ("steel", "brass, greased"): Friction(0.19, 0.11, 0.19, f"static: {_SCHNEIDER}"),
  ("steel", "bronze, greased"): Friction(0.16, 0.13, 0.16, f"static: {_SCHNEIDER}"),
  ("steel", "steel"): Friction(0.55, 0.40, 0.70, f"sliding, dry: {_PICKED}"),
  ("steel", "steel, oiled"): Friction(0.10, 0.10, 0.10, f"sliding: {_PICKED}"),
  ("steel", "pla"): Friction(
    0.67,
    0.62,
    0.76,
    "printed PLA, dry, 0.05 to 0.1 MPa, counterface as in the paper: Materials Science-Poland 2025,"
    " doi 10.2478/msp-2025-0039",
  ),
  ("steel", "petg"): Friction(
    0.50,
    0.30,
    0.67,
    "estimate: below PLA, as in Cho and Lee, J. Korean Soc. Precis. Eng. 41 (2024) 145 and Atlihan,"
    " Polymer (Korea), which compare the two",
  ),
  ("dyneema", "steel"): Friction(
    0.16,
    0.16,
    0.23,
    "3 mm AmSteel over one steel carabiner, 180 deg, 60 % efficient (two: 48 %):"
    " hwstock.org/rope/binerpulley; mu = -ln(efficiency) / pi",
  ),
}


def friction(cable: str, guide: str) -> Friction:
  """Of a pair, in either order: friction("steel", "ptfe").value."""
  for pair in ((cable, guide), (guide, cable)):
    if pair in FRICTION:
      return FRICTION[pair]
  known = listing("pairs", (" on ".join(pair) for pair in FRICTION))
  raise UnknownName(f"friction of {cable!r} on {guide!r} is not in the catalogue; {known}")
