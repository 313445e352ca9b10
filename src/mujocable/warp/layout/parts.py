"""Layout: cables and the model they stand in -> flat tables, the same for every world.

n contacts separate n + 1 segments, as everywhere; contacts, segments, wraps and cells of all cables
are numbered in one row each. A row of the table of gradients is one (segment, dof): a segment
changes its length only with the dofs between the two bodies that it joins.
"""

import math
from dataclasses import dataclass, field

from mujocable.spec.cable import Cable

FIXED, CONTROL, ACTIVATION, JOINT, TENDON = range(5)  # where the take-up is read
CYLINDER, SPHERE, RING = range(3)
MAX_SPAN_WRAPS = 8


@dataclass(frozen=True)
class Wrapped:
  """One wrap of the layout."""

  contact: int
  geom: int  # of a ring its site
  kind: int
  body: int
  hint_site: int  # -1: the point, or none
  hint_point: tuple[float, float, float] | None
  hinges: tuple[tuple[int, float], ...]  # (qpos address, sign) that wind the cable
  turns: int
  kept: bool = False  # a keeper holds the cable on it
  ring: tuple[float, float] = (0.0, 0.0)  # radius, and that of the tube with the cable
  groove: float = 0.0  # its depth


@dataclass(frozen=True)
class Housing:
  """One sheath of the layout; the contact behind `contact` is its exit."""

  contact: int
  segment: int  # between its ends, of no length unless they are further apart than it is long
  sites: tuple[int, int]
  length: float
  bend: float  # negative: as its ends stand


@dataclass(frozen=True)
class Span:
  """Wraps between two fixed nodes."""

  segment: int  # the first one
  sites: tuple[int, int]
  clamped: tuple[bool, bool]  # the node rides on its wrap: a drum
  wraps: tuple[int, ...]


@dataclass(frozen=True)
class Row:
  """One (segment, dof); `constant`: of a spool that the dof turns where it is slack."""

  segment: int
  dof: int
  sign: float
  constant: float = 0.0


@dataclass(frozen=True)
class Product:
  """Gradients of a cable along two dofs, whose product the effective mass has at `address`.

  `lumped`: the mass matrix has no place for two dofs of different trees; `address` is that of the
  first on the diagonal.
  """

  address: int
  dofs: tuple[int, int]
  rows: tuple[range, range]
  lumped: bool
  cable: int


@dataclass
class Placed:
  """One cable of the layout."""

  cable: Cable
  segment: int  # the first of its segments
  contact: int
  contacts: int
  kind: int  # where the take-up is read
  gain: float
  address: int  # there
  reference: float
  tension: bool  # the command is one
  lag: float = 0.0
  rate_limit: float = 0.0
  actuator: int = -1
  limits: tuple[float, float] = (-math.inf, math.inf)
  dof: int = -1  # of a physical spool
  integrates: bool = False  # act is the integral of the command
  shared: int = 1  # cables that load a tree which this one loads, itself included
  lever: float = 0.0  # no less than the mobility along it in any pose, times that number
  rows: range = field(default_factory=lambda: range(0))
  node_site: tuple[int, ...] = ()  # -1: a wrap


@dataclass
class Layout:
  """All tables, by name; the lists are indexed as their names say."""

  cables: list[Placed] = field(default_factory=list)
  segment_sites: list[tuple[int, int]] = field(default_factory=list)  # -1: not straight
  segment_bodies: list[tuple[int, int]] = field(default_factory=list)
  contact_site: list[int] = field(default_factory=list)  # -1: a wrap, or an end of a sheath
  contact_friction: list[float] = field(default_factory=list)
  contact_held: list[bool] = field(default_factory=list)  # on a drum: only friction of its own
  contact_cable: list[int] = field(default_factory=list)
  wraps: list[Wrapped] = field(default_factory=list)
  spans: list[Span] = field(default_factory=list)
  housings: list[Housing] = field(default_factory=list)
  rows: list[Row] = field(default_factory=list)
  products: list[Product] = field(default_factory=list)

  @property
  def contacts(self) -> int:
    """How many there are."""
    return len(self.contact_site)

  def may_pool(self, contact: int) -> bool:
    """Whether the segments beside it may have one tension: without friction, or past a wrap."""
    return self.contact_friction[contact] == 0 or self.contact_site[contact] < 0

  def is_ring(self, span: Span) -> bool:
    """Whether it has a ring between its nodes: such spans have a kernel of their own."""
    return self.wraps[span.wraps[0]].kind == RING

  @property
  def keepers(self) -> bool:
    """Whether one holds a cable on a wrap."""
    return any(wrap.kept for wrap in self.wraps)

  @property
  def grooves(self) -> bool:
    """Whether a wrap has one."""
    return any(wrap.groove > 0 for wrap in self.wraps)

  @property
  def segments(self) -> int:
    """How many there are."""
    return len(self.segment_sites)
