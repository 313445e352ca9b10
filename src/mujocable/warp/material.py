"""Material: where marks on surfaces are now, and how much cable lies between them.

A wrap is cut at marks fixed to its surface, so that a turning sheave carries stuck cable by
geometry alone. As the cable winds on or off, marks that would leave the arc are set anew, and the
material is shared out again along the path, piece by piece, so that none is lost.
"""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false

import functools

import warp as wp

from mujocable.warp.precision import Precision


@functools.cache
def remap(p: Precision):
  """Kernel: lengths of the cells of cables with wraps, and their material before any slips."""
  real = p.real
  zero, half, quarter = real(0.0), real(0.5), real(0.25)

  @wp.kernel(module="unique", enable_backward=False)
  def remap_kernel(
    cable_index: wp.array(dtype=int),  # of the cables with wraps
    cable_segment: wp.array(dtype=int),
    cable_contact: wp.array(dtype=int),
    cable_contacts: wp.array(dtype=int),
    cable_cell: wp.array(dtype=int),
    cable_mark: wp.array(dtype=int),
    contact_marks: wp.array(dtype=int),
    side: wp.array(dtype=int),
    fresh: wp.array2d(dtype=int),
    length: wp.array2d(dtype=p.real),
    arc: wp.array2d(dtype=p.real),
    advance: wp.array2d(dtype=p.real),
    touching: wp.array2d(dtype=int),
    memory_bearing: wp.array3d(dtype=int),  # by contact, of the step before
    memory_rest: wp.array3d(dtype=p.real),  # by cell
    memory_mark: wp.array3d(dtype=p.real),  # by mark: where in its arc
    was_at: wp.array2d(dtype=p.real),  # scratch, by mark: along the path now, -1: dropped
    now_at: wp.array2d(dtype=p.real),
    cell: wp.array2d(dtype=p.real),
    material: wp.array2d(dtype=p.real),
  ):
    k, w = wp.tid()
    c = cable_index[k]
    old = side[w]
    new = 1 - old
    seg = cable_segment[c]
    con = cable_contact[c]
    n = cable_contacts[c]
    first_cell = cable_cell[c]
    first = cable_mark[c]

    # marks: where they were, carried along; where they are, kept within a quarter of their spacing
    at = length[seg, w]
    begin = zero
    mark = first
    for i in range(n):
      m = contact_marks[con + i]
      on = touching[con + i, w]
      kept = on * memory_bearing[old, con + i, w] * (1 - fresh[old, w])
      a = arc[con + i, w]
      spacing = a / real(m)
      for q in range(m):
        inside = zero
        was_at[mark, w] = real(-1.0)
        if on == 1:
          inside = spacing * (real(q) + half)
          if kept == 1:
            carried = memory_mark[old, mark, w] - advance[con + i, w]
            was_at[mark, w] = wp.max(at + carried, zero)
            inside = wp.clamp(carried, inside - quarter * spacing, inside + quarter * spacing)
        memory_mark[new, mark, w] = inside
        now_at[mark, w] = at + inside
        cell[first_cell + mark - first, w] = at + inside - begin
        begin = at + inside
        mark += 1
      memory_bearing[new, con + i, w] = on
      at += a + length[seg + i + 1, w]
    last = mark
    cell[first_cell + last - first, w] = at - begin
    total = at

    # material: walk along both partitions at once; marks that are dropped join their neighbors
    mark = first
    held = memory_rest[old, first_cell, w]
    while mark < last and was_at[mark, w] < zero:
      mark += 1
      held += memory_rest[old, first_cell + mark - first, w]
    from_ = zero
    here = zero
    to = total
    if mark < last:
      to = wp.clamp(was_at[mark, w], from_, total)
    for j in range(last - first + 1):
      goal = total
      if first + j < last:
        goal = now_at[first + j, w]
      got = zero
      while mark < last and to <= goal:
        if here > from_:
          got += held * (to - here) / (to - from_)
        else:
          got += held
        from_ = to
        here = to
        mark += 1
        held = memory_rest[old, first_cell + mark - first, w]
        while mark < last and was_at[mark, w] < zero:
          mark += 1
          held += memory_rest[old, first_cell + mark - first, w]
        to = total
        if mark < last:
          to = wp.clamp(was_at[mark, w], from_, total)
      if first + j == last:
        if here > from_ and to > from_:
          got += held * (to - here) / (to - from_)
        elif here <= from_:
          got += held
      elif goal > here and to > from_:
        got += held * (goal - here) / (to - from_)
        here = goal
      material[first_cell + j, w] = got

  return remap_kernel
