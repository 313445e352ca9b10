"""Environments: their names are known to Gymnasium as soon as both packages are imported.

Gymnasium has no entry points for others any more, so whichever comes last tells it: here and now
where Gymnasium is loaded, else at the end of its import. What the names stand for is imported when
one of them is made.
"""

import importlib.abc
import importlib.util
import sys

NAMES = ("mujocable/SpiralReach-v0", "mujocable/FingerFlex-v0")
_MAKER = "mujocable.gym.registry"


def announce() -> None:
  """Registers the environments with Gymnasium, now or when it is imported; harmless again."""
  if "gymnasium" in sys.modules and hasattr(sys.modules["gymnasium"], "registry"):
    register()
  elif not any(isinstance(finder, _Waiting) for finder in sys.meta_path):
    sys.meta_path.insert(0, _Waiting())


def register() -> None:
  """Makes the environments known to Gymnasium; more than once does no harm."""
  import gymnasium

  for name in NAMES:
    if name not in gymnasium.registry:
      # named, not given: a specification can then be written to a file and read back
      gymnasium.register(
        id=name,
        entry_point=f"{_MAKER}:make",
        vector_entry_point=f"{_MAKER}:make_batch",
        kwargs={"task": name},
      )


class _Waiting(importlib.abc.MetaPathFinder):
  """Finds nothing itself; sees Gymnasium being imported, once."""

  def find_spec(self, name, path=None, target=None):
    """The spec that the others find, with a loader that tells us when it is done."""
    if name != "gymnasium":
      return None
    sys.meta_path.remove(self)
    spec = importlib.util.find_spec(name)
    if spec is not None and spec.loader is not None:
      spec.loader = _Then(spec.loader)
    return spec


class _Then(importlib.abc.Loader):
  """A loader that registers the environments after it has loaded."""

  def __init__(self, loader):
    self._loader = loader

  def __getattr__(self, name: str):
    return getattr(self._loader, name)

  def create_module(self, spec):
    """As the loader does it."""
    return self._loader.create_module(spec)

  def exec_module(self, module) -> None:
    """As the loader does it; then the names."""
    self._loader.exec_module(module)
    module.__loader__ = self._loader
    if module.__spec__ is not None:
      module.__spec__.loader = self._loader
    register()
