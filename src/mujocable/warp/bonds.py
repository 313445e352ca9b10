"""Bonds: MuJoCo's constraints as functions of the acceleration of a group of dofs.

Equalities, dry friction, limits and pyramidal contacts are rows of their own; those of a contact
with an elliptic cone belong together.
"""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false, reportIndexIssue=false

import mujoco
import warp as wp

from mujocable.warp.groups import Groups

_EQUALITY = wp.constant(int(mujoco.mjtConstraint.mjCNSTR_EQUALITY))
_FRICTION = wp.constant(int(mujoco.mjtConstraint.mjCNSTR_FRICTION_TENDON))  # the last dry one
_ELLIPTIC = wp.constant(int(mujoco.mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC))


vec5 = wp.types.vector(length=5, dtype=float)


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
  # contacts with an elliptic cone
  id: wp.array2d(dtype=int)  # by row
  address: wp.array2d(dtype=int)  # by contact: its rows
  dim: wp.array(dtype=int)
  friction: wp.array(dtype=vec5)
  impratio_invsqrt: wp.array(dtype=float)
  last: wp.array2d(dtype=float)  # acceleration of the step before, by dof


def bonds_of(m, d) -> Bonds:
  """Where MuJoCo Warp has them."""
  b = Bonds()
  b.count, b.sparse, b.last = d.nefc, int(m.is_sparse), d.qacc_warmstart
  b.kind, b.D, b.aref, b.frictionloss = d.efc.type, d.efc.D, d.efc.aref, d.efc.frictionloss
  b.J, b.rownnz, b.rowadr, b.colind = d.efc.J, d.efc.J_rownnz, d.efc.J_rowadr, d.efc.J_colind
  b.id, b.address, b.dim = d.efc.id, d.contact.efc_address, d.contact.dim
  b.friction, b.impratio_invsqrt = d.contact.friction, m.opt.impratio_invsqrt
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
def cone_force(off: wp.spatial_vector, D: wp.spatial_vector, dim: int, mu: float, friction: vec5):
  """Forces along the rows of a contact with an elliptic cone, and how they fall with them."""
  force = wp.spatial_vector()
  slope = wp.spatial_matrix()
  u = wp.spatial_vector()  # the cone is round in these
  by = wp.spatial_vector()
  by[0] = mu
  square = float(0.0)
  for i in range(1, dim):
    by[i] = friction[i - 1]
    u[i] = off[i] * by[i]
    square += u[i] * u[i]
  normal = off[0] * mu
  aside = wp.sqrt(square)
  if normal >= mu * aside:
    return force, slope
  if mu * normal + aside <= 0.0:
    for i in range(dim):
      force[i] = -D[i] * off[i]
      slope[i, i] = D[i]
    return force, slope
  # on the cone: half of `hard` times the square of the distance from it
  hard = D[0] / (mu * mu * (1.0 + mu * mu))
  inside = normal - mu * aside
  u[0] = 1.0
  for i in range(1, dim):
    u[i] = -mu * u[i] / aside
  for i in range(dim):
    force[i] = -hard * inside * by[i] * u[i]
    for k in range(dim):
      bend = float(0.0)
      if i > 0 and k > 0:
        bend = u[i] * u[k] / mu
        if i == k:
          bend -= mu
      slope[i, k] = hard * by[i] * by[k] * (u[i] * u[k] + inside * bend / aside)
  return force, slope


@wp.func
def contact_of(r: int, g: int, w: int, groups: Groups, bonds: Bonds, at: wp.array2d(dtype=float)):
  """The same of the contact whose first row this is; how many rows the group has part in."""
  id = bonds.id[w, r]
  off = wp.spatial_vector()
  D = wp.spatial_vector()
  mine = int(0)
  dim = bonds.dim[id]
  for i in range(dim):
    row = bonds.address[id, i]
    if row >= 0:
      x, part = row_off(row, g, w, groups, bonds, at)
      off[i] = x
      D[i] = bonds.D[w, row]
      mine += part
  friction = bonds.friction[id]
  mu = friction[0] * bonds.impratio_invsqrt[w % bonds.impratio_invsqrt.shape[0]]
  force, slope = cone_force(off, D, dim, mu, friction)
  return force, slope, mine


@wp.func
def add_row(
  r: int,
  g: int,
  w: int,
  force: float,
  groups: Groups,
  bonds: Bonds,
  rest: wp.array2d(dtype=float),
  sizes: wp.array2d(dtype=float),
):
  """Takes the force along a row from what is unbalanced; adds its size."""
  if r < 0 or force == 0.0:
    return
  for k in range(row_length(r, w, groups.place.shape[0], bonds)):
    dof, value = row_number(r, w, k, bonds)
    if value != 0.0 and groups.place[dof, 0] == g:
      i = groups.dof_begin[g] + groups.place[dof, 1]
      rest[i, w] = rest[i, w] - value * force
      sizes[i, w] = sizes[i, w] + wp.abs(value * force)


@wp.func
def add_pair(
  one: int,
  two: int,
  g: int,
  w: int,
  slope: float,
  groups: Groups,
  bonds: Bonds,
  matrix: wp.array2d(dtype=float),
):
  """Adds how the force along one row falls with the acceleration of another."""
  if one < 0 or two < 0 or slope == 0.0:
    return
  n = groups.dof_begin[g + 1] - groups.dof_begin[g]
  for k in range(row_length(one, w, groups.place.shape[0], bonds)):
    dof, value = row_number(one, w, k, bonds)
    if value != 0.0 and groups.place[dof, 0] == g:
      begin = groups.matrix[g] + groups.place[dof, 1] * n
      for q in range(row_length(two, w, groups.place.shape[0], bonds)):
        other, by = row_number(two, w, q, bonds)
        if by != 0.0 and groups.place[other, 0] == g:
          to = begin + groups.place[other, 1]
          matrix[to, w] = matrix[to, w] + slope * value * by


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
  for r in range(wp.min(bonds.count[w], bonds.kind.shape[1])):
    if bonds.kind[w, r] != _ELLIPTIC:
      off, mine = row_off(r, g, w, groups, bonds, at)
      if mine == 1:
        force, _slope = row_force(r, w, off, bonds)
        add_row(r, g, w, force, groups, bonds, rest, sizes)
    elif bonds.address[bonds.id[w, r], 0] == r:
      forces, _slopes, parts = contact_of(r, g, w, groups, bonds, at)
      if parts > 0:
        for i in range(bonds.dim[bonds.id[w, r]]):
          row = bonds.address[bonds.id[w, r], i]
          add_row(row, g, w, forces[i], groups, bonds, rest, sizes)


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
  for r in range(wp.min(bonds.count[w], bonds.kind.shape[1])):
    if bonds.kind[w, r] != _ELLIPTIC:
      off, mine = row_off(r, g, w, groups, bonds, at)
      if mine == 1:
        _force, slope = row_force(r, w, off, bonds)
        add_pair(r, r, g, w, slope, groups, bonds, matrix)
    elif bonds.address[bonds.id[w, r], 0] == r:
      _forces, slopes, parts = contact_of(r, g, w, groups, bonds, at)
      if parts > 0:
        id = bonds.id[w, r]
        for i in range(bonds.dim[id]):
          for k in range(bonds.dim[id]):
            one = bonds.address[id, i]
            two = bonds.address[id, k]
            add_pair(one, two, g, w, slopes[i, k], groups, bonds, matrix)
