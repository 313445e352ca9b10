"""Tension: a string, where it is seen -> its tensions and material.

Given the material there is one set of tensions such that neighbors differ by no more than the ratio
of the contact between them, and material has moved, toward the higher tension, only where they
differ by just that (cone.py).
"""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false, reportIndexIssue=false

import functools

import warp as wp

from mujocable.warp.law.cone import PATIENCE, ROUNDS, heads, trial
from mujocable.warp.law.exact import exact
from mujocable.warp.law.record import Memory, Path, Results
from mujocable.warp.law.slack import write_even, write_slack
from mujocable.warp.law.string import String


@wp.func
def even_tension(s: String):
  """Tension of a string that rubs nowhere [N]."""
  t = float(0.0)
  if s.seen > 0.0:
    t = s.stiffness * (s.seen - 0.5 * s.transition)
    if s.seen < s.transition:
      t = 0.5 * s.stiffness * s.seen * s.seen / s.transition
    t = wp.clamp(t + s.damper * s.part * s.grows, 0.0, s.most)
  return t


@functools.cache
def tensions(gradual: bool, marked: bool, coupled: bool):
  """Function: all results of one cable. `gradual`: stiffness may set in gradually; `marked`:
  contacts may have several marks; `coupled`: the lengths of its cells accelerate."""
  block_heads, exact_ways = heads(gradual, coupled), exact(gradual, coupled)
  try_tensions = trial(gradual, marked, coupled)

  @wp.func
  def rub(
    s: String,
    stack: int,
    w: int,
    begun: int,  # 1: this step has guessed before
    contact_marks: wp.array(dtype=int),
    path: Path,
    memory: Memory,
    head: wp.array2d(dtype=float),
    pieces: wp.array3d(dtype=wp.vec3),
    results: Results,
  ):
    # 1: taut, 0: slack, -1: not a number; the material of all cells; how many rounds it took
    taut = int(0)
    sum = float(0.0)
    round = int(0)
    again = int(begun)
    certain = int(0)
    while round < ROUNDS:
      lack, give = block_heads(s, w, again, path, memory, head)
      source = lack / give
      open = s.commanded
      keeps = int(0)
      if s.commanded == 1:
        source = s.command
      elif source > s.most:
        # the source gives way, and takes back what it gave
        source = s.most
        open = 1
        keeps = 1
      wrong, strained, sum_now = try_tensions(
        s,
        w,
        again,
        certain,
        source,
        open,
        keeps,
        lack,
        give,
        contact_marks,
        path,
        memory,
        head,
        results,
      )
      sum = sum_now
      taut = 0
      if source > 0.0 and wp.isfinite(source):
        taut = 1
      elif not wp.isfinite(source):
        taut = -1
      again = 1
      round += 1
      if wrong == 0 and strained == 0:
        break
      certain = 0
      if wrong > 0 and round >= PATIENCE:
        exact_ways(s, w, stack, path, memory, head, pieces)
        certain = 1
    return taut, sum, round

  @wp.func
  def find_tensions(
    s: String,
    stack: int,  # where its pieces are
    w: int,
    begun: int,
    contact_marks: wp.array(dtype=int),
    path: Path,
    memory: Memory,
    head: wp.array2d(dtype=float),
    pieces: wp.array3d(dtype=wp.vec3),
    results: Results,
  ):
    # 1: it pulls, 0: it does not; the material of all cells; how many rounds it took
    taut = int(0)
    sum = float(0.0)
    round = int(0)
    if s.off == 1:
      taut = -1
    elif s.commanded == 0 and s.rubs == 0:
      t = even_tension(s)
      taut = -1
      if wp.isfinite(t):
        taut = 2
        if t > 0.0:
          taut = 1
        sum = write_even(s, w, t, contact_marks, path, memory, results)
    elif (s.commanded == 0 and s.seen > 0.0) or s.command > 0.0:
      taut, sum, round = rub(s, stack, w, begun, contact_marks, path, memory, head, pieces, results)
    if taut <= 0:
      fills = int(1)
      if s.commanded == 1:
        fills = 2
      if taut < 0:
        fills = 0
      sum = write_slack(s, w, fills, contact_marks, path, memory, results)
    return wp.where(taut == 1, 1, 0), sum, round

  return find_tensions
