"""Arrays: the few things that torch and NumPy do differently.

Both see the memory of Warp without a copy; NumPy only on the CPU.
"""

from typing import Any

import numpy as np
import warp as wp

from mujocable.errors import BadValue, pip_install

KINDS = ("torch", "numpy")


class Arrays:
  """Of one kind, on one device. `module` has the functions that both have under one name."""

  def __init__(self, kind: str, device: Any):
    if kind not in KINDS:
      raise BadValue(f"arrays must be one of {', '.join(map(repr, KINDS))}, got {kind!r}")
    self.kind, self.device = kind, wp.get_device(device)
    self.module: Any = np
    if kind == "torch":
      try:
        import torch  # pyright: ignore
      except ImportError as error:
        raise ImportError(f"{error}; install torch: {pip_install('learn')}") from None
      self.module = torch
      self._where = {"device": wp.device_to_torch(self.device)}
    elif not self.device.is_cpu:
      raise BadValue(f"arrays 'numpy' need the device 'cpu', got {self.device.alias!r}")
    self.seed(None)

  def seed(self, seed: int | None) -> None:
    """Of `uniform` and `chosen`; None: another one each time."""
    if self.kind == "numpy":
      self._random: Any = np.random.default_rng(seed)
    else:
      self._random = self.module.Generator(**self._where)
      if seed is None:
        self._random.seed()
      else:
        self._random.manual_seed(seed)

  def view(self, array: wp.array) -> Any:
    """The same memory."""
    return array.numpy() if self.kind == "numpy" else wp.to_torch(array)

  def real(self, values: Any) -> Any:
    """Single precision, on the device."""
    if self.kind == "numpy":
      return np.asarray(values, np.float32)
    return self.module.as_tensor(values, dtype=self.module.float32, **self._where)

  def zeros(self, *shape: int, dtype: str = "float32") -> Any:
    """On the device; dtype as its name."""
    if self.kind == "numpy":
      return np.zeros(shape, getattr(np, dtype))
    return self.module.zeros(shape, dtype=getattr(self.module, dtype), **self._where)

  def uniform(self, *shape: int) -> Any:
    """In [0, 1)."""
    if self.kind == "numpy":
      return self._random.random(shape, np.float32)
    return self.module.rand(shape, generator=self._random, **self._where)

  def chosen(self, count: int, size: int) -> Any:
    """`size` whole numbers below `count`."""
    if self.kind == "numpy":
      return self._random.integers(count, size=size)
    return self.module.randint(count, (size,), generator=self._random, **self._where)
