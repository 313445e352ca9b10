"""Bonds: MuJoCo's constraints as functions of the acceleration of a group of dofs (21).

Equalities, dry friction, limits and pyramidal contacts are rows of their own; those of a contact
with an elliptic cone belong together.
"""

import mujoco
import warp as wp

from mujocable.warp.couple.groups import Groups
from mujocable.warp.couple.motion import Motion

_EQUALITY = wp.constant(int(mujoco.mjtConstraint.mjCNSTR_EQUALITY))
_FRICTION = wp.constant(int(mujoco.mjtConstraint.mjCNSTR_FRICTION_TENDON))  # the last dry one
_ELLIPTIC = wp.constant(int(mujoco.mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC))
_OTHERS = wp.constant(30)  # bit of dofs in no group; groups share the ones below
vec5 = wp.types.vector(length=5, dtype=float)


@wp.struct
class Bonds:
  """The rows of all worlds; `sparse`: how their gradients are stored."""

  count: wp.array(dtype=int)
  groups: wp.array2d(dtype=int)  # by row: bits of the groups that have part in it
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


def find_bonds(b: Bonds, m, d) -> None:
  """Where MuJoCo Warp has them."""
  b.count, b.sparse, b.last = d.nefc, int(m.is_sparse), d.qacc_warmstart
  b.kind, b.D, b.aref, b.frictionloss = d.efc.type, d.efc.D, d.efc.aref, d.efc.frictionloss
  b.J, b.rownnz, b.rowadr, b.colind = d.efc.J, d.efc.J_rownnz, d.efc.J_rowadr, d.efc.J_colind
  b.id, b.address, b.dim = d.efc.id, d.contact.efc_address, d.contact.dim
  b.friction, b.impratio_invsqrt = d.contact.friction, m.opt.impratio_invsqrt


@wp.func
def bit_of(g: int):
  """Of a group; of all others the last one."""
  return wp.lshift(1, wp.where(g < 0, _OTHERS, g % _OTHERS))


@wp.func
def next_row(r: int, g: int, w: int, bonds: Bonds):
  """The first row from `r` on that the group may have part in; -1: there is none. (They come in any
  order, another one in every world: worlds that run together look for theirs, then work on it.)"""
  bit = bit_of(g)
  count = wp.min(bonds.count[w], bonds.kind.shape[1])
  at = int(r)
  while at < count and (bonds.groups[at, w] & bit) == 0:
    at += 1
  if at >= count:
    at = -1
  return at


@wp.kernel(module="unique", enable_backward=False)
def mark_rows_kernel(groups: Groups, bonds: Bonds):
  """Which groups have part in a row: so that each looks at its own."""
  r, w = wp.tid()
  if r >= bonds.count[w]:
    return
  bits = int(0)
  if bonds.sparse == 1:
    begin = bonds.rowadr[w, r]
    for k in range(begin, begin + bonds.rownnz[w, r]):
      bits = bits | bit_of(groups.place[bonds.colind[w, 0, k], 0])
  else:
    for dof in range(groups.place.shape[0]):
      if bonds.J[w, r, dof] != 0.0:
        bits = bits | bit_of(groups.place[dof, 0])
  bonds.groups[r, w] = bits


@wp.func
def row_length(r: int, g: int, w: int, groups: Groups, bonds: Bonds):
  """Numbers of a row, at most, that may belong to the group."""
  length = groups.dof_begin[g + 1] - groups.dof_begin[g]
  if bonds.sparse == 1:
    length = bonds.rownnz[w, r]
  return length


@wp.func
def row_number(r: int, g: int, w: int, k: int, groups: Groups, bonds: Bonds):
  """Place in the group of number k of those, and the gradient; 0: it is none of the group."""
  place = int(k)
  value = float(0.0)
  if bonds.sparse == 1:
    at = bonds.rowadr[w, r] + k
    dof = bonds.colind[w, 0, at]
    place = groups.place[dof, 1]
    if groups.place[dof, 0] == g:
      value = bonds.J[w, 0, at]
  else:
    value = bonds.J[w, r, groups.dof[groups.dof_begin[g] + k]]
  return place, value


@wp.func
def row_outside(r: int, g: int, w: int, groups: Groups, bonds: Bonds):
  """Acceleration of a row by dofs of others, which go on as they did."""
  sum = float(0.0)
  if bonds.groups[r, w] == bit_of(g) and groups.matrix.shape[0] <= _OTHERS:
    return sum
  if bonds.sparse == 1:
    begin = bonds.rowadr[w, r]
    for k in range(begin, begin + bonds.rownnz[w, r]):
      dof = bonds.colind[w, 0, k]
      if groups.place[dof, 0] != g:
        sum += bonds.J[w, 0, k] * bonds.last[w, dof]
  else:
    for dof in range(groups.place.shape[0]):
      if groups.place[dof, 0] != g:
        value = bonds.J[w, r, dof]
        if value != 0.0:
          sum += value * bonds.last[w, dof]
  return sum


@wp.func
def row_off(r: int, g: int, w: int, groups: Groups, bonds: Bonds, at: wp.array2d(dtype=float)):
  """How far the acceleration of a row is from what it should be."""
  sum = row_outside(r, g, w, groups, bonds) - bonds.aref[w, r]
  for k in range(row_length(r, g, w, groups, bonds)):
    place, value = row_number(r, g, w, k, groups, bonds)
    sum += value * at[groups.dof_begin[g] + place, w]
  return sum


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
  """The same of the contact whose first row this is."""
  id = bonds.id[w, r]
  off = wp.spatial_vector()
  D = wp.spatial_vector()
  dim = bonds.dim[id]
  for i in range(dim):
    row = bonds.address[id, i]
    if row >= 0:
      off[i] = row_off(row, g, w, groups, bonds, at)
      D[i] = bonds.D[w, row]
  friction = bonds.friction[id]
  mu = friction[0] * bonds.impratio_invsqrt[w % bonds.impratio_invsqrt.shape[0]]
  force, slope = cone_force(off, D, dim, mu, friction)
  return force, slope


@wp.func
def add_row(r: int, g: int, w: int, force: float, groups: Groups, bonds: Bonds, motion: Motion):
  """Takes the force along a row from what is unbalanced; adds its size."""
  if r < 0 or force == 0.0:
    return
  for k in range(row_length(r, g, w, groups, bonds)):
    place, value = row_number(r, g, w, k, groups, bonds)
    if value != 0.0:
      i = groups.dof_begin[g] + place
      motion.rest[i, w] = motion.rest[i, w] - value * force
      motion.sizes[i, w] = motion.sizes[i, w] + wp.abs(value * force)


@wp.func
def add_pair(
  one: int, two: int, g: int, w: int, slope: float, groups: Groups, bonds: Bonds, motion: Motion
):
  """Adds how the force along one row falls with the acceleration of another."""
  if one < 0 or two < 0 or slope == 0.0:
    return
  n = groups.dof_begin[g + 1] - groups.dof_begin[g]
  for k in range(row_length(one, g, w, groups, bonds)):
    place, value = row_number(one, g, w, k, groups, bonds)
    if value != 0.0:
      begin = groups.matrix[g] + place * n
      for q in range(row_length(two, g, w, groups, bonds)):
        other, by = row_number(two, g, w, q, groups, bonds)
        if by != 0.0:
          to = begin + other
          motion.matrix[to, w] = motion.matrix[to, w] + slope * value * by


@wp.func
def take_bonds(g: int, w: int, slopes: int, groups: Groups, bonds: Bonds, motion: Motion):
  """Takes the forces of all constraints from what is unbalanced, and adds their sizes; `slopes`: 1:
  adds how they fall with the acceleration instead."""
  r = next_row(0, g, w, bonds)
  while r >= 0:
    id = bonds.id[w, r]
    if bonds.kind[w, r] != _ELLIPTIC:
      force, slope = row_force(r, w, row_off(r, g, w, groups, bonds, motion.at), bonds)
      if slopes == 0:
        add_row(r, g, w, force, groups, bonds, motion)
      else:
        add_pair(r, r, g, w, slope, groups, bonds, motion)
    elif bonds.address[id, 0] == r:
      forces, falls = contact_of(r, g, w, groups, bonds, motion.at)
      for i in range(bonds.dim[id]):
        one = bonds.address[id, i]
        if slopes == 0:
          add_row(one, g, w, forces[i], groups, bonds, motion)
        else:
          for k in range(bonds.dim[id]):
            add_pair(one, bonds.address[id, k], g, w, falls[i, k], groups, bonds, motion)
    r = next_row(r + 1, g, w, bonds)
