"""Carrier: the hidden tendon through which a commanded cable's actuator reaches its dofs.

The engine overwrites the tendon's moment row with the cable's own, so the carrier only has to touch
every dof that the cable can load, as cheaply as possible: a fixed tendon over the joints where they
are few, all of them named hinges and slides, else a spatial one through as few sites as will do.
MuJoCo adds the joints of a fixed tendon one by one to a row that grows, which is dear for a chain.
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


_FEW = 8  # joints of a chain: there both kinds take as many instructions
_SCALAR = (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE)


def add_carrier(spec: mujoco.MjSpec, cable: Cable, bodies: list[mujoco.MjsBody], made: list):
  """Writes the tendon and the hidden sites it needs; appends each to `made` as it is created."""
  joints = _joints_above(bodies)
  if 0 < len(joints) <= _FEW and all(joint.name and joint.type in _SCALAR for joint in joints):
    tendon = _add_tendon(spec, cable.name, made)
    for joint in joints:
      tendon.wrap_joint(joint.name, 1.0)
    return
  names = []
  stops = _stops(cable, bodies)
  for count, (site, body) in enumerate(stops):
    if site is None:
      site = f"{cable.name}:carrier:{body.name or count}"
      hidden = body.add_site(name=site, pos=[0, 0, 0], group=HIDDEN_GROUP, rgba=HIDDEN_RGBA)
      made.append(hidden)
    names.append(site)
  tendon = _add_tendon(spec, cable.name, made)
  for name in names:
    tendon.wrap_site(name)


def _add_tendon(spec: mujoco.MjSpec, name: str, made: list) -> mujoco.MjsTendon:
  tendon = spec.add_tendon(name=name)
  made.append(tendon)
  for key, value in _PLAIN.items():
    setattr(tendon, key, value)
  tendon.group, tendon.rgba, tendon.width = HIDDEN_GROUP, HIDDEN_RGBA, 1e-6
  return tendon


def _joints_above(bodies: list[mujoco.MjsBody]) -> list[mujoco.MjsJoint]:
  # of the bodies and of everything that carries them, each once, in route order
  moving = {b: None for body in bodies for b in (body, *_ancestors(body))}
  return [joint for body in moving for joint in body.joints]


def _stops(cable: Cable, bodies: list[mujoco.MjsBody]) -> list[tuple[str | None, mujoco.MjsBody]]:
  # one stop on each body that matters: (route site or None, body), in route order
  stops = {}
  for element, body in zip(cable.route, bodies, strict=True):
    site = None if isinstance(element, Wrap) else element.site
    stops[body] = stops.get(body) or site
  above = {body: _ancestors(body) for body in stops}
  tips = [body for body in stops if not any(body in line for line in above.values())]
  chosen = [body for body in tips if _joints([body, *above[body]])]
  # a dof that moves every chosen site does not show in the tendon; a body that it does not move
  # makes it show: the topmost of the route, which any common dof either moves entirely or not
  shared = [b for b in _ancestors_or_self(chosen) if all(b in (c, *above[c]) for c in chosen)]
  if len(chosen) < 2 or _joints(shared):
    top = [body for body in stops if all(body is b or body in above[b] for b in stops)]
    chosen += [body for body in (*top, *tips) if body not in chosen]
  chosen = [(stops[body], body) for body in stops if body in chosen]
  if len(chosen) == 1:
    # everything on one body: any second site of it will do
    site, body = chosen[0]
    others = (e.site for e in cable.route if not isinstance(e, Wrap) and e.site != site)
    chosen.append((next(others, None), body))
  return chosen


def _ancestors_or_self(bodies: list[mujoco.MjsBody]) -> list[mujoco.MjsBody]:
  return [bodies[0], *_ancestors(bodies[0])] if bodies else []


def _joints(bodies: list[mujoco.MjsBody]) -> bool:
  return any(body.joints for body in bodies)


def _ancestors(body: mujoco.MjsBody) -> list[mujoco.MjsBody]:
  line = []
  while body.parent is not None:
    body = body.parent
    line.append(body)
  return line
