"""Worlds: the cables of many worlds as arrays that may be read and written."""

import mujoco
import warp as wp

from mujocable.errors import UnknownCable, UnknownName, listing
from mujocable.warp.stages import Stages
from mujocable.warp.state import NEVER, PARAMETERS, RESULTS, fill, forget_kernel


class CableWorlds(Stages):
  """The cables of every world of one mujoco_warp Data, as arrays that may be read and written.

  Arrays are (worlds, count), views of memory in which worlds lie side by side. Parameters may be
  changed in place at any time, also where a CUDA graph was captured.
  """

  def __init__(self, model: mujoco.MjModel, cables: dict, nworld: int, rows: int):
    super().__init__(model, cables, nworld, rows)
    self.restore()

  def restore(self) -> None:
    """Parameters of all worlds as the model has them."""
    cables, home = [c.cable for c in self.layout.cables], self.home
    values = {
      "stiffness": home.stiffness,
      "damping": [c.axial.damping for c in cables],
      "home_length": home.length,
      "pretension": home.pretension,
      "max_tension": [c.axial.max_tension for c in cables],
      "friction": self.layout.contact_friction or [0.0],
    }
    for name, value in values.items():
      fill(self._state.parameters[name], value)

  # ------------------------------------ arrays by name

  def array(self, name: str, cable: str | None = None) -> wp.array:
    """A parameter or result by name, of all cables or of one: (worlds, count), no copy."""
    kinds = {**PARAMETERS, **RESULTS}
    if name not in kinds:
      raise UnknownName(f"cables have no array {name!r}; {listing('arrays', kinds)}")
    whole = {**self._state.parameters, **self._state.readable}[name]
    begin, end = 0, whole.shape[0]
    if cable is not None:
      names = self.names
      if cable not in names:
        raise UnknownCable(f"cable {cable!r} is not in this model; {listing('cables', names)}")
      index = names.index(cable)
      placed = self.layout.cables[index]
      starts = {"cable": index, "segment": placed.segment, "contact": placed.contact}
      counts = {"cable": 1, "segment": placed.contacts + 1, "contact": placed.contacts}
      begin, end = starts[kinds[name]], starts[kinds[name]] + counts[kinds[name]]
    return whole[begin:end].transpose([1, 0])

  def torch(self, name: str, cable: str | None = None):
    """The same as a torch tensor that shares the memory."""
    return wp.to_torch(self.array(name, cable))

  @property
  def names(self) -> list[str]:
    """The cables, in the order of the arrays."""
    return [c.cable.name for c in self.layout.cables]

  @property
  def solves(self) -> wp.array:
    """By world and group of trees that stiff cables move together: linear systems solved in the
    step; below 0: no balance was found, and the step took its contacts as stuck."""
    return self._state.solves.transpose([1, 0])

  def bytes_per_world(self) -> int:
    """Memory that the cables of one world take."""
    return self._state.bytes_per_world()

  def forget(self, chosen: wp.array | None = None) -> None:
    """Chosen worlds, or all, start anew at their next step; parameters stay as they are."""
    if chosen is None:
      self._state.stamp.fill_(NEVER)
    else:
      self.run(forget_kernel, (self.nworld,), [chosen, self._state.stamp])
