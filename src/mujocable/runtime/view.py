"""View: live, named values of the cables in a running simulation."""

from collections.abc import Iterator, Mapping
from ctypes import POINTER, byref, c_double, c_int
from dataclasses import dataclass
from enum import IntEnum

import mujoco
import numpy as np

from mujocable.errors import BadValue, UnknownCable, listing, suggestion
from mujocable.runtime.library import library, table
from mujocable.runtime.parameters import PARAMETERS, checked, slice_of
from mujocable.spec.tuples import END

_PASSIVE = int(mujoco.mjtDisableBit.mjDSBL_SPRING | mujoco.mjtDisableBit.mjDSBL_DAMPER)
_ACTUATION = int(mujoco.mjtDisableBit.mjDSBL_ACTUATION)


class SolveStatus(IntEnum):
  """How the path of this step came about. The cable pulls along every path but an invalid one."""

  VALID = 0  # a path within the declared thresholds
  KEPT = 1  # not taut to the thresholds: the best that was found; the next solve starts as this did
  INVALID = 2  # a number is not finite: there is no path and no load
  LET_GO = 3  # an end is inside a surface, which gives way or takes no part
  SLIPPED = 4  # the cable slipped off to another path in this step
  DERAILED = 5  # it is out of a groove, or off the end of a cylinder

  def __str__(self) -> str:
    return self.name.lower()


@dataclass(frozen=True)
class MeshFit:
  """How the surface that a cable runs over was made of its mesh, and how far it keeps from it.

  The mesh means the smooth surface through its vertices, moved outward by the cable's radius.
  """

  faces: int  # of the mesh
  cell: float  # [m] spacing of the grid that the spline is fitted on
  cable_radius: float  # [m] how far outside the mesh it runs
  rounding: float  # [m] of sharp edges; 0 where the mesh has none
  rms: float  # [m] distance of what it was fitted to: vertices, rounded edges, large faces
  deviation: float  # [m] largest of these
  vertices: float  # [m] largest distance of a vertex, also of those that rounding cut off
  facets: float  # [m] largest distance of a face's center, flat as it is


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
  for name in _lost(model):
    raise UnknownCable(
      f"cable {name!r} was dropped by MuJoCo, together with the last sensor that referred to it:"
      " keep its sensor of the same name, or take it out with remove_cable"
    )
  return Cables(model, data)


def _lost(model: mujoco.MjModel) -> Iterator[str]:
  # a route is there, but no cable: nothing else refers to the instance of one without a command
  tuples = np.repeat(np.arange(model.ntuple), model.tuple_size)
  for index in tuples[model.tuple_objprm == END]:
    name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_TUPLE, int(index)) or ""
    if mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_PLUGIN, name) < 0:
      yield name


class Cables(Mapping[str, "CableView"]):
  """The cables of one simulation, by name, in the order of the model."""

  def __init__(self, model: mujoco.MjModel, data: mujoco.MjData):
    self._views: dict[str, CableView] = {}
    self._model = model
    for instance in range(model.nplugin):
      if library().mujocable_ncontact(model._address, instance) >= 0:
        view = CableView(model, data, instance)
        self._views[view.name] = view

  def __getitem__(self, name: str) -> "CableView":
    try:
      return self._views[name]
    except KeyError:
      message = f"cable {name!r} is not in this model; {listing('cables', self._views)}"
      hint = suggestion(name, self._views)
      if mujoco.mj_name2id(self._model, mujoco.mjtObj.mjOBJ_TUPLE, name) >= 0:
        hint = "; its route is here, but MuJoCo dropped it: put its sensor of the same name back"
      raise UnknownCable(message + hint) from None

  def __iter__(self) -> Iterator[str]:
    return iter(self._views)

  def __len__(self) -> int:
    return len(self._views)

  def __repr__(self) -> str:
    return f"Cables({list(self._views)})"


class CableView:
  """Live values of one cable. Every array is a read-only copy, taken when it is read.

  Source first: n contacts (every Wrap and Eyelet, in route order) separate n + 1 segments.
  """

  def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, instance: int):
    self._model, self._data, self._instance = model, data, instance
    self._library = library()
    self._name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_PLUGIN, instance) or ""
    self._slots = {name: self._slot(name) for (name,) in table("fields")}
    self._size = self._library.mujocable_record_size(model._address, instance)
    address = self._library.mujocable_sensor_address(model._address, data._address, instance)
    self._live = data.sensordata[address : address + self._size] if address >= 0 else None
    self._parameters = {
      name: data.plugin_state[slice_of(model, instance, self._name, name)] for name in PARAMETERS
    }

  def __setattr__(self, name: str, value: object) -> None:
    if not name.startswith("_") and not hasattr(type(self), name):
      known = [n for n in PARAMETERS if n in dir(type(self))]
      message = f"a cable has no {name!r}; may be set: {', '.join(known)}"
      raise AttributeError(message + suggestion(name, known))
    super().__setattr__(name, value)

  @property
  def name(self) -> str:
    """Name of the cable."""
    return self._name

  @property
  def actuator(self) -> int | None:
    """Id of the actuator that commands the cable; None for a passive cable."""
    ids = np.flatnonzero(self._model.actuator_plugin == self._instance)
    return int(ids[0]) if ids.size else None

  @property
  def command(self) -> int | None:
    """Index of its command in `ctrl`: `data.ctrl[view.command]`; None for a passive cable.

    Not the id of the actuator: one before it may have several commands.
    """
    actuator = self.actuator
    return None if actuator is None else int(self._model.actuator_ctrladr[actuator])

  # ------------------------------------ length and tension

  @property
  def length(self) -> float:
    """Path length [m]."""
    return self._scalar("length")

  @property
  def length_rate(self) -> float:
    """Rate of the path length [m/s]."""
    return self._scalar("length_rate")

  @property
  def rest_length(self) -> float:
    """Unstrained length of cable between the ends [m]."""
    return self._scalar("rest_length")

  @property
  def stretch(self) -> float:
    """Elongation of the cable [m]; negative when it hangs loose."""
    return self._scalar("stretch")

  @property
  def slack(self) -> float:
    """Looseness: max(0, -stretch) [m]."""
    return self._scalar("slack")

  @property
  def take_up(self) -> float:
    """Length of cable taken in [m]; positive shortens."""
    return self._scalar("take_up")

  @property
  def take_up_rate(self) -> float:
    """Rate at which cable is taken in [m/s]."""
    return self._scalar("take_up_rate")

  @property
  def source_tension(self) -> float:
    """Tension at the source [N]; never negative."""
    return self._scalar("source_tension")

  @property
  def energy(self) -> float:
    """Elastic energy stored in the cable [J]."""
    return self._scalar("energy")

  @property
  def tension(self) -> np.ndarray:
    """Tension of every segment [N], shape (ncontact + 1,); never negative."""
    return self._array("tension")

  # ------------------------------------ contacts

  @property
  def touching(self) -> np.ndarray:
    """Whether the cable bears on each contact, bool, shape (ncontact,)."""
    return _frozen(self._field("touching") != 0)

  @property
  def wrap_angle(self) -> np.ndarray:
    """Turning of the cable at each contact [rad], shape (ncontact,); 0 where lifted."""
    return self._array("wrap_angle")

  @property
  def slip_rate(self) -> np.ndarray:
    """Speed of the cable past each contact [m/s], shape (ncontact,); + toward the distal end."""
    return self._array("slip_rate")

  @property
  def slip(self) -> np.ndarray:
    """Material moved past each contact in this step [m], shape (ncontact,); + as in slip_rate."""
    return self._array("slip")

  @property
  def slip_total(self) -> np.ndarray:
    """Material moved past each contact since the reset [m], shape (ncontact,)."""
    return self._array("slip_total")

  @property
  def stuck(self) -> np.ndarray:
    """Whether friction holds the cable at each contact, bool, shape (ncontact,)."""
    return _frozen(self._field("stuck") != 0)

  @property
  def cone(self) -> np.ndarray:
    """How much of its friction each contact uses, shape (ncontact,): 1 is sliding."""
    return self._array("cone")

  @property
  def segment_rest(self) -> np.ndarray:
    """Unstrained material from contact to contact [m], shape (ncontact + 1,)."""
    return self._array("segment_rest")

  @property
  def dissipation(self) -> np.ndarray:
    """Power lost to friction at each contact [W], shape (ncontact,)."""
    return self._array("dissipation")

  @property
  def overrun(self) -> np.ndarray:
    """How far each contact lies beyond the end of its cylinder [m], shape (ncontact,)."""
    return self._array("overrun")

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
        return _frozen(points[: max(needed, 0)])
      room = needed

  @property
  def jacobian(self) -> np.ndarray:
    """dL/dq: rate of the path length per generalized velocity, shape (nv,)."""
    row = np.zeros(self._model.nv)
    self._call("jacobian", row)
    return _frozen(row)

  @property
  def load(self) -> np.ndarray:
    """Generalized load of this cable [N, N m], shape (nv,); spool reaction included."""
    row = np.zeros(self._model.nv)
    self._call("load", row)
    return _frozen(row)

  @property
  def mesh_fit(self) -> "tuple[MeshFit | None, ...]":
    """For each contact how its surface was made of a mesh; None where it was not."""
    fits = []
    for contact in range(self.touching.size):
      row = np.zeros(8)
      pointer = row.ctypes.data_as(POINTER(c_double))
      found = self._library.mujocable_mesh(
        self._model._address, self._data._address, self._instance, contact, pointer
      )
      fits.append(MeshFit(int(row[0]), *map(float, row[1:])) if found == 1 else None)
    return tuple(fits)

  # ------------------------------------ parameters of this simulation

  @property
  def stiffness(self) -> float:
    """Axial stiffness [N/m]; may be set, until the next reset, like the other parameters here."""
    return float(self._parameters["stiffness"][0])

  @stiffness.setter
  def stiffness(self, value: float) -> None:
    self._set_parameter("stiffness", value)

  @property
  def damping(self) -> float:
    """Axial damping [N s/m]; may be set."""
    return float(self._parameters["damping"][0])

  @damping.setter
  def damping(self, value: float) -> None:
    self._set_parameter("damping", value)

  @property
  def home_length(self) -> float:
    """Length of the unstretched cable at zero take-up [m]; may be set."""
    return float(self._parameters["home_length"][0])

  @home_length.setter
  def home_length(self, value: float) -> None:
    self._set_parameter("home_length", value)

  @property
  def max_tension(self) -> float:
    """Tension limit [N]; may be set."""
    return float(self._parameters["max_tension"][0])

  @max_tension.setter
  def max_tension(self, value: float) -> None:
    self._set_parameter("max_tension", value)

  @property
  def friction(self) -> np.ndarray:
    """Capstan coefficient of each contact, shape (ncontact,); may be set, one number or all."""
    return _frozen(self._parameters["friction"].copy())

  @friction.setter
  def friction(self, value: "float | np.ndarray") -> None:
    self._set_parameter("friction", value)

  def _set_parameter(self, name: str, value) -> None:
    slot = self._parameters[name]
    slot[:] = checked(self._name, name, value, slot.size)

  # ------------------------------------ validity

  @property
  def status(self) -> SolveStatus:
    """Outcome of the route solve."""
    return SolveStatus(int(self._scalar("status")))

  @property
  def status_contact(self) -> int | None:
    """The contact that the status is about, counted from 0; None where it is about none."""
    contact = int(self._scalar("status_contact"))
    return contact if contact >= 0 else None

  @property
  def derailments(self) -> int:
    """How often the cable left a groove, or the end of a cylinder, since the reset."""
    return int(self._scalar("derailments"))

  @property
  def solves(self) -> int:
    """Linear systems solved to find the tension with the motion of the step; 0: none was needed.

    Negative: no balance was found, and the cable pulls as it would where it was nearest to one.
    """
    return int(self._scalar("solves"))

  @property
  def smoothness(self) -> float:
    """Largest kink between a segment and its arc [rad]; 0 is a smooth path.

    Where two surfaces touch, the segment between them (shorter than 1e-7 radii) has no direction:
    a corner below 1e-3 rad does not count there.
    """
    return self._scalar("smoothness")

  @property
  def surface_error(self) -> float:
    """Largest distance of a contact point from its surface [m]."""
    return self._scalar("surface_error")

  @property
  def penetration(self) -> float:
    """Deepest intrusion of the path into a surface of the route [m]."""
    return self._scalar("penetration")

  @property
  def iterations(self) -> int:
    """Newton iterations of the route solve; 0 for closed forms."""
    return int(self._scalar("iterations"))

  def __repr__(self) -> str:
    if self.length == 0:
      return f"<cable {self.name!r}: not evaluated yet; call mujoco.mj_forward>"
    touching = self.touching
    return (
      f"<cable {self.name!r}: length {self.length:.6g} m, tension {self.source_tension:.6g} N,"
      f" slack {self.slack:.3g} m, {int(touching.sum())} of {touching.size} contacts touching,"
      f" {self.status}>"
    )

  def _slot(self, name: str) -> slice:
    offset, size = c_int(), c_int()
    self._library.mujocable_field(
      self._model._address, self._instance, name.encode(), byref(offset), byref(size)
    )
    return slice(offset.value, offset.value + size.value)

  def _field(self, name: str) -> np.ndarray:
    record = self._live
    if record is None or not _computes_cables(self._model):
      record = np.zeros(self._size)
      self._call("read", record)
    return record[self._slots[name]]

  def _scalar(self, name: str) -> float:
    return float(self._field(name)[0])

  def _array(self, name: str) -> np.ndarray:
    return _frozen(self._field(name).copy())

  def _contact_points(self, name: str) -> np.ndarray:
    points = self._field(name).reshape(-1, 3).copy()
    points[~self.touching] = np.nan
    return _frozen(points)

  def _call(self, name: str, out: np.ndarray, *more: int) -> int:
    function = getattr(self._library, f"mujocable_{name}")
    pointer = out.ctypes.data_as(POINTER(c_double))
    return function(self._model._address, self._data._address, self._instance, pointer, *more)


def _computes_cables(model: mujoco.MjModel) -> bool:
  # with all of these off, MuJoCo calls no cable before the end of a step
  flags = int(model.opt.disableflags)
  return flags & _PASSIVE != _PASSIVE or bool(model.nactuator and not flags & _ACTUATION)


def _frozen(array: np.ndarray) -> np.ndarray:
  array.flags.writeable = False
  return array
