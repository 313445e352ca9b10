"""mu = 0 is frictionless bit for bit: one tension along the whole cable, in any motion."""

import mujoco
import numpy as np
import pytest
from oracles import articulated


@pytest.mark.parametrize("mode", ["velocity", "forward", "reverse"])
@pytest.mark.parametrize("spans", [(1, 1), (3, 0)], ids=str)
def test_all_segments_carry_the_same_bits(spans, mode):
  s = articulated.scene(
    [5, 21, *spans], spans=spans, friction=0.0, friction_law="sliding", friction_mode=mode
  )
  articulated.shake(s, np.random.default_rng(1))
  seen = 0
  for _ in range(400):
    mujoco.mj_step(s.model, s.data)
    tension = np.asarray(s.view.tension)
    assert np.all(tension == tension[0])
    assert tension[0] == s.view.source_tension
    assert np.all(np.asarray(s.view.dissipation) == 0)
    seen += tension[0] > 0
  assert seen > 20


def test_a_zero_coefficient_equals_no_friction_bit_for_bit():
  """The same motion with friction=0 given and in another mode: equal trajectories."""
  runs = []
  for options in ({}, {"friction": 0.0, "friction_law": "sliding", "friction_mode": "forward"}):
    s = articulated.scene([6, 21], spans=(1, 2), **options)
    articulated.shake(s, np.random.default_rng(2))
    for _ in range(300):
      mujoco.mj_step(s.model, s.data)
    runs.append(np.concatenate([s.data.qpos, s.data.qvel]))
  assert np.array_equal(*runs)
