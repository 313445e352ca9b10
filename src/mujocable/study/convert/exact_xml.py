"""Exact XML: a model written with every digit, so that it reads back to the bit.

MuJoCo writes six digits, which is 1e-6 rad of another model. Its own writer takes more; only the
frames of meshes are then still off in the last bits, because it undoes and redoes their centering:
they are written as the author gave them.
"""

import ctypes
import functools
from pathlib import Path
from xml.etree import ElementTree

import mujoco
import numpy as np

_DIGITS = 17  # enough for every double
_GEOM = mujoco.mjtGeom
_MESHES = (int(_GEOM.mjGEOM_MESH), int(_GEOM.mjGEOM_SDF))
_CYLINDER = int(_GEOM.mjGEOM_CYLINDER)


def exact_xml(spec: mujoco.MjSpec) -> str:
  """MJCF of a compiled model, with all digits of every number.

  Where this MuJoCo's writer cannot be told how many digits to write, it has six.
  """
  writer = _writer()
  if writer is None:
    return spec.to_xml()
  before = writer._mjPRIVATE__get_xml_precision()
  try:
    writer._mjPRIVATE__set_xml_precision(_DIGITS)
    text = spec.to_xml()
  finally:
    writer._mjPRIVATE__set_xml_precision(before)
  return _with_authored_frames(spec, text)


def differing(one: mujoco.MjModel, two: mujoco.MjModel) -> dict[str, float]:
  """The arrays in which two models are not the same to the bit -> their largest difference."""
  found = {}
  for name in dir(one):
    if name.startswith("_"):
      continue
    first, second = _read(one, name), _read(two, name)
    if not isinstance(first, np.ndarray) or not isinstance(second, np.ndarray):
      continue
    if first.shape != second.shape:
      found[name] = float("inf")
    elif not np.array_equal(first, second, equal_nan=first.dtype.kind == "f"):
      found[name] = float(np.nanmax(np.abs(first.astype(float) - second.astype(float))))
  return found


def _read(model: mujoco.MjModel, name: str):
  # a site has three sizes; those that its type does not use are not part of the file
  value = getattr(model, name, None)
  if name == "site_size":
    used = {int(_GEOM.mjGEOM_SPHERE): 1, int(_GEOM.mjGEOM_CAPSULE): 2, _CYLINDER: 2}
    columns = [used.get(int(kind), 3) for kind in model.site_type]
    return model.site_size * (np.arange(3) < np.array(columns).reshape(-1, 1))
  return value


@functools.cache
def _writer():
  # MuJoCo's library, where it has the switch
  for file in sorted(Path(mujoco.__file__).parent.glob("*mujoco*")):
    if file.suffix in (".dylib", ".dll") or ".so" in file.name:
      try:
        library = ctypes.CDLL(str(file))
        library._mjPRIVATE__get_xml_precision.restype = ctypes.c_int
        library._mjPRIVATE__set_xml_precision.argtypes = [ctypes.c_int]
      except (OSError, AttributeError):
        continue
      return library
  return None


def _with_authored_frames(spec: mujoco.MjSpec, text: str) -> str:
  # the text is edited in place: another writer would cost comments and layout
  geoms = {geom.id: geom for geom in spec.geoms if int(geom.type) in _MESHES}
  geoms = {i: geom for i, geom in geoms.items() if geom.frame is None and geom.meshname}
  if not geoms:
    return text
  root = ElementTree.fromstring(text)
  elements = [geom for world in root.iter("worldbody") for geom in world.iter("geom")]
  quats = _quaternions(spec, list(geoms.values()))
  for (index, geom), quat in zip(geoms.items(), quats, strict=True):
    element = elements[index]
    if element.get("mesh") != geom.meshname:  # not the order that ids have
      return text
    for key in ("pos", "quat", "euler", "axisangle", "xyaxes", "zaxis"):
      element.attrib.pop(key, None)
    element.set("pos", _digits(geom.pos))
    element.set("quat", _digits(quat))
  return ElementTree.tostring(root, encoding="unicode") + "\n"


def _quaternions(spec: mujoco.MjSpec, geoms: list) -> np.ndarray:
  # orientations as this model's compiler reads them, before meshes are centered
  probe = mujoco.MjSpec()
  probe.compiler.degree, probe.compiler.eulerseq = spec.compiler.degree, spec.compiler.eulerseq
  for geom in geoms:
    site = probe.worldbody.add_site(quat=geom.quat)
    for key in ("type", "axisangle", "xyaxes", "zaxis", "euler"):
      setattr(site.alt, key, getattr(geom.alt, key))
  return probe.compile().site_quat


def _digits(numbers) -> str:
  return " ".join(repr(float(x)) for x in numbers)
