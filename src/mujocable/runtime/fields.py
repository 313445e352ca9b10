"""Fields: what a view reads from the record and the state of its cable, as named attributes."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy as np

from mujocable.runtime.parameters import write

T = TypeVar("T")


class Field(Generic[T]):
  """A field of the record that has the name of the attribute."""

  def __init__(self, doc: str, make: Callable[[np.ndarray], T]):
    self.__doc__, self._make = doc, make

  def __set_name__(self, owner: type, name: str) -> None:
    self._name = name

  @overload
  def __get__(self, view: None, owner: type) -> "Field[T]": ...
  @overload
  def __get__(self, view: object, owner: type) -> T: ...
  def __get__(self, view: Any, owner: type) -> Any:
    return self if view is None else self._make(self._find(view))

  if not TYPE_CHECKING:

    def __set__(self, view: Any, value: Any) -> None:
      raise AttributeError(f"{self._name!r} of a cable is found by the engine and cannot be set")

  def _find(self, view: Any) -> np.ndarray:
    return view._field(self._name)


class Parameter(Field[T]):
  """A parameter of this simulation, which may be set."""

  def __set__(self, view: Any, value: float | np.ndarray) -> None:
    self._find(view)
    write(view._model, view._data, view._member, view.name, self._name, value)

  def _find(self, view: Any) -> np.ndarray:
    view._call("take_over")  # what another model wrote counts no more
    return view._parameters[self._name]


def number(doc: str) -> Field[float]:
  """A field that is one number."""
  return Field(doc, _number)


def count(doc: str) -> Field[int]:
  """A field that is one whole number."""
  return Field(doc, lambda values: int(values[0]))


def array(doc: str) -> Field[np.ndarray]:
  """A field with a number for each contact or segment, as a read-only copy."""
  return Field(doc, _array)


def flags(doc: str) -> Field[np.ndarray]:
  """A field that says yes or no for each contact."""
  return Field(doc, lambda values: frozen(values != 0))


def parameter(doc: str) -> Parameter[float]:
  """A parameter that is one number."""
  return Parameter(doc, _number)


def parameters(doc: str) -> Parameter[np.ndarray]:
  """A parameter with a number for each contact."""
  return Parameter(doc, _array)


def frozen(values: np.ndarray) -> np.ndarray:
  """The same array, which cannot be written any more."""
  values.flags.writeable = False
  return values


def _number(values: np.ndarray) -> float:
  return float(values[0])


def _array(values: np.ndarray) -> np.ndarray:
  return frozen(values.copy())
