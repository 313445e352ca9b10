"""Scenes as data: a name, what it is, how it is built, which kinds it has.

`build(kind)` returns a model and data ready to step; kind is "cable", "native" or "none". A scene
that native tendons cannot express (several wraps without a site between) has no "native".
"""

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks import robots, scaling
from benchmarks.kinds import KINDS, Ready
from benchmarks.wraps import ellipsoids, mesh, ring, wraps


@dataclass(frozen=True)
class Scene:
  """One row of the table."""

  name: str
  what: str
  build: Callable[[str], Ready]
  kinds: tuple[str, ...] = KINDS
  share: float = 1.0  # of the steps that a round takes: less for large models


_ALONE = ("none", "cable")

SCENES = (
  Scene("winch", "the demo: massless spool, free sheave, payload", robots.winch_of_the_demo()),
  Scene("drum", "driven drum, free sheave, payload", robots.drum_and_sheave(), _ALONE),
  Scene("hand", "hand of five digits, ten cables", robots.hand_of_ten(), share=0.2),
  Scene(
    "hand_smooth",
    "the same without friction, like the tendons",
    robots.hand_of_ten(friction=0.0),
    share=0.2,
  ),
  Scene("arm", "18 hinges, two cables through both holes of 19 units", robots.arm(0.0)),
  Scene("arm_friction", "the same with friction 0.3", robots.arm(0.3)),
  Scene("arm_pulled", "19 guides, friction 0.3, 10 mm taken in at once", robots.arm(0.3, True)),
  Scene("cylinder", "one cylinder", wraps("cylinder", 1)),
  Scene("cylinder_smooth", "the same without friction, like the tendon", wraps("cylinder", 1, 0.0)),
  Scene("sphere", "one sphere", wraps("sphere", 1)),
  Scene("ellipsoid", "one ellipsoid", ellipsoids(1), _ALONE),
  Scene("ellipsoid_offset", "one ellipsoid, a cable of 4 mm", ellipsoids(1, 0.002), _ALONE),
  Scene("ring", "one ring, both sides of its hole", ring(), _ALONE),
  Scene("ellipsoid_chain", "eight ellipsoids in one span", ellipsoids(8), _ALONE, 0.3),
  Scene("mesh", "one ellipsoid as a mesh of 5,000 faces", mesh(25), _ALONE, 0.3),
  Scene("cylinders_2", "two cylinders in one span", wraps("cylinder", 2), _ALONE),
  Scene("cylinders_4", "four cylinders in one span", wraps("cylinder", 4), _ALONE),
  Scene("cylinders_8", "eight cylinders in one span", wraps("cylinder", 8), _ALONE, 0.3),
  *(Scene(f"guides_{n}", f"{n} guides", scaling.guides(n)) for n in (8, 32, 128, 254)),
  *(Scene(f"cables_{n}", f"{n} x 8 guides", scaling.cables(n), share=0.3) for n in (1, 4, 16, 64)),
  *(
    Scene(f"tendons_{10 * n}", f"{n} limbs with ten tendons each", scaling.limbs(n), share=0.05)
    for n in (30, 70)
  ),
  *(
    Scene(f"rubbing_{10 * n}", "the same with friction 0.1", scaling.limbs(n, 0.1), share=0.05)
    for n in (30, 70)
  ),
  Scene("muscles_300", "30 limbs with ten muscles each", scaling.muscles(30, 0.1), share=0.05),
)
