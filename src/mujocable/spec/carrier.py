"""Carrier: the transmission through which a commanded cable's actuator reaches its dofs.

The engine puts the cable's own moment row in its place, so the carrier only has to touch every dof
that the cable can load, as cheaply as possible: one site, where everything that moves the cable
moves that site; else a hidden tendon, fixed over the joints where they are few, all of them named
hinges and slides, else spatial through as few sites as will do. MuJoCo adds the joints of a fixed
tendon one by one to a row that grows, which is dear for a chain.
"""

import mujoco

from mujocable.spec.cable import Cable
from mujocable.spec.route import Element, Sheath, Wrap, target

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


def add_carrier(
  spec: mujoco.MjSpec, cable: Cable, bodies: list[mujoco.MjsBody], made: list
) -> tuple[mujoco.mjtTrn, str]:
  """Writes the hidden sites and the tendon it needs, and appends each to `made` as it is created.

  Returns the kind and the name of the transmission.
  """
  stops, above = _stands(cable, bodies)
  tips = _tips(above)
  if len(tips) < 2:
    body = tips[0] if tips else bodies[0]
    return mujoco.mjtTrn.mjTRN_SITE, _site(cable, stops[body], body, 0, made)
  _add_tendon(spec, cable, bodies, made)
  return mujoco.mjtTrn.mjTRN_TENDON, cable.name


def _add_tendon(spec: mujoco.MjSpec, cable: Cable, bodies: list[mujoco.MjsBody], made: list):
  joints = _joints_above(bodies)
  if 0 < len(joints) <= _FEW and all(joint.name and joint.type in _SCALAR for joint in joints):
    tendon = _bare_tendon(spec, cable.name, made)
    for joint in joints:
      tendon.wrap_joint(joint.name, 1.0)
    return
  stops = enumerate(_stops(cable, bodies))
  names = [_site(cable, site, body, count, made) for count, (site, body) in stops]
  tendon = _bare_tendon(spec, cable.name, made)
  for name in names:
    tendon.wrap_site(name)


def _site(cable: Cable, site: str | None, body: mujoco.MjsBody, count: int, made: list) -> str:
  # that of the route, or a hidden one
  if site is not None:
    return site
  name = f"{cable.name}:carrier:{body.name or count}"
  made.append(body.add_site(name=name, pos=[0, 0, 0], group=HIDDEN_GROUP, rgba=HIDDEN_RGBA))
  return name


def _bare_tendon(spec: mujoco.MjSpec, name: str, made: list) -> mujoco.MjsTendon:
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


def _stands(cable: Cable, bodies: list[mujoco.MjsBody]) -> tuple[dict, dict]:
  # bodies of the route: a site of it or None, and what carries them
  stops = {}
  sites = [name for element in cable.route for name in _sites(element)]
  for site, body in zip(sites, bodies, strict=True):
    stops[body] = stops.get(body) or site
  return stops, {body: _ancestors(body) for body in stops}


def _sites(element: Element) -> list[str | None]:
  if isinstance(element, Sheath):
    return [element.entry_site, element.exit_site]
  return [None if isinstance(element, Wrap) else target(element)]


def _tips(above: dict) -> list[mujoco.MjsBody]:
  # bodies that carry no other one and can move
  return [body for body in _ends(above) if _joints([body, *above[body]])]


def _ends(above: dict) -> list[mujoco.MjsBody]:
  return [body for body in above if not any(body in line for line in above.values())]


def _stops(cable: Cable, bodies: list[mujoco.MjsBody]) -> list[tuple[str | None, mujoco.MjsBody]]:
  # one stop on each body that matters: (route site or None, body), in route order
  stops, above = _stands(cable, bodies)
  chosen = _tips(above)
  # a dof that moves every chosen site does not show in the tendon; a body that it does not move
  # makes it show: the topmost of the route, which any common dof either moves entirely or not
  shared = [b for b in (chosen[0], *above[chosen[0]]) if all(b in (c, *above[c]) for c in chosen)]
  if _joints(shared):
    top = [body for body in stops if all(body is b or body in above[b] for b in stops)]
    chosen += [body for body in (*top, *_ends(above)) if body not in chosen]
  return [(stops[body], body) for body in stops if body in chosen]


def _joints(bodies: list[mujoco.MjsBody]) -> bool:
  return any(body.joints for body in bodies)


def _ancestors(body: mujoco.MjsBody) -> list[mujoco.MjsBody]:
  line = []
  while body.name != "world":  # MuJoCo before 3.14 crashes when asked for the parent of the world
    body = body.parent
    line.append(body)
  return line
