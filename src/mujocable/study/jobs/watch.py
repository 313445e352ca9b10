"""Watch: measures of a run that are not a cable's: how far a site or joint moves, what a sensor
shows, with which force a held site pushes.

    site:tip.travel     largest distance from where it started [m]
    site:tip.force      largest force while the site is held where it started [N]
    joint:mcp.travel    largest change of its position [rad or m]
    sensor:grip.peak    largest size of its value
"""

import re
from collections.abc import Sequence

import mujoco
import numpy as np

from mujocable.errors import BadValue, UnknownName, listing, suggestion
from mujocable.study.simulate import start

_MEASURES = {"site": ("travel", "force"), "joint": ("travel",), "sensor": ("peak",)}
_SCALAR = (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE)
_HELD = "mujocable:held:"  # name of the equality that holds a site


def parts(text: str) -> tuple[str, str, str] | None:
  """(kind, name, measure) of `site:tip.travel`; None for something else."""
  match = re.fullmatch(r"(site|joint|sensor):(.+)\.(\w+)", text)
  return (match[1], match[2], match[3]) if match else None


def check(spec: mujoco.MjSpec, text: str) -> None:
  """Refuses a measure that the model cannot give."""
  found = parts(text)
  if found is None:
    raise BadValue(
      f"cannot read the measure {text!r}; accepted: CABLE.efficiency and the like,"
      " site:NAME.travel, site:NAME.force, joint:NAME.travel, sensor:NAME.peak"
    )
  kind, name, measure = found
  names = [e.name for e in getattr(spec, f"{kind}s")]
  if name not in names:
    raise UnknownName(f"{text!r}: no {kind} {name!r}; {listing(kind + 's', names)}")
  if measure not in _MEASURES[kind]:
    accepted = ", ".join(_MEASURES[kind])
    hint = suggestion(measure, _MEASURES[kind])
    raise BadValue(f"{text!r}: a {kind} has no {measure!r}; accepted: {accepted}{hint}")
  if kind == "joint" and spec.joint(name).type not in _SCALAR:
    raise BadValue(f"{text!r}: accepted: hinges and slides, this joint has more than one position")


def held(
  spec: mujoco.MjSpec, measures: Sequence[str], keyframe: int | None = None
) -> mujoco.MjSpec:
  """A copy of the model in which the sites of these measures are held where a run begins."""
  spec = spec.copy()
  model = spec.compile()
  data = start(model, keyframe)
  for name in (found[1] for found in map(parts, measures) if found):
    anchor = f"{_HELD}{name}:anchor"
    spec.worldbody.add_site(name=anchor, pos=data.site(name).xpos.copy(), group=5)
    equality = spec.add_equality(
      name=f"{_HELD}{name}",
      type=mujoco.mjtEq.mjEQ_CONNECT,
      objtype=mujoco.mjtObj.mjOBJ_SITE,
      name1=name,
      name2=anchor,
    )
    equality.solref = [2 * model.opt.timestep, 1.0]  # as stiff as the step allows
  return spec


class Watch:
  """Looks after every step."""

  def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, measures: Sequence[str]):
    self._model, self._data = model, data
    self._found = dict.fromkeys(measures, 0.0)
    self._sites: list[tuple[str, int, np.ndarray]] = []
    self._joints: list[tuple[str, int, float]] = []
    self._sensors: list[tuple[str, slice]] = []
    self._forces: list[tuple[str, int]] = []
    for text in measures:
      found = parts(text)
      assert found is not None, text
      kind, name, measure = found
      if kind == "joint":
        at = int(model.joint(name).qposadr[0])
        self._joints.append((text, at, float(data.qpos[at])))
      elif kind == "sensor":
        begin, size = int(model.sensor(name).adr[0]), int(model.sensor(name).dim[0])
        self._sensors.append((text, slice(begin, begin + size)))
      elif measure == "force":
        self._forces.append((text, model.equality(_HELD + name).id))
      else:
        self._sites.append((text, model.site(name).id, data.site(name).xpos.copy()))

  def step(self) -> None:
    """Notes the present values."""
    data, found = self._data, self._found
    for text, site, home in self._sites:
      found[text] = max(found[text], float(np.linalg.norm(data.site_xpos[site] - home)))
    for text, at, home in self._joints:
      found[text] = max(found[text], abs(float(data.qpos[at]) - home))
    for text, place in self._sensors:
      found[text] = max(found[text], float(np.linalg.norm(data.sensordata[place])))
    for text, equality in self._forces:
      count = int(data.nefc)
      rows = (data.efc_type[:count] == int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)) & (
        data.efc_id[:count] == equality
      )
      found[text] = max(found[text], float(np.linalg.norm(data.efc_force[:count][rows])))

  def results(self) -> dict[str, float]:
    """The largest of each."""
    return dict(self._found)
