"""mjd_transitionFD sees the cables: B is not zero and all matrices are right.

Judge: central differences by brute force over restored states, step 1e-6: truncation and round-off
near 1e-8 on entries near one, hence 1e-5 relative to the largest entry.
"""

import mujoco
import numpy as np
import pytest
from oracles import subjects, transitions, workshop

import mujocable as mjc


@pytest.mark.parametrize("integrator", ["euler", "implicitfast", "implicit", "discrete"])
@pytest.mark.parametrize("subject", subjects.ALL, ids=lambda s: s.name)
def test_transition_matrices_match_brute_force(subject, integrator):
  model = subject.compile(integrator)
  data = mujoco.MjData(model)
  subject.run(model, data, 0, 40)  # before any tension reaches its limit
  state = workshop.state_of(model, data)
  a, b, c, d = transitions.by_mujoco(model, data)
  want_a, want_b, want_c, want_d = transitions.brute_force(model, state)
  for k in range(model.nu):
    name = model.actuator(k).name
    # no more command is felt where the cable is slack or at its limit
    still = data.actuator_force[k] in (0, mjc.bind(model, data)[name].max_tension)
    assert np.abs(b[:, k]).max() > 1e-6 or still, name
  assert np.abs(b - want_b).max() < 1e-5 * np.abs(want_b).max()
  assert np.abs(a - want_a).max() < 1e-5 * np.abs(want_a).max()
  # what a cable shows: every entry by itself, since units differ
  for got, want in ((c, want_c), (d, want_d)):
    largest = np.abs(want).max(axis=1, keepdims=True)
    assert np.all(np.abs(got - want) <= 1e-5 * largest + 1e-7)
  assert np.abs(want_c).max() > 0 and np.abs(want_d).max() > 0
  # and calling it did not move the state
  assert np.array_equal(workshop.state_of(model, data), state)
