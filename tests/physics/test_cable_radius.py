"""A cable of radius rho over a surface of radius r runs where a thin one runs over r + rho.

Judge: the same library call with the larger surface, itself judged elsewhere; 1e-12 relative.
"""

import numpy as np
import pytest
from oracles import build
from oracles.spans import compiled, skew


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("n", [1, 3])
def test_radius_offsets_every_surface(n, seed):
  start, end, obstacles = skew(n, np.random.default_rng([seed, n, 5]))
  rho = 0.013
  _, _, thick = compiled(start, end, obstacles, radius=rho)
  for o in obstacles:
    o.radius += rho
  _, _, thin = compiled(start, end, obstacles)
  assert build.is_valid(thick) and build.is_valid(thin)
  assert np.array_equal(thick.touching, thin.touching) and np.any(thick.touching)
  assert thick.length == pytest.approx(thin.length, rel=1e-12)
  on = np.asarray(thick.touching, bool)
  assert np.abs(thick.entry[on] - thin.entry[on]).max() < 1e-11
  assert np.abs(thick.wrap_angle - thin.wrap_angle).max() < 1e-11
