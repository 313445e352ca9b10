"""Workbench: a model in which tendons become cables one by one, and back where they must."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import mujoco

from mujocable.errors import CableError
from mujocable.spec.cable import Cable
from mujocable.spec.carrier import HIDDEN_GROUP
from mujocable.spec.laws import Axial
from mujocable.spec.members import has, members
from mujocable.spec.read import read_cables
from mujocable.spec.route import Anchor, Eyelet, Wrap
from mujocable.spec.takeup import TendonDrive
from mujocable.spec.write import add_cable, remove_cable
from mujocable.study import routes
from mujocable.study.convert.compare import Path, share_of
from mujocable.study.convert.conversion import Kept
from mujocable.study.convert.ropes import acts, has_limit, rope_of, take_over


@dataclass
class Made:
  """The cables of one tendon."""

  tendon: int
  paths: list[Path] = field(default_factory=list)  # one per branch
  rope: Path | None = None

  @property
  def cables(self) -> list[Cable]:
    both = [*self.paths, *([self.rope] if self.rope else [])]
    return [path.cable for path in {id(path): path for path in both}.values()]


class Work:
  """A spec on its way: names that are taken, cables that were made, tendons that were kept."""

  def __init__(self, spec, plain, friction: float, source: str, limits: str, rope_stiffness):
    self.spec, self.plain = spec, plain
    self._friction, self._source, self._limits = friction, source, limits
    self._rope_stiffness = rope_stiffness
    self.names = {t: plain.tendon(t).name for t in range(plain.ntendon)}
    self.made: dict[int, Made] = {}
    self.kept: dict[int, Kept] = {}
    cables = read_cables(spec)
    self.own = {name: _largest_friction(cable) for name, cable in cables.items()}
    self.drives = {
      cable.take_up.tendon: name
      for name, cable in cables.items()
      if isinstance(cable.take_up, TendonDrive)
    }
    self._taken = {*members(spec)}
    for elements in (spec.sensors, spec.tuples, spec.plugins):
      self._taken |= {element.name for element in elements}

  def add(self, tendon: int, branches: Sequence[routes.Branch]) -> None:
    """Makes the cables of a tendon; what cannot be written stays native."""
    made = Made(tendon)
    one = len(branches) == 1
    rope = self._limits != "native" and one and has_limit(self.plain, tendon)
    alone = not acts(self.plain, tendon)
    if rope and (alone or self._limits == "ropes"):
      made.rope = self._rope(tendon, branches[0])
    if made.rope and alone:
      made.paths = [made.rope]
    else:
      made.paths = [self._drive(tendon, branch, k) for k, branch in enumerate(branches)]
    self.made[tendon] = made
    try:
      for cable in made.cables:
        add_cable(self.spec, cable)
    except CableError as error:
      self.drop(tendon, str(error).partition("': ")[2] or str(error))

  def drop(self, tendon: int, reason: str, kind: str = "engine") -> None:
    """Takes the cables of a tendon out again."""
    for cable in self.made.pop(tendon).cables:
      if has(self.spec, cable.name):
        remove_cable(self.spec, cable.name)
    self.kept[tendon] = Kept(self.names[tendon], reason, kind)

  def compile(self) -> mujoco.MjModel:
    """The model; a cable that the engine refuses is taken out, with its message."""
    while True:
      try:
        return self.spec.compile()
      except ValueError as error:
        owners = {f"cable '{c.name}': ": t for t, made in self.made.items() for c in made.cables}
        text = str(error)
        blamed = max((start for start in owners if start in text), key=len, default="")
        if not blamed:
          raise
        self.drop(owners[blamed], text.partition(blamed)[2].splitlines()[0])

  def paths(self) -> dict[int, Sequence[Path]]:
    """What is to be compared, by tendon."""
    return {tendon: made.paths for tendon, made in self.made.items()}

  def hide(self) -> None:
    """Draws cables instead of their tendons, and takes limits over."""
    for tendon, made in self.made.items():
      native = self.spec.tendon(self.names[tendon])
      native.group = HIDDEN_GROUP
      if made.rope:
        take_over(native)

  def _drive(self, tendon: int, branch: routes.Branch, number: int) -> Path:
    name = self.names[tendon]
    cable = Cable(
      self._free(name if number == 0 else f"{name}:branch_{number}"),
      self._route(branch),
      friction=self._friction,
      take_up=TendonDrive(name, share=1 / branch.divisor),
    )
    return Path(cable, branch, self._source == "last", share_of(cable, branch))

  def _rope(self, tendon: int, branch: routes.Branch) -> Path:
    rope = rope_of(self.plain, tendon, self._rope_stiffness)
    cable = Cable(
      self._free(f"{self.names[tendon]}:rope"),
      self._route(branch),
      Axial(stiffness=rope.stiffness, damping=rope.damping, home_length=rope.length),
      friction=self._friction,
    )
    return Path(cable, branch, self._source == "last", 1.0)

  def _route(self, branch: routes.Branch) -> list[Anchor | Eyelet | Wrap]:
    model, stops = self.plain, branch.stops
    if self._source == "last":
      stops = tuple(reversed(stops))
    route = []
    for i, stop in enumerate(stops):
      if stop.is_geom:
        side = model.site(stop.side).name if stop.side >= 0 else None
        # a native tendon knows no end of a cylinder
        endless = int(model.geom_type[stop.id]) == int(mujoco.mjtGeom.mjGEOM_CYLINDER)
        route.append(Wrap(model.geom(stop.id).name, side=side, endless=endless))
      else:
        end = i in (0, len(stops) - 1)
        route.append((Anchor if end else Eyelet)(model.site(stop.id).name))
    return route

  def _free(self, name: str) -> str:
    while name in self._taken:
      name += ":cable"
    self._taken.add(name)
    return name


def _largest_friction(cable: Cable) -> float:
  given = [getattr(element, "friction", None) for element in cable.route[1:-1]]
  return max((cable.coefficient if x is None else x for x in given), default=cable.coefficient)
