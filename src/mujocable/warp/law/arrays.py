"""Arrays: tables of integers on the device."""

from itertools import accumulate

import numpy as np
import warp as wp


def as_ints(values: list, shape: tuple = (-1,)) -> wp.array:
  """One table."""
  return wp.array(np.array(values, np.int32).reshape(shape), dtype=int)


def in_rows(lists: list[list], width: int = 0) -> tuple[wp.array, wp.array]:
  """Where each list begins, and all of them in a row."""
  flat = [x for values in lists for x in values]
  shape = (len(flat), width) if width else (-1,)
  return as_ints([0, *accumulate(map(len, lists))]), as_ints(flat, shape)
