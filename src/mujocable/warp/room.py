"""Room: how many constraints the worlds of a model must have room for."""

from math import ceil

import mujoco


def rows_of(model: mujoco.MjModel) -> dict[str, int]:
  """Options of put_data for a model in which nothing can touch: it has few constraints, and a short
  table of them is fast. Empty for others."""
  touching = bool(model.npair) or bool((model.geom_contype | model.geom_conaffinity).any())
  if touching:
    return {}
  rows = 6 * model.neq
  for field in ("jnt_limited", "dof_frictionloss", "tendon_limited", "tendon_frictionloss"):
    rows += int((getattr(model, field) > 0).sum())
  return {"nconmax": 1, "njmax": max(8 * ceil(rows / 8), 8)}
