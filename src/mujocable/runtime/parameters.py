"""Parameters: what may be changed while a simulation runs, and differ between simulations.

They live in plugin_state, so that save, restore, rollout and batch carry them along; a reset brings
back the values of the model.
"""

from ctypes import byref, c_int
from functools import lru_cache

import mujoco
import numpy as np

from mujocable.errors import BadValue
from mujocable.runtime.library import library
from mujocable.runtime.members import Member, member_of, members

# name -> (what is accepted, test of an array of finite-or-infinite numbers)
PARAMETERS = {
  "stiffness": ("finite, > 0", lambda x: np.isfinite(x) & (x > 0)),
  "damping": ("finite, >= 0", lambda x: np.isfinite(x) & (x >= 0)),
  "home_length": ("finite, > 0", lambda x: np.isfinite(x) & (x > 0)),
  "max_tension": ("> 0", lambda x: x > 0),
  "friction": ("finite, >= 0", lambda x: np.isfinite(x) & (x >= 0)),
}

_ALL_TOLD = 2**7 - 1  # one bit for each status, and one for a step without balance


def parameter_slice(model: mujoco.MjModel, cable: str, name: str) -> slice:
  """Where a parameter of a cable lies in plugin_state.

  For many simulations at once: `batch.bind("plugin_state")[:, parameter_slice(model, "hoist",
  "friction")] = values` gives each its own friction, one number per contact.
  """
  if not isinstance(model, mujoco.MjModel):
    kind = type(model).__name__
    raise BadValue(f"parameter_slice(model, cable, name): model must be an MjModel, got {kind}")
  return slice_of(member_of(model, cable), cable, name)


def slice_of(member: Member, cable: str, name: str) -> slice:
  """The same where it is known where the cable stands."""
  place = _place(member.ncontact, name)
  if place is None:
    accepted = ", ".join(PARAMETERS)
    raise BadValue(f"cable {cable!r} has no parameter {name!r}; accepted: {accepted}")
  return slice(member.state + place.start, member.state + place.stop)


@lru_cache
def _place(ncontact: int, name: str) -> slice | None:
  # in the state of a cable
  offset, size = c_int(), c_int()
  found = library().mujocable_parameter(ncontact, name.encode(), byref(offset), byref(size))
  return slice(offset.value, offset.value + size.value) if found == 0 else None


def write(
  model: mujoco.MjModel, data: mujoco.MjData, member: Member, cable: str, name: str, value
) -> None:
  """Writes a parameter of a cable, checked, into the state of a simulation.

  One number for all contacts leaves out a drum without friction of its own, as the cable's friction
  does: there the cable is clamped.
  """
  place = slice_of(member, cable, name)
  found = checked(cable, name, value, place.stop - place.start)
  if name == "friction" and np.ndim(value) == 0:
    found = np.where(rubs(model, data, member), found, data.plugin_state[place])
  data.plugin_state[place] = found


def rubs(model: mujoco.MjModel, data: mujoco.MjData, member: Member) -> np.ndarray:
  """For each contact whether the friction of the cable counts there: not on a drum."""
  found = (c_int * member.ncontact)()
  address = model._address, data._address
  library().mujocable_rubs(*address, member.instance, member.number, found)
  return np.array(found, bool)


def hush(model: mujoco.MjModel, data: mujoco.MjData) -> None:
  """No warning about a path or a step from this simulation until its next reset.

  For those who read the statuses. Without it MuJoCo warns once of each status but `valid`, with
  cable and element, and once of a step without balance.
  """
  if not isinstance(model, mujoco.MjModel) or not isinstance(data, mujoco.MjData):
    kinds = f"{type(model).__name__}, {type(data).__name__}"
    raise BadValue(f"hush(model, data) takes an MjModel and an MjData, got {kinds}")
  for name, member in members(model).items():
    data.plugin_state[slice_of(member, name, "told")] = _ALL_TOLD


def checked(cable: str, name: str, value, size: int) -> np.ndarray:
  """A value for a parameter, as an array of its size; refuses what the engine would not take."""
  accepted, good = PARAMETERS[name]
  try:
    array = np.asarray(value, float)
  except (TypeError, ValueError):
    raise BadValue(f"cable {cable!r}: {name} must be {accepted}, got {value!r}") from None
  if array.ndim > 1 or (array.ndim == 1 and array.size != size):
    raise BadValue(f"cable {cable!r}: {name} takes one number or {size}, got {value!r}")
  if not np.all(good(array)):
    raise BadValue(f"cable {cable!r}: {name} must be {accepted}, got {value!r}")
  return np.broadcast_to(array, (size,))
