"""Load: tensions along the segments -> generalized load (18), and what they weigh in the step."""

import functools

import warp as wp

from mujocable.warp.law.record import Record
from mujocable.warp.law.swing import Moving, Swings, take_swings


@wp.struct
class Loads:
  """Tables of the dofs that cables load, the same in all worlds."""

  dof: wp.array(dtype=int)
  begin: wp.array(dtype=int)  # of its gradients
  row: wp.array(dtype=int)
  row_segment: wp.array(dtype=int)  # by gradient
  mass_begin: wp.array(dtype=int)  # entries of its row of the mass matrix
  mass_address: wp.array(dtype=int)
  entry_begin: wp.array(dtype=int)  # by entry: its products
  # by product: a pair of dofs that a stiff cable connects
  cable: wp.array(dtype=int)
  rows: wp.array2d(dtype=int)  # begin, end of the gradients along either
  lumped: wp.array(dtype=int)  # 1: the mass matrix has no place for the pair
  ease: wp.array(dtype=float)


@wp.func
def products(k: int, w: int, loads: Loads, r: Record):
  """What a pair of dofs weighs in the step, over all tensions of the cable; the same of sizes."""
  sum = float(0.0)
  most = float(0.0)
  a = loads.rows[k, 0]
  while a < loads.rows[k, 1]:
    s = loads.row_segment[a]
    g = r.results.group[s, w]
    weight = r.results.mass[s, w]
    one = float(0.0)
    while a < loads.rows[k, 1] and r.results.group[loads.row_segment[a], w] == g:
      one += r.path.gradient[a, w]
      a += 1
    if weight > 0.0 and one != 0.0:
      two = float(0.0)
      for b in range(loads.rows[k, 2], loads.rows[k, 3]):
        if r.results.group[loads.row_segment[b], w] == g:
          two += r.path.gradient[b, w]
      sum += weight * one * two
      most += weight * wp.abs(one * two)
  return wp.vec2(sum, most)


@functools.cache
def load(swings: bool):
  """Kernel: one dof in one world. `swings`: segments may."""

  @wp.kernel(module="unique", enable_backward=False)
  def load_kernel(
    loads: Loads,
    record: Record,
    qfrc: wp.array2d(dtype=float),
    inertia: wp.array2d(dtype=float),
    segments: Swings,
    moving: Moving,
  ):
    """Load of the tensions on every dof, by virtual work; and the stiffness of cables that stick,
    as a mass: what the step does not resolve is slowed."""
    i, w = wp.tid()
    if wp.static(swings):
      take_swings(i, w, segments, moving, qfrc, inertia)
    load = float(0.0)
    for k in range(loads.begin[i], loads.begin[i + 1]):
      r = loads.row[k]
      load += record.results.tension[loads.row_segment[r], w] * record.path.gradient[r, w]
    qfrc[w, loads.dof[i]] = qfrc[w, loads.dof[i]] - load
    any = int(0)
    for c in range(record.results.heavy.shape[0]):
      any += record.results.heavy[c, w]
    if any == 0:
      return
    for e in range(loads.mass_begin[i], loads.mass_begin[i + 1]):
      sum = float(0.0)
      for k in range(loads.entry_begin[e], loads.entry_begin[e + 1]):
        if record.results.heavy[loads.cable[k], w] == 1:
          both = products(k, w, loads, record)
          if loads.lumped[k] == 0:
            sum += both[0]
          else:
            # two dofs that the mass matrix does not connect: both get heavier, by no less than the
            # pair would make them, each for its size
            sum += both[1] * loads.ease[k]
      if sum != 0.0:
        inertia[w, loads.mass_address[e]] = inertia[w, loads.mass_address[e]] + sum

  return load_kernel
