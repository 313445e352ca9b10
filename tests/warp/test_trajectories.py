"""Trajectories of the engine plugin: apart by no more than single precision sets them apart."""

import mujoco
import mujoco_warp as mjw
import numpy as np
import pytest
from warp_rigs import rigs

import mujocable.warp as mjcw
from mujocable.models import finger, hand, spirob, winch

STEPS = 500
EPSILON = 2.0**-24  # what rounding to single precision changes a number by, at most
MARGIN = 4  # numbers are rounded more than once in a step: poses of a chain, lengths, sums

# model, commands in the course of the run [0, 1], step [s]
RUNS = {
  "arm": (
    lambda: spirob.build(spirob.Spirob(friction=0.3, transition=0.0)),
    lambda x: [0.012 * x, -0.02],
    2e-5,
  ),
  "finger": (
    lambda: finger.build(finger.Finger(friction=0.2)),
    lambda x: [0.01 * np.sin(np.pi * x), -0.01 * np.sin(np.pi * x)],
    1e-4,
  ),
  "hand": (
    lambda: hand.build(hand.Hand(friction=0.15)),
    lambda x: hand.command(hand.Hand(), x),
    1e-4,
  ),
  "winch": (lambda: winch.build(winch.Winch(friction=0.25, slack=0.0)), lambda x: 4.0, 1e-4),
  "ring": (lambda: rigs.ring(pretension=10.0, stiffness=100.0), lambda x: [], 1e-3),
}  # fmt: skip


def engine(model, command, noise: float, seed: int) -> np.ndarray:
  """Positions after every step; state and command are rounded as far as `noise` says."""
  data, rng = mujoco.MjData(model), np.random.default_rng(seed)
  reach = np.abs(model.qpos0).max(initial=1.0)
  path = []
  for k in range(STEPS):
    data.ctrl[:] = command(k / STEPS)
    for values in (data.ctrl, data.qpos, data.qvel):
      size = np.maximum(np.abs(values), reach if values is data.qpos else 0.0)
      values += noise * size * rng.uniform(-1, 1, values.shape)
    mujoco.mj_step(model, data)
    path.append(data.qpos.copy())
  return np.array(path)


@pytest.mark.parametrize("name", RUNS)
def test_a_run_of_500_steps(name):
  build, command, timestep = RUNS[name]
  spec = rigs.explicit(build())
  spec.option.timestep = timestep
  model = spec.compile()
  expected = engine(model, command, 0.0, 0)
  apart = max(np.abs(engine(model, command, EPSILON, seed) - expected).max() for seed in range(3))
  m, d = mjcw.put_model(model), mjcw.put_data(model)
  found, taut = [], 0
  for k in range(STEPS):
    rigs.write(d.ctrl, command(k / STEPS))
    mjw.step(m, d)
    found.append(d.qpos.numpy()[0].copy())
    taut += mjcw.cables(d).array("tension").numpy().max() > 0
  moved = np.abs(expected - model.qpos0).max()
  error = np.abs(np.array(found) - expected).max()
  print(name, moved, error, apart, taut)
  assert moved > 1e-3 and taut > STEPS / 2
  assert error < MARGIN * apart


FINER = 16


@pytest.mark.parametrize("seed", range(12))
def test_random_arms_differ_by_a_tenth_of_what_a_finer_step_changes_at_most(seed):
  steps, rng = 80, np.random.default_rng(seed)
  spec = rigs.random_arm(rng)
  model = spec.compile()
  spec.option.timestep /= FINER
  fine = spec.compile()
  tension = model.actuator_ctrlrange[:, 1] > 0  # else a length, in any range
  reach, phase = np.where(tension, 5.0, 0.01), rng.uniform(0, 3, model.nu)

  def command(k):
    return reach * (0.5 - 0.5 * np.cos(phase + k / 15))

  def run(model, finer):
    data, path = mujoco.MjData(model), []
    for k in range(steps * finer):
      data.ctrl[:] = command(k / finer)
      mujoco.mj_step(model, data)
      path.append(data.qpos.copy())
    return np.array(path[finer - 1 :: finer])

  m, d = mjcw.put_model(model), mjcw.put_data(model)
  found = []
  for k in range(steps):
    if model.nu:
      rigs.write(d.ctrl, command(k))
    mjw.step(m, d)
    found.append(d.qpos.numpy()[0].copy())
  expected = run(model, 1)
  step = np.abs(expected - run(fine, FINER)).max()
  error = np.abs(np.array(found) - expected).max()
  print(seed, model.opt.timestep, np.abs(expected).max(), step, error)
  assert error < 0.1 * step
