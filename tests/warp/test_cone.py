"""Cold strings: which contacts slide is found from any guess, and where guesses fail, exactly."""

import mujoco_warp as mjw
import numpy as np
import pytest
from warp_rigs import rigs
from warp_rigs.relaxed import relax

import mujocable.warp as mjcw
from mujocable.warp.law.cone import PATIENCE, ROUNDS

WORLDS, KAPPA = 24, 2000.0


def evaluate(m, d):
  """Paths, tensions and material where the bodies are, without the rest of a step."""
  mjw.kinematics(m, d)
  mjw.com_pos(m, d)
  mjcw.cables(d).locate(m, d)
  mjcw.cables(d).tense(m, d)
  mjcw.cables(d).load(m, d)


@pytest.mark.parametrize("most", [np.inf, 4.0])
def test_a_long_string_after_a_jump(most):
  axial = dict(stiffness=KAPPA, damping=0.0, max_tension=most)
  _, m, d, cables = rigs.worlds_of(rigs.arm(joints=9, integration="explicit", **axial), WORLDS)
  rng = np.random.default_rng(5)
  friction = rng.uniform(0.0, 0.6, cables.array("friction").shape)
  friction *= rng.random(friction.shape) < 0.8  # some without
  cables.array("friction").assign(friction.astype(np.float32))
  one, two = rng.uniform(-0.5, 0.5, (2, WORLDS, 9))
  # an even string at one pose, pulled tight; then the joints jump
  rigs.write(d.ctrl, 0.015)
  rigs.write(d.qpos, one)
  evaluate(m, d)
  state = cables._state
  begin = state.memory.material.numpy()[1].T.astype(float)
  slack = state.memory.slack.numpy()[1, 0] == 1
  rigs.write(d.qpos, one + 0.5 * (two - one))
  rigs.write(d.time, 1e-3)
  evaluate(m, d)
  segments = state.path.cells.numpy()[:, :, 0].T.astype(float)
  assert 0 < slack.sum() < WORLDS
  even = segments[slack] / segments[slack].sum(axis=1, keepdims=True)  # what was slack lies evenly
  begin[slack] = begin[slack].sum(axis=1, keepdims=True) * even
  exponents = state.path.cells.numpy()[:-1, :, 1].T.astype(float)
  tensions, rigidity = cables.array("tension").numpy(), KAPPA * cables.home.length[0]
  rounds = state.results.rounds.numpy()[0]
  assert rounds.max() > int(PATIENCE)  # the exact solution was asked
  assert rounds.max() < int(ROUNDS)
  limited = 0
  for w in range(WORLDS):
    give, ratio = segments[w] / rigidity, np.exp(exponents[w])
    expected, _ = relax(begin[w], segments[w], give, ratio)
    if expected[0] > most:
      limited += 1
      expected, _ = relax(begin[w], segments[w], give, ratio, source=most)
    # places are known to 2**-24 m, cells are 1 cm long
    noise = 8 * 2.0**-24 * 0.5 * rigidity / segments[w].min()
    assert tensions[w] == pytest.approx(expected, rel=2e-4, abs=noise)
  assert (limited > WORLDS / 4) == (most < np.inf)
