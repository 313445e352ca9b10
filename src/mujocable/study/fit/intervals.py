"""How well a fit is determined: intervals, correlations, what the data cannot tell apart."""

import math
from dataclasses import dataclass

import numpy as np

from mujocable.study.fit.problem import Problem
from mujocable.study.fit.search import DIFFERENCE, Residual

_UNKNOWN = 0.5  # half of an interval / value, from which a combination counts as not told
_RANK = 1e-6  # singular values below this share of the largest are none
_SURE = 0.95  # of the intervals
_WIDEST = _UNKNOWN  # difference for slopes, of the scale: what is known no better is not told
_END = 1e-4  # of the bounds: a search that wants to leave them stops this near
_ROUNDS = 8  # of wider differences; each is some times as wide, until it is wide enough


@dataclass(frozen=True)
class Told:
  """What is known of the free numbers."""

  intervals: list[tuple[float, float, bool]]  # low, high, whether the data determine it
  together: tuple[str, ...]  # combinations that the data do not tell apart, in words
  correlation: np.ndarray


def intervals(
  problem: Problem, residual: Residual, u: np.ndarray, columns: list[np.ndarray]
) -> Told:
  """Of the numbers `u` with these simulated columns, from the slopes there."""
  from scipy.stats import t as student

  weighted = residual.weigh(columns)
  count, size = weighted.size, u.size
  reach = float(student.ppf(0.5 + _SURE / 2, max(1, count - size)))
  spread = float(np.sqrt(weighted @ weighted / max(1, count - size)))
  scaled = _slopes(residual, u, spread)
  _, singular, directions = np.linalg.svd(scaled, full_matrices=False)
  strongest = max(float(singular[0]), 1e-300)
  fine = singular > _RANK * strongest
  widened = spread * _widening(problem, residual, columns)
  apart = np.where(fine, widened / np.maximum(singular, 1e-300), np.inf)
  told, together = _told(problem, u, directions, reach * apart)
  for i, text in _at_ends(problem, u).items():
    told[i] = False
    name = problem.parameters[i].text
    together = [one for one in together if not one.startswith(f"{name} has no effect")] + [text]
  inverse = directions.T * np.where(fine, apart, 0.0) ** 2 @ directions
  deviation = np.sqrt(np.maximum(np.diag(inverse), 0.0)) * np.array(problem.scale)
  scale = np.sqrt(np.maximum(np.diag(inverse), 1e-300))
  found = []
  for i in range(size):
    low, high = u[i] - reach * deviation[i], u[i] + reach * deviation[i]
    low, high = max(low, problem.low[i]), min(high, problem.high[i])
    if not told[i]:
      low, high = problem.low[i], problem.high[i]
    put = math.exp if problem.is_log[i] else float
    found.append((put(low), put(high), bool(told[i])))
  return Told(found, tuple(together), inverse / np.outer(scale, scale))


def _slopes(residual: Residual, u: np.ndarray, spread: float) -> np.ndarray:
  # over as far as each number alone is uncertain: where a contact sticks one step sooner the
  # simulation jumps, and over less than that the jump would pass for a slope
  scale, steps = np.array(residual.problem.scale), np.full(u.size, DIFFERENCE)
  scaled = residual.slopes(u, steps) * scale
  for _ in range(_ROUNDS):
    alone = spread / np.maximum(np.linalg.norm(scaled, axis=0), 1e-300)
    wider = np.maximum(steps, np.minimum(alone, _WIDEST))
    if np.all(wider < 2 * steps):
      break
    steps = wider
    scaled = residual.slopes(u, steps) * scale
  return scaled


def _widening(problem: Problem, residual: Residual, columns: list[np.ndarray]) -> float:
  # where what is left over is not white: by its correlation from row to row
  widen = 1.0
  for want, have, s in zip(problem.measured, columns, residual.sigma, strict=True):
    left = (have - want) / s
    if left @ left > 0:
      rho = float(np.clip(left[1:] @ left[:-1] / (left @ left), 0.0, 0.99))
      widen = max(widen, math.sqrt((1 + rho) / (1 - rho)))
  return widen


def _at_ends(problem: Problem, u: np.ndarray) -> dict[int, str]:
  # numbers that their bounds stop, in words; that nothing is below 0 is no bound of the search
  found = {}
  for i, (x, low, high) in enumerate(zip(u, problem.low, problem.high, strict=True)):
    near = _END * (high - low)
    if x > high - near or (x < low + near and (problem.is_log[i] or low != 0)):
      value = math.exp(x) if problem.is_log[i] else x
      found[i] = (
        f"{problem.parameters[i].text} is at the end of its bounds, {value:.4g}: widen them, or the"
        " model lacks what was measured"
      )
  return found


def _told(
  problem: Problem, u: np.ndarray, directions: np.ndarray, reach: np.ndarray
) -> tuple[np.ndarray, list[str]]:
  # uncertainty relative to the size of each parameter
  size_of = [
    1.0 if log else max(abs(x), scale) / scale
    for x, log, scale in zip(u, problem.is_log, problem.scale, strict=True)
  ]
  told, together = np.ones(u.size, bool), []
  for k in range(u.size):
    direction = directions[k] / np.array(size_of)
    if reach[k] * np.abs(direction).max() > _UNKNOWN:
      members = np.abs(direction) > 0.1 * np.abs(direction).max()
      told &= ~members
      who = [one.text for one, is_in in zip(problem.parameters, members, strict=True) if is_in]
      if len(who) > 1:
        text = f"{' and '.join(who)} cannot be told apart: one may rise as another falls"
      else:
        text = f"{who[0]} has no effect on what was measured, or too small a one"
      together.append(text)
  return told, together
