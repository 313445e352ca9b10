"""Carrier: the hidden spatial tendon through which a commanded cable's actuator reaches its dofs.

The engine overwrites the tendon's moment row with the cable's own, so the carrier only has to touch
every dof that the cable can load, with as few sites as possible.
"""

import mujoco

from mujocable.spec.cable import Cable
from mujocable.spec.route import Wrap

HIDDEN_GROUP = 5
HIDDEN_RGBA = [0.0, 0.0, 0.0, 0.0]

# what a carrier must not inherit from the model's tendon defaults
_PLAIN = {
  "stiffness": [0.0, 0.0, 0.0],
  "damping": [0.0, 0.0, 0.0],
  "frictionloss": 0.0,
  "armature": 0.0,
  "margin": 0.0,
  "springlength": [-1.0, -1.0],
  "range": [0.0, 0.0],
  "limited": mujoco.mjtLimited.mjLIMITED_FALSE,
  "actfrcrange": [0.0, 0.0],
  "actfrclimited": mujoco.mjtLimited.mjLIMITED_FALSE,
  "material": "",
}


def add_carrier(spec: mujoco.MjSpec, cable: Cable, bodies: list[mujoco.MjsBody], made: list):
  """Writes the tendon and the hidden sites it needs; appends each to `made` as it is created."""
  stops = _stops(cable, bodies)
  names = []
  for count, (site, body) in enumerate(stops):
    if site is None:
      site = f"{cable.name}:carrier:{body.name or count}"
      hidden = body.add_site(name=site, pos=[0, 0, 0], group=HIDDEN_GROUP, rgba=HIDDEN_RGBA)
      made.append(hidden)
    names.append(site)
  tendon = spec.add_tendon(name=cable.name)
  made.append(tendon)
  for name, value in _PLAIN.items():
    setattr(tendon, name, value)
  tendon.group, tendon.rgba, tendon.width = HIDDEN_GROUP, HIDDEN_RGBA, 1e-6
  for name in names:
    tendon.wrap_site(name)


def _stops(cable: Cable, bodies: list[mujoco.MjsBody]) -> list[tuple[str | None, mujoco.MjsBody]]:
  # one stop on each body that matters: (route site or None, body), in route order
  stops = {}
  for element, body in zip(cable.route, bodies, strict=True):
    site = None if isinstance(element, Wrap) else element.site
    stops[body] = stops.get(body) or site
  above = {body: _ancestors(body) for body in stops}
  tips = {body for body in stops if not any(body in line for line in above.values())}
  roots = {body for body in stops if all(body is b or body in above[b] for b in stops)}
  chosen = [(stops[body], body) for body in stops if body in tips | roots]
  if len(chosen) == 1:
    # everything on one body: any second site of it will do
    site, body = chosen[0]
    others = (e.site for e in cable.route if not isinstance(e, Wrap) and e.site != site)
    chosen.append((next(others, None), body))
  return chosen


def _ancestors(body: mujoco.MjsBody) -> list[mujoco.MjsBody]:
  line = []
  while body.parent is not None:
    body = body.parent
    line.append(body)
  return line
