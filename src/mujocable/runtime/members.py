"""Members: where the cables of a compiled model stand among its plugin instances."""

from ctypes import c_int, create_string_buffer
from typing import NamedTuple

import mujoco

from mujocable.errors import UnknownCable, listing, suggestion
from mujocable.runtime.library import library


class Member(NamedTuple):
  """One of the cables of a plugin instance."""

  instance: int
  number: int  # in it, from 0
  state: int  # where its state begins in plugin_state
  ncontact: int
  nwrap: int  # rows of memory of its wraps


def members(model: mujoco.MjModel) -> dict[str, Member]:
  """The cables of a model by name, in its order."""
  found = (_of_instance(model, instance) for instance in range(model.nplugin))
  return {name: member for one in found for name, member in one.items()}


def member_of(model: mujoco.MjModel, cable: str) -> Member:
  """One by its name."""
  # most have an instance of their own
  own = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_PLUGIN, cable)
  known = _of_instance(model, own) if own >= 0 else {}
  if cable not in known:
    known = members(model)
  if cable not in known:
    message = f"cable {cable!r} is not in this model; {listing('cables', known)}"
    raise UnknownCable(message + suggestion(cable, known))
  return known[cable]


def _of_instance(model: mujoco.MjModel, instance: int) -> dict[str, Member]:
  engine = library()
  count = max(0, engine.mujocable_cables(model._address, instance))
  columns = [(c_int * count)() for _ in range(3)]
  engine.mujocable_members(model._address, instance, *columns)
  size = max(0, engine.mujocable_names(model._address, instance, None, 0))
  text = create_string_buffer(size)
  engine.mujocable_names(model._address, instance, text, size)
  names = text.raw.decode().split("\0")[:count]
  rows = zip(names, *columns, strict=True)
  return {name: Member(instance, number, *row) for number, (name, *row) in enumerate(rows)}
