"""Tension: a string, where it is seen -> its tensions and material.

Given the material there is one set of tensions such that neighbors differ by no more than the ratio
of the contact between them, and material has moved, toward the higher tension, only where they
differ by just that (14), (cone.py). Without friction there is one tension (11).
"""

import functools

import warp as wp

from mujocable.warp.law.cone import PATIENCE, ROUNDS, Source, heads, trial
from mujocable.warp.law.even import write_even, write_still
from mujocable.warp.law.exact import exact
from mujocable.warp.law.record import Record
from mujocable.warp.law.string import String


@wp.func
def even_tension(s: String):
  """Tension of a string that rubs nowhere [N]."""
  t = float(0.0)
  if s.seen > 0.0:
    t = s.stiffness * (s.seen - 0.5 * s.transition)
    if s.seen < s.transition:
      t = 0.5 * s.stiffness * s.seen * s.seen / s.transition
    t = wp.clamp(t + s.damper * s.part * (s.grows - s.unfelt), 0.0, s.most)
  return t


@functools.cache
def tensions(gradual: bool, marked: bool, coupled: bool):
  """Function: all results of one cable. `gradual`: stiffness may set in gradually; `marked`:
  contacts may have several marks; `coupled`: the lengths of its cells accelerate."""
  block_heads, exact_ways = heads(gradual, coupled), exact(gradual, coupled)
  try_tensions = trial(gradual, marked, coupled)

  @wp.func
  def rub(s: String, stack: int, w: int, begun: int, r: Record):
    # 1: taut, 0: slack, -1: not a number; the material of all cells; how many rounds it took.
    # `begun`: 1: this step has guessed before
    taut = int(0)
    sum = float(0.0)
    round = int(0)
    again = int(begun)
    certain = int(0)
    while round < ROUNDS:
      lack, give = block_heads(s, w, again, r)
      source = Source()
      source.lack = lack
      source.give = give
      source.tension = lack / give
      source.open = s.commanded
      if s.commanded == 1:
        source.tension = s.command
      elif source.tension > s.most:
        # the source gives way, and takes back what it gave
        source.tension = s.most
        source.open = 1
        source.keeps = 1
      wrong, strained, sum_now = try_tensions(s, w, again, certain, source, r)
      sum = sum_now
      taut = 0
      if not wp.isfinite(source.tension):
        taut = -1
      elif source.tension > 0.0:
        taut = 1
      again = 1
      round += 1
      if wrong == 0 and strained == 0:
        break
      certain = 0
      if wrong > 0 and round >= PATIENCE:
        exact_ways(s, w, stack, r)
        certain = 1
    return taut, sum, round

  @wp.func
  def find_tensions(s: String, stack: int, w: int, begun: int, r: Record):
    # 1: it pulls, 0: it is slack, -1: it is off or not a number; the material of all cells; how
    # many rounds it took. `stack`: where its pieces are
    taut = int(0)
    sum = float(0.0)
    round = int(0)
    if s.off == 1:
      taut = -1
    elif s.commanded == 0 and s.rubs == 0:
      t = even_tension(s)
      taut = -1
      if wp.isfinite(t):
        taut = wp.where(t > 0.0, 1, 0)
        if taut == 1:
          sum = write_even(s, w, t, r)
    elif (s.commanded == 0 and s.seen > 0.0) or s.command > 0.0:
      taut, sum, round = rub(s, stack, w, begun, r)
    if taut < 0:
      sum = write_still(s, w, r)
    elif taut == 0:
      sum = write_even(s, w, 0.0, r)
    return taut, sum, round

  return find_tensions
