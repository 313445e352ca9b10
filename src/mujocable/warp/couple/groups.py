"""Groups: kinematic trees whose motion is found together with the tensions of stiff cables.

A group is all trees that cables connect, if one of those cables is stiff: where it slides, runs
between trees or becomes taut within a step, the mass matrix, as MuJoCo has it, cannot say what it
weighs (couple.py).
"""

from itertools import accumulate

import mujoco
import numpy as np
import warp as wp

from mujocable.warp.law.arrays import as_ints, in_rows
from mujocable.warp.layout.parts import Layout, Placed

# dofs of a group up to which its motion is found: the work grows with the cube
_MOST_DOFS = 48


@wp.struct
class Groups:
  """Tables, the same in all worlds; places count from the first dof of the group."""

  dof_begin: wp.array(dtype=int)  # by group; so are the next begins
  dof: wp.array(dtype=int)
  matrix: wp.array(dtype=int)  # where the matrix of a group begins
  entry_begin: wp.array(dtype=int)
  entry: wp.array2d(dtype=int)  # address in the mass matrix, places of row and column
  product_begin: wp.array(dtype=int)
  product: wp.array2d(dtype=int)  # its number, places of row and column
  cable_begin: wp.array(dtype=int)
  cable: wp.array(dtype=int)
  row_begin: wp.array(dtype=int)  # by segment
  row: wp.array2d(dtype=int)  # number of a gradient, place of its dof
  place: wp.array2d(dtype=int)  # by dof: group, -1: none; place


def groups_of(
  model: mujoco.MjModel, layout: Layout, stiffness: np.ndarray, swinging: set[int]
) -> Groups:
  """`stiffness`: by cable, at home; `swinging`: cables of which a segment may swing."""
  trees = [{int(model.dof_treeid[layout.rows[r].dof]) for r in c.rows} for c in layout.cables]
  found = _connected(trees)
  stiff = {c for c, placed in enumerate(layout.cables) if _is_stiff(layout, placed, stiffness[c])}
  stiff |= swinging
  dofs_of = [[d for d in range(model.nv) if int(model.dof_treeid[d]) in g] for g in found]
  members = [[c for c, mine in enumerate(trees) if mine & g] for g in found]
  kept = [
    g
    for g, (dofs, cables) in enumerate(zip(dofs_of, members, strict=True))
    if len(dofs) <= _MOST_DOFS and stiff.intersection(cables)
  ]
  dofs_of, members = [dofs_of[g] for g in kept], [members[g] for g in kept]
  place = {d: (g, i) for g, dofs in enumerate(dofs_of) for i, d in enumerate(dofs)}
  entries = [[entry for d in dofs for entry in _entries(model, d, place)] for dofs in dofs_of]
  products: list[list] = [[] for _ in dofs_of]
  for k, product in enumerate(layout.products):
    one, two = (place.get(d, (-1, 0)) for d in product.dofs)
    if one[0] >= 0:
      products[one[0]].append((k, one[1], two[1]))
  rows: list[list] = [[] for _ in range(layout.segments)]
  for r, row in enumerate(layout.rows):
    if row.dof in place:
      rows[row.segment].append((r, place[row.dof][1]))
  t = Groups()
  t.dof_begin, t.dof = in_rows(dofs_of)
  t.matrix = as_ints([0, *accumulate(len(dofs) ** 2 for dofs in dofs_of)])
  t.entry_begin, t.entry = in_rows(entries, 3)
  t.product_begin, t.product = in_rows(products, 3)
  t.cable_begin, t.cable = in_rows(members)
  t.row_begin, t.row = in_rows(rows, 2)
  t.place = as_ints([place.get(d, (-1, 0)) for d in range(model.nv)], (-1, 2))
  return t


def _connected(trees: list[set[int]]) -> list[set[int]]:
  # sets of trees that cables connect
  found: list[set[int]] = []
  for mine in trees:
    if mine:
      touched = [g for g in found if g & mine]
      found = [g for g in found if not g & mine] + [mine.union(*touched)]
  return found


def _is_stiff(layout: Layout, placed: Placed, stiffness: float) -> bool:
  # a tension that is commanded is what it is, unless the cable rubs
  contacts = range(placed.contact, placed.contact + placed.contacts)
  asks = not placed.tension or any(layout.contact_friction[i] > 0 for i in contacts)
  return asks and stiffness > 0 and placed.cable.integration != "explicit"


def _entries(model: mujoco.MjModel, dof: int, place: dict) -> list[tuple[int, int, int]]:
  begin = int(model.M_rowadr[dof])
  return [
    (k, place[dof][1], place[int(model.M_colind[k])][1])
    for k in range(begin, begin + int(model.M_rownnz[dof]))
  ]
