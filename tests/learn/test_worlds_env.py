"""Tasks in many worlds: judged by the engine, restarted one by one, without the plugin."""

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import mujocable as mjc
import mujocable.warp as mjcw
from mujocable.gym import BatchEnv, FingerFlex, SpiralReach
from mujocable.learn import Portable, WorldsEnv, portable
from mujocable.learn.worlds_env import FAILED

TASKS = {"finger": FingerFlex, "spiral": SpiralReach}


def worlds_of(task, count, **options):
  return WorldsEnv(task, count, device="cpu", arrays="numpy", **options)


def actions_of(task, steps, count, seed=0):
  random = np.random.default_rng(seed)
  return random.uniform(-1, 1, (steps, count, task.action_size)).astype(np.float32)


@pytest.fixture(scope="module")
def finger():
  return portable(FingerFlex(friction=(0.05, 0.2), horizon=6))


@pytest.mark.parametrize("name", TASKS)
def test_the_engine_sees_the_same_episode(name):
  """The same task in double precision: apart by little of what counts as reached."""
  task, count = TASKS[name](), 3
  frictions = np.linspace(*task.friction, count)
  worlds, engine = worlds_of(task, count), BatchEnv(task, count)
  observations, _ = worlds.reset(seed=2, options={"friction": frictions})
  engine.reset(seed=0)
  for i in range(count):
    options = {"friction": frictions[i], "goal": worlds.goals[i]}
    engine._frictions[i], engine._goals[i] = task.draw(np.random.default_rng(), options)
  rows = engine._plugin_state[:]
  task.set_friction(rows, frictions)
  engine._plugin_state[:] = rows
  engine._batch.forward(np.arange(count))
  assert observations == pytest.approx(engine._observe(), abs=1e-6)
  apart, moved = [], []
  for action in actions_of(task, 8, count):
    _, rewards, *_, infos = worlds.step(action)
    _, wanted, *_, expected = engine.step(action)
    assert infos["friction"] == pytest.approx(expected["friction"])
    apart.append(np.abs(rewards - wanted).max())
    moved.append(wanted)
  assert max(apart) < 0.2 * task.near
  assert np.ptp(moved, axis=0).min() > 0.5 * task.near  # they did move


def test_a_world_that_ends_starts_anew_alone(finger):
  """Its next episode has the bits of a fresh world; the others go on."""
  env = worlds_of(finger, 3)
  env.reset(seed=5)
  env.steps[1] = 4
  before = env.frictions.copy(), env.goals.copy()
  action = actions_of(env.task, 8, 3)
  env.step(action[0])
  observations, _, terminated, truncated, infos = env.step(action[1])
  assert truncated.tolist() == [False, True, False] and not terminated.any()
  assert env.frictions[1] != before[0][1] and env.goals[1] != before[1][1]
  assert env.frictions[[0, 2]] == pytest.approx(before[0][[0, 2]], abs=0)
  assert env.steps.tolist() == [2, 0, 2] and env.d.time.numpy()[1] == 0
  assert np.array_equal(infos["final_obs"][[0, 2]], observations[[0, 2]])
  assert not np.array_equal(infos["final_obs"][1], observations[1])
  fresh = worlds_of(finger, 3)
  first, _ = fresh.reset(options={"friction": env.frictions, "goal": env.goals})
  assert np.array_equal(first[1], observations[1])
  for k in range(2, 5):
    ours, theirs = env.step(action[k]), fresh.step(action[k])
    assert np.array_equal(ours[0][1], theirs[0][1]) and ours[1][1] == theirs[1][1]
    assert not np.array_equal(ours[0][0], theirs[0][0])


def test_every_episode_draws_its_own_friction_and_stiffness(finger):
  env = worlds_of(finger, 64, scale={"stiffness": (0.5, 2.0)})
  nominal = env.cables.array("stiffness").numpy().copy()
  env.reset(seed=1)
  friction = env.cables.array("friction").numpy()
  assert np.array_equal(friction, np.broadcast_to(env.frictions[:, None], friction.shape))
  assert friction.min() >= 0.05 and friction.max() <= 0.2 and np.ptp(friction) > 0.1
  factor = env.cables.array("stiffness").numpy() / nominal
  assert factor == pytest.approx(np.broadcast_to(factor[:, :1], factor.shape), rel=1e-6)
  assert factor.min() >= 0.5 and factor.max() <= 2.0 and np.ptp(np.log2(factor)) > 1
  assert len(np.unique(env.frictions)) == 64 and len(np.unique(env.goals)) > 60
  # the seed says which; parameters that are not scaled stay
  again, _ = env.reset(seed=1)
  assert np.array_equal(again, env.reset(seed=1)[0])
  assert not np.array_equal(again, env.reset(seed=2)[0])
  assert np.ptp(env.cables.array("damping").numpy(), axis=0).max() == 0


def test_a_world_that_is_no_longer_finite_ends_and_starts_anew(finger):
  env = worlds_of(finger, 3)
  env.reset(seed=0)
  env.d.qpos.numpy()[2, 0] = np.nan
  observations, rewards, terminated, truncated, infos = env.step(np.zeros((3, 1)))
  assert terminated.tolist() == [False, False, True] and not truncated.any()
  assert rewards[2] == -FAILED and np.isfinite(observations).all()
  assert np.isfinite(infos["final_obs"]).all()
  assert np.isfinite(env.step(np.zeros((3, 1)))[0]).all()


def test_the_late_error_is_that_of_the_last_part(finger):
  """From 70 % of six actions on: the last two."""
  env = worlds_of(finger, 2)
  env.reset(seed=3)
  distances = []
  for action in actions_of(env.task, 6, 2):
    *_, truncated, infos = env.step(action)
    distances.append(infos["distance"])
  assert truncated.all()
  assert infos["late_error"] == pytest.approx(np.mean(distances[4:], axis=0))


def test_it_is_an_environment_whose_arrays_are_those_of_warp(finger):
  env = worlds_of(finger, 2)
  assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
  observations, _ = env.reset(seed=0)
  assert env.observation_space.contains(observations.astype(np.float32))
  assert observations.dtype == np.float32
  env.step(env.action_space.sample())
  assert np.shares_memory(env._seen.qpos, env.d.qpos.numpy())
  assert env._seen.cable("flexor", "tension").ctypes.data == (
    mjcw.cables(env.d).array("tension", "flexor").ptr
  )


def test_it_runs_where_the_plugin_is_not(finger, tmp_path):
  """Bit for bit, in a process without the library."""
  (tmp_path / "finger.task").write_bytes(pickle.dumps(finger))
  code = """
import pickle, sys
import numpy as np, warp as wp
wp.config.quiet, wp.config.log_level = True, 30
from mujocable.learn import WorldsEnv
env = WorldsEnv(pickle.load(open("finger.task", "rb")), 2, device="cpu", arrays="numpy")
env.reset(seed=7)
np.save("seen.npy", env.step(np.ones((2, 1)))[0])
"""
  done = subprocess.run(
    [sys.executable, "-c", code],
    cwd=tmp_path,
    env={**os.environ, "MUJOCABLE_LIBRARY": "off"},
    capture_output=True,
    text=True,
    check=False,
    timeout=300,
  )
  assert done.returncode == 0, done.stderr
  env = worlds_of(finger, 2)
  env.reset(seed=7)
  assert np.array_equal(np.load(tmp_path / "seen.npy"), env.step(np.ones((2, 1)))[0])


def test_bad_input_is_refused_with_a_word(finger):
  for changes, message in (
    ({"count": 0}, "num_envs must be 1 or more, got 0"),
    ({"scale": {"mass": (1, 2)}}, "scale: 'mass' is not one of the parameters"),
    ({"scale": {"friction": (1, 2)}}, "scale: 'friction' is not one of the parameters"),
    ({"scale": {"stiffness": (2, 1)}}, r"scale\['stiffness'\] must be \(low, high\)"),
    ({"scale": {"stiffness": 1.0}}, r"scale\['stiffness'\] must be \(low, high\)"),
  ):
    with pytest.raises(mjc.CableError, match=message):
      worlds_of(finger, **{"count": 2, **changes})
  with pytest.raises(mjc.CableError, match="arrays must be one of 'torch', 'numpy', got 'jax'"):
    WorldsEnv(finger, 2, device="cpu", arrays="jax")
  env = worlds_of(finger, 2)
  with pytest.raises(mjc.CableError, match="call reset before step"):
    env.step(np.zeros((2, 1)))
  for options, message in (
    ({"colour": 1}, r"takes the options 'friction' and 'goal', got \['colour'\]"),
    ({"friction": -0.1}, "option 'friction' must be >= 0"),
    ({"friction": np.nan}, "option 'friction' must be finite"),
    ({"goal": [1.0, 2.0, 3.0]}, r"option 'goal' must have the shape \(2, 1\)"),
  ):
    with pytest.raises(mjc.CableError, match=message):
      env.reset(options=options)

  class Compiled(FingerFlex):
    def __init__(self):
      super().__init__()
      self.spec = None

  with pytest.raises(mjc.CableError, match="Compiled was given an MjModel"):
    portable(Compiled())
  with pytest.raises(mjc.CableError, match="must be a Task"):
    portable("finger")
  assert isinstance(finger, Portable)
