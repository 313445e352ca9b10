"""View: live, named values of the cables in a running simulation."""

from collections.abc import Iterator, Mapping
from ctypes import POINTER, byref, c_double, c_int
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from mujocable.errors import BadValue, UnknownCable, listing, suggestion
from mujocable.runtime.fields import array, count, flags, frozen, number, parameter, parameters
from mujocable.runtime.library import library
from mujocable.runtime.members import Member, members
from mujocable.runtime.parameters import PARAMETERS, slice_of
from mujocable.spec.tables import FIELDS
from mujocable.spec.tuples import END

_PASSIVE = int(mujoco.mjtDisableBit.mjDSBL_SPRING | mujoco.mjtDisableBit.mjDSBL_DAMPER)
_ACTUATION = int(mujoco.mjtDisableBit.mjDSBL_ACTUATION)


class SolveStatus(IntEnum):
  """How the path of this step came about. The cable pulls along every path but an invalid one.

  VALID: a path within the declared thresholds.
  KEPT: not taut to the thresholds: the best that was found; the next solve starts as this did.
  INVALID: a number is not finite, or a parameter is none that a cable has: no load.
  LET_GO: an end is inside a surface, which gives way or takes no part.
  SLIPPED: the cable slipped off to another path in this step.
  DERAILED: it is out of a groove, or off the end of a cylinder.
  """

  VALID = 0
  KEPT = 1
  INVALID = 2
  LET_GO = 3
  SLIPPED = 4
  DERAILED = 5

  def __str__(self) -> str:
    return self.name.lower()


@dataclass(frozen=True)
class MeshFit:
  """How the surface that a cable runs over was made of its mesh, and how far it keeps from it.

  The mesh means the smooth surface through its vertices, moved outward by the cable's radius.

  Fields, lengths in meters:
    faces: of the mesh.
    cell: spacing of the grid that the spline is fitted on.
    cable_radius: how far outside the mesh it runs.
    rounding: of sharp edges; 0 where the mesh has none.
    rms: distance of what it was fitted to: vertices, rounded edges, large faces.
    deviation: largest of these.
    vertices: largest distance of a vertex, also of those that rounding cut off.
    facets: largest distance of a face's center, flat as it is.
  """

  faces: int
  cell: float
  cable_radius: float
  rounding: float
  rms: float
  deviation: float
  vertices: float
  facets: float


def bind(model: mujoco.MjModel, data: mujoco.MjData) -> "Cables":
  """The cables of a simulation by name: `bind(model, data)["hoist"].tension`.

  Views are live: bind once, read after every step. As with every MuJoCo sensor, what is read after
  mj_step belongs to the state the step started from; after mj_forward to the present state.
  """
  if not isinstance(model, mujoco.MjModel) or not isinstance(data, mujoco.MjData):
    kinds = f"{type(model).__name__}, {type(data).__name__}"
    raise BadValue(f"bind(model, data) takes an MjModel and an MjData, got {kinds}")
  if data.qpos.size != model.nq or data.sensordata.size != model.nsensordata:
    raise BadValue("bind(model, data): this data was made for another model")
  known = members(model)
  for name in _lost(model, known):
    raise UnknownCable(
      f"cable {name!r} was dropped by MuJoCo, together with the last sensor that referred to it:"
      " keep its sensor of the same name, or take it out with remove_cable"
    )
  return Cables(model, data, known)


def _lost(model: mujoco.MjModel, known: Mapping[str, Member]) -> Iterator[str]:
  # a route is there, but no cable: nothing else refers to the instance of one without a command
  tuples = np.repeat(np.arange(model.ntuple), model.tuple_size)
  for index in tuples[model.tuple_objprm == END]:
    name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_TUPLE, int(index)) or ""
    if name not in known:
      yield name


class Cables(Mapping[str, "CableView"]):
  """The cables of one simulation, by name, in the order of the model."""

  def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, known: Mapping[str, Member]):
    self._views = {name: CableView(model, data, name, member) for name, member in known.items()}
    self._model, self._data = model, data

  def __getitem__(self, name: str) -> "CableView":
    try:
      return self._views[name]
    except KeyError:
      message = f"cable {name!r} is not in this model; {listing('cables', self._views)}"
      hint = suggestion(name, self._views)
      if mujoco.mj_name2id(self._model, mujoco.mjtObj.mjOBJ_TUPLE, str(name)) >= 0:
        hint = "; its route is here, but MuJoCo dropped it: put its sensor of the same name back"
      raise UnknownCable(message + hint) from None

  def __iter__(self) -> Iterator[str]:
    return iter(self._views)

  def __len__(self) -> int:
    return len(self._views)

  def __repr__(self) -> str:
    return f"Cables({list(self._views)})"

  def __reduce__(self):
    return bind, (self._model, self._data)  # of the copy, where model and data are copied too


def _view(model: mujoco.MjModel, data: mujoco.MjData, cable: str) -> "CableView":
  return bind(model, data)[cable]


class CableView:
  """Live values of one cable. Every array is a read-only copy, taken when it is read.

  Source first: n contacts (every Wrap and Eyelet, in route order) separate n + 1 segments. Arrays
  have shape (ncontact,) where nothing else is said.
  """

  def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, cable: str, member: Member):
    self._model, self._data, self._member = model, data, member
    self._library = library()
    self._name = cable
    self._places = _places(member.ncontact, member.nwrap)
    self._size = self._library.mujocable_record_size(member.ncontact, member.nwrap)
    self._address = self._call("sensor_address")  # of the record, -1: it has none
    begin, live = self._address, self._address >= 0
    self._live = data.sensordata[begin : begin + self._size] if live else None
    self._parameters = {
      name: data.plugin_state[slice_of(member, cable, name)] for name in PARAMETERS
    }

  if not TYPE_CHECKING:  # type checkers name what cannot be set by themselves

    def __setattr__(self, name: str, value: object) -> None:
      if not name.startswith("_") and not hasattr(type(self), name):
        message = f"a cable has no {name!r}; may be set: {', '.join(PARAMETERS)}"
        raise AttributeError(message + suggestion(name, PARAMETERS))
      super().__setattr__(name, value)

  @property
  def name(self) -> str:
    """Name of the cable."""
    return self._name

  @property
  def actuator(self) -> int | None:
    """Id of the actuator that commands the cable; None for a passive cable."""
    ids = np.flatnonzero(self._model.actuator_plugin == self._member.instance)
    if self._library.mujocable_cables(self._model._address, self._member.instance) > 1:
      own = mujoco.mj_name2id(self._model, mujoco.mjtObj.mjOBJ_ACTUATOR, self._name)
      ids = ids[ids == own]
    return int(ids[0]) if ids.size else None

  @property
  def command(self) -> int | None:
    """Index of its command in `ctrl`: `data.ctrl[view.command]`; None for a passive cable.

    Not the id of the actuator: one before it may have several commands.
    """
    actuator = self.actuator
    return None if actuator is None else int(self._model.actuator_ctrladr[actuator])

  # ------------------------------------ length and tension

  length = number("Path length [m].")
  length_rate = number("Rate of the path length [m/s].")
  rest_length = number("Unstrained length of cable between the ends [m].")
  stretch = number("Elongation of the cable [m]; negative when it hangs loose.")
  slack = number("Looseness: max(0, -stretch) [m].")
  take_up = number("Length of cable taken in [m]; positive shortens.")
  take_up_rate = number("Rate at which cable is taken in [m/s].")
  source_tension = number("Tension at the source [N]; never negative.")
  energy = number("Elastic energy stored in the cable [J].")
  tension = array("Tension of every segment [N], shape (ncontact + 1,); never negative.")

  # ------------------------------------ contacts

  touching = flags("Whether the cable bears on each contact, bool.")
  wrap_angle = array("Turning of the cable at each contact [rad]; 0 where lifted.")
  slip_rate = array("Speed of the cable past each contact [m/s]; + toward the distal end.")
  slip = array("Material moved past each contact in this step [m]; + as in slip_rate.")
  slip_total = array("Material moved past each contact since the reset [m].")
  stuck = flags("Whether friction holds the cable at each contact, bool.")
  cone = array("How much of its friction each contact uses: 1 is sliding.")
  segment_rest = array("Unstrained material from contact to contact [m], shape (ncontact + 1,).")
  dissipation = array("Power lost to friction at each contact [W].")
  overrun = array("How far each contact lies beyond the end of its cylinder [m].")

  @property
  def entry(self) -> np.ndarray:
    """Where the cable meets each contact [m, world], shape (ncontact, 3); NaN where lifted."""
    return self._contact_points("entry")

  @property
  def exit(self) -> np.ndarray:
    """Where the cable leaves each contact [m, world], shape (ncontact, 3); NaN where lifted."""
    return self._contact_points("exit")

  # ------------------------------------ whole path

  @property
  def points(self) -> np.ndarray:
    """The solved path as a polyline for drawing [m, world], shape (n, 3)."""
    room = 128
    while True:
      points = np.zeros((room, 3))
      needed = self._call("points", points, room)
      if needed <= room:
        return frozen(points[: max(needed, 0)])
      room = needed

  @property
  def jacobian(self) -> np.ndarray:
    """dL/dq: rate of the path length per generalized velocity, shape (nv,)."""
    row = np.zeros(self._model.nv)
    self._call("jacobian", row)
    return frozen(row)

  @property
  def load(self) -> np.ndarray:
    """Generalized load of this cable [N, N m], shape (nv,); spool reaction included."""
    row = np.zeros(self._model.nv)
    self._call("load", row)
    return frozen(row)

  @property
  def mesh_fit(self) -> "tuple[MeshFit | None, ...]":
    """For each contact how its surface was made of a mesh; None where it was not."""
    fits = []
    for contact in range(self.touching.size):
      row = np.zeros(8)
      found = self._call("mesh", contact, row)
      fits.append(MeshFit(int(row[0]), *map(float, row[1:])) if found == 1 else None)
    return tuple(fits)

  # ------------------------------------ parameters of this simulation

  stiffness = parameter(
    "Axial stiffness [N/m]; may be set, until the next reset, like all of these."
  )
  damping = parameter("Axial damping [N s/m]; may be set.")
  home_length = parameter("Length of the unstretched cable at zero take-up [m]; may be set.")
  max_tension = parameter("Tension limit [N]; may be set.")
  friction = parameters(
    "Capstan coefficient of each contact; may be set, one for each or one number for all but drums"
    " without friction of their own, where the cable is clamped."
  )

  # ------------------------------------ validity

  @property
  def status(self) -> SolveStatus:
    """Outcome of the route solve; invalid where the cable cannot start in this model."""
    if self.length == 0 and self._call("points", np.zeros((1, 3)), 1) < 0:
      return SolveStatus.INVALID
    return SolveStatus(int(self._field("status")[0]))

  @property
  def status_contact(self) -> int | None:
    """The contact that the status is about, counted from 0; None where it is about none."""
    contact = int(self._field("status_contact")[0])
    return contact if contact >= 0 else None

  derailments = count(
    "How often the cable left a groove, or the end of a cylinder, since the reset."
  )
  solves = count(
    "Linear systems solved to find the tension with the motion of the step; 0: none was needed."
    " Negative: no balance was found, and the cable pulls as it would where it was nearest to one."
  )
  smoothness = number(
    "Largest kink between a segment and its arc [rad]; 0 is a smooth path. Where two surfaces"
    " touch, the segment between them (shorter than 1e-7 radii) has no direction: a corner below"
    " 1e-3 rad does not count there."
  )
  surface_error = number("Largest distance of a contact point from its surface [m].")
  penetration = number("Deepest intrusion of the path into a surface of the route [m].")
  iterations = count("Newton iterations of the route solve; 0 for closed forms.")

  def __repr__(self) -> str:
    if self.length == 0 and self.status == SolveStatus.INVALID:
      return f"<cable {self.name!r}: invalid: no path, no load>"
    if self.length == 0:
      return f"<cable {self.name!r}: not evaluated yet; call mujoco.mj_forward>"
    touching = self.touching
    return (
      f"<cable {self.name!r}: length {self.length:.6g} m, tension {self.source_tension:.6g} N,"
      f" slack {self.slack:.3g} m, {int(touching.sum())} of {touching.size} contacts touching,"
      f" {self.status}>"
    )

  def __reduce__(self):
    return _view, (self._model, self._data, self._name)

  def _field(self, name: str) -> np.ndarray:
    record = self._live
    if record is None or not _computes_cables(self._model):
      record = np.zeros(self._size)
      self._call("read", record)
    return record[self._places[name]]

  def _contact_points(self, name: str) -> np.ndarray:
    points = self._field(name).reshape(-1, 3).copy()
    points[~self.touching] = np.nan
    return frozen(points)

  def _call(self, name: str, *given: int | np.ndarray) -> int:
    function = getattr(self._library, f"mujocable_{name}")
    pointer = POINTER(c_double)
    values = [x.ctypes.data_as(pointer) if isinstance(x, np.ndarray) else x for x in given]
    cable = self._member.instance, self._member.number
    return function(self._model._address, self._data._address, *cable, *values)


@lru_cache
def _places(ncontact: int, nwrap: int) -> Mapping[str, slice]:
  # of the fields in the record
  places = {}
  for name in FIELDS:
    offset, size = c_int(), c_int()
    library().mujocable_field(ncontact, nwrap, name.encode(), byref(offset), byref(size))
    places[name] = slice(offset.value, offset.value + size.value)
  return places


def _computes_cables(model: mujoco.MjModel) -> bool:
  # with all of these off, MuJoCo calls no cable before the end of a step
  flags = int(model.opt.disableflags)
  return flags & _PASSIVE != _PASSIVE or bool(model.nactuator and not flags & _ACTUATION)
