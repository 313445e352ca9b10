"""Two hands of the package in one scene, 40 cables: a batch has the bits of single runs.

Each simulation has its own friction, one number per contact. Judge: the same simulation alone.
"""

import mujoco
import numpy as np
import pytest
from mujoco.batch import Batch

import mujocable as mjc
from mujocable.models import hand

NSIM, STEPS = 6, 120


def one_hand():
  """Ten cables, and two elastic ligaments on every digit."""
  parameters = hand.Hand()
  spec = hand.build(parameters)
  for digit in parameters.digits:
    for joint, stiffness in (("mcp", 50.0), ("pip", 30.0)):
      ends = [mjc.Anchor(f"{digit.flexor}:{side}_{joint}") for side in ("before", "behind")]
      mjc.add_cable(
        spec,
        mjc.Cable(
          f"{digit.name}_{joint}_ligament", ends, mjc.Axial(stiffness=stiffness, damping=0.05)
        ),
      )
  return spec


@pytest.fixture(scope="module")
def model():
  scene = mujoco.MjSpec()
  for field in ("timestep", "integrator", "gravity"):
    setattr(scene.option, field, getattr(one_hand().option, field))
  for x, prefix in ((-0.2, "left_"), (0.2, "right_")):
    scene.attach(one_hand(), prefix=prefix, frame=scene.worldbody.add_frame(pos=[x, 0, 0]))
  return scene.compile()


def ctrl_of(model, step):
  closure = np.sin(0.01 * step) ** 2 * np.linspace(0.2, 1.0, 5)
  return np.tile(hand.command(hand.Hand(), closure), 2)


@pytest.mark.parametrize("persistent", [False, True], ids=["shared", "persistent"])
@pytest.mark.parametrize("nthread", [1, 2])
def test_a_batch_of_two_hands_equals_single_runs(model, nthread, persistent):
  cables = list(mjc.bind(model, mujoco.MjData(model)))
  assert len(cables) == 40
  assert {name.partition("_")[0] for name in cables} == {"left", "right"}
  rng = np.random.default_rng(5)
  batch = Batch(model, nsim=NSIM, nthread=nthread, persistent=persistent)
  states = batch.bind("plugin_state")
  for name in cables:
    where = mjc.parameter_slice(model, name, "friction")
    states[:, where] = rng.uniform(0, 0.4, (NSIM, where.stop - where.start))
  starts = batch.state.copy()
  for step in range(STEPS):
    batch.ctrl = ctrl_of(model, step)
    batch.step()
  for sim in range(NSIM):
    data = mujoco.MjData(model)
    mujoco.mj_setState(model, data, starts[sim], mujoco.mjtState.mjSTATE_INTEGRATION)
    for step in range(STEPS):
      data.ctrl[:] = ctrl_of(model, step)
      mujoco.mj_step(model, data)
    end = np.zeros(batch.nstate)
    mujoco.mj_getState(model, data, end, mujoco.mjtState.mjSTATE_INTEGRATION)
    assert np.array_equal(batch.state[sim], end), sim
  # the frictions made a difference
  assert np.ptp(batch.qpos, axis=0).max() > 1e-4
