"""Config: what a compiled model says of a cable in words: its take-up, its law, its guides."""

from types import SimpleNamespace

import mujoco

from mujocable.runtime.members import Member, member_of
from mujocable.runtime.tables import table
from mujocable.spec.members import around, one_of
from mujocable.spec.route import Sheath, contact_count, target
from mujocable.spec.text import decoded, parse_route
from mujocable.spec.tuples import ON_THE_PATH


def config(model: mujoco.MjModel, member: Member) -> dict[str, str]:
  """The config strings of a cable; keys that were not given are empty."""
  keys = [row[0] for row in table("attributes")]
  begin = int(model.plugin_attradr[member.instance])
  last = member.instance + 1 == model.nplugin
  end = model.plugin_attr.size if last else int(model.plugin_attradr[member.instance + 1])
  texts = bytes(model.plugin_attr[begin:end]).split(b"\0", len(keys))
  values = {key: text.decode() for key, text in zip(keys, texts, strict=False)}
  return one_of(values, member.number) if values["cables"] else values


def takes_up(model: mujoco.MjModel, cable: str) -> bool:
  """Whether cable is taken in at the source; not where only its tension is given."""
  kind = config(model, member_of(model, cable)).get("take_up")
  return kind in ("length", "spool_angle", "spool_rate", "spool_joint")


def contact_names(model: mujoco.MjModel, cable: str, count: int) -> list[str]:
  """Names of the sites and geoms between the ends; numbers where the route does not say them."""
  plain = [f"contact {i}" for i in range(count)]
  member = member_of(model, cable)
  words = config(model, member)
  index = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_TUPLE, cable)
  if words["route"]:
    elements = _of_text(model, member, words)
  elif index >= 0:
    start, size = model.tuple_adr[index], model.tuple_size[index]
    elements = [
      mujoco.mj_id2name(model, int(model.tuple_objtype[i]), int(model.tuple_objid[i])) or ""
      for i in range(start, start + size)
      if model.tuple_objprm[i] in ON_THE_PATH
    ][1:-1]
  else:
    return plain
  return elements if len(elements) == count else plain


def _of_text(model: mujoco.MjModel, member: Member, words: dict[str, str]) -> list[str]:
  # the same of a route that is written as text, its names with what attach put around them
  instance = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_PLUGIN, member.instance)
  prefix, suffix = around(SimpleNamespace(name=instance, config=words))
  kinds = (mujoco.mjtObj.mjOBJ_SITE, mujoco.mjtObj.mjOBJ_GEOM)
  found = []
  for element in parse_route(instance, words["route"], words["contacts"])[1:-1]:
    ends = [target(element), *([element.exit_site] if isinstance(element, Sheath) else [])]
    for word in ends if len(ends) > 1 else ends * contact_count(element):
      names = [*(prefix + one + suffix for one in (word, decoded(word))), word]
      known = (n for n in names if any(mujoco.mj_name2id(model, k, n) >= 0 for k in kinds))
      found.append(next(known, decoded(word)))
  return found
