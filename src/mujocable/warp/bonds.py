"""Bonds: MuJoCo's constraints as functions of the acceleration of a group of dofs.

Equalities, dry friction, limits and pyramidal contacts are rows of their own. Where a contact has
an elliptic cone, or one of the rows is not there yet, nothing is known.
"""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false, reportIndexIssue=false

import mujoco
import warp as wp

from mujocable.warp.groups import Groups

_EQUALITY = wp.constant(int(mujoco.mjtConstraint.mjCNSTR_EQUALITY))
_FRICTION = wp.constant(int(mujoco.mjtConstraint.mjCNSTR_FRICTION_TENDON))  # the last dry one
_ELLIPTIC = wp.constant(int(mujoco.mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC))


@wp.struct
class Bonds:
  """The rows of all worlds; `sparse`: how their gradients are stored."""

  count: wp.array(dtype=int)
  sparse: int
  kind: wp.array2d(dtype=int)
  D: wp.array2d(dtype=float)
  aref: wp.array2d(dtype=float)
  frictionloss: wp.array2d(dtype=float)
  J: wp.array3d(dtype=float)
  rownnz: wp.array2d(dtype=int)
  rowadr: wp.array2d(dtype=int)
  colind: wp.array3d(dtype=int)
  last: wp.array2d(dtype=float)  # acceleration of the step before, by dof


def bonds_of(m, d) -> Bonds:
  """Where MuJoCo Warp has them."""
  b = Bonds()
  b.count, b.sparse, b.last = d.nefc, int(m.is_sparse), d.qacc_warmstart
  b.kind, b.D, b.aref, b.frictionloss = d.efc.type, d.efc.D, d.efc.aref, d.efc.frictionloss
  b.J, b.rownnz, b.rowadr, b.colind = d.efc.J, d.efc.J_rownnz, d.efc.J_rowadr, d.efc.J_colind
  return b


@wp.func
def row_length(r: int, w: int, dofs: int, bonds: Bonds):
  """Numbers of a row."""
  length = int(dofs)
  if bonds.sparse == 1:
    length = bonds.rownnz[w, r]
  return length


@wp.func
def row_number(r: int, w: int, k: int, bonds: Bonds):
  """Dof of number k of a row, and its gradient there."""
  dof = int(k)
  value = float(0.0)
  if bonds.sparse == 1:
    at = bonds.rowadr[w, r] + k
    dof = bonds.colind[w, 0, at]
    value = bonds.J[w, 0, at]
  else:
    value = bonds.J[w, r, k]
  return dof, value


@wp.func
def row_off(
  r: int,
  g: int,
  w: int,
  groups: Groups,
  bonds: Bonds,
  at: wp.array2d(dtype=float),
):
  """How far the acceleration of a row is from what it should be; 1 where the group has part in it.
  Dofs of others go on as they did."""
  first = groups.dof_begin[g]
  sum = -bonds.aref[w, r]
  mine = int(0)
  for k in range(row_length(r, w, groups.place.shape[0], bonds)):
    dof, value = row_number(r, w, k, bonds)
    if value != 0.0:
      if groups.place[dof, 0] == g:
        mine = 1
        sum += value * at[first + groups.place[dof, 1], w]
      else:
        sum += value * bonds.last[w, dof]
  return sum, mine


@wp.func
def row_force(r: int, w: int, off: float, bonds: Bonds):
  """Force along a row, and how it falls with its acceleration."""
  D = bonds.D[w, r]
  force = -D * off
  slope = float(D)
  kind = bonds.kind[w, r]
  if kind == _EQUALITY:
    return force, slope
  if kind <= _FRICTION:
    most = bonds.frictionloss[w, r]
    if wp.abs(force) >= most:
      force = wp.clamp(force, -most, most)
      slope = 0.0
  elif off >= 0.0:
    force = 0.0
    slope = 0.0
  return force, slope


@wp.func
def knows_bonds(g: int, w: int, groups: Groups, bonds: Bonds):
  """1: all constraints that act on the group can be told."""
  for r in range(wp.min(bonds.count[w], bonds.kind.shape[1])):
    if bonds.kind[w, r] == _ELLIPTIC:
      for k in range(row_length(r, w, groups.place.shape[0], bonds)):
        dof, value = row_number(r, w, k, bonds)
        if value != 0.0 and groups.place[dof, 0] == g:
          return 0
  return 1


@wp.func
def take_bonds(
  g: int,
  w: int,
  groups: Groups,
  bonds: Bonds,
  at: wp.array2d(dtype=float),
  rest: wp.array2d(dtype=float),
  sizes: wp.array2d(dtype=float),
):
  """Takes the forces of all constraints from what is unbalanced; adds their sizes."""
  first = groups.dof_begin[g]
  for r in range(wp.min(bonds.count[w], bonds.kind.shape[1])):
    off, mine = row_off(r, g, w, groups, bonds, at)
    if mine == 1:
      force, _slope = row_force(r, w, off, bonds)
      if force != 0.0:
        for k in range(row_length(r, w, groups.place.shape[0], bonds)):
          dof, value = row_number(r, w, k, bonds)
          if value != 0.0 and groups.place[dof, 0] == g:
            i = first + groups.place[dof, 1]
            rest[i, w] = rest[i, w] - value * force
            sizes[i, w] = sizes[i, w] + wp.abs(value * force)


@wp.func
def add_bond_slopes(
  g: int,
  w: int,
  groups: Groups,
  bonds: Bonds,
  at: wp.array2d(dtype=float),
  matrix: wp.array2d(dtype=float),
):
  """Adds how the forces of all constraints fall with the acceleration."""
  first = groups.dof_begin[g]
  n = groups.dof_begin[g + 1] - first
  for r in range(wp.min(bonds.count[w], bonds.kind.shape[1])):
    off, mine = row_off(r, g, w, groups, bonds, at)
    if mine == 1:
      _force, slope = row_force(r, w, off, bonds)
      if slope > 0.0:
        count = row_length(r, w, groups.place.shape[0], bonds)
        for k in range(count):
          dof, value = row_number(r, w, k, bonds)
          if value != 0.0 and groups.place[dof, 0] == g:
            row = groups.matrix[g] + groups.place[dof, 1] * n
            for q in range(count):
              other, by = row_number(r, w, q, bonds)
              if by != 0.0 and groups.place[other, 0] == g:
                to = row + groups.place[other, 1]
                matrix[to, w] = matrix[to, w] + slope * value * by
