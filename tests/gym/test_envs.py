"""The environments: by Gymnasium's own checker, seeded, and bit for bit the same in a batch."""

import re
import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import mujocable as mjc
from mujocable.gym import TASKS, BatchEnv, CableEnv, FingerFlex, SpiralReach
from mujocable.gym.spiral_reach import ARM, pulls_and_places

NAMES = sorted(TASKS)


def actions(env, count, seed=0):
  size = env.single_action_space.shape if hasattr(env, "num_envs") else env.action_space.shape
  shape = (count, *((env.num_envs,) if hasattr(env, "num_envs") else ()), *size)
  return np.random.default_rng(seed).uniform(-1, 1, shape).astype(np.float32)


def episode(env, seed, count=5):
  """Everything that some steps return, as plain numbers."""
  observation, info = env.reset(seed=seed)
  rows = [(*observation, *info.values())]
  for action in actions(env, count):
    observation, reward, terminated, truncated, info = env.step(action)
    rows.append((*observation, reward, terminated, truncated, *info.values()))
  return rows


@pytest.mark.parametrize("name", NAMES)
def test_gymnasiums_checker_finds_nothing(name):
  # warnings are errors here
  check_env(gymnasium.make(name).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("name", NAMES)
def test_a_specification_can_be_written_and_read_back(name):
  env = gymnasium.make(name, horizon=7)
  text = env.spec.to_json()
  again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(text))
  assert again.unwrapped.task.horizon == 7
  assert episode(again, seed=2) == episode(env, seed=2)


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_gives_the_same_episode_and_another_one_another(name):
  one, two = gymnasium.make(name), gymnasium.make(name)
  first = episode(one, seed=4)
  assert episode(one, seed=4) == first and episode(two, seed=4) == first
  assert episode(one, seed=5) != first


@pytest.mark.parametrize("name", NAMES)
def test_every_episode_has_another_friction_and_goal_within_the_range(name):
  env = gymnasium.make(name, friction=(0.05, 0.2)).unwrapped
  found, goals = [], []
  env.reset(seed=0)
  for _ in range(20):
    _, info = env.reset()
    env.step(env.action_space.sample())
    for cable in mjc.bind(env.model, env.data).values():
      assert np.all(cable.friction == info["friction"])
    found.append(info["friction"])
    goals.append(tuple(env._goal))
  assert len(set(found)) == 20 and len(set(goals)) > 10
  assert min(found) >= 0.05 and max(found) <= 0.2 and np.ptp(found) > 0.05


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("nthread", [1, 2])
def test_a_batch_returns_the_bits_of_single_environments(name, nthread):
  """Through three episodes of each robot, their ends and their new beginnings."""
  options = {"num_envs": 5, "horizon": 4}
  batch = gymnasium.make_vec(name, nthread=nthread, **options)
  single = gymnasium.make_vec(name, vectorization_mode="sync", **options)
  assert isinstance(batch, BatchEnv) and batch.observation_space == single.observation_space
  (ours, infos), (theirs, wanted) = batch.reset(seed=3), single.reset(seed=3)
  assert np.array_equal(ours, theirs)
  assert all(np.array_equal(infos[key], wanted[key]) for key in wanted)
  ends = 0
  for action in actions(batch, 14):
    ours, theirs = batch.step(action), single.step(action)
    for mine, other in zip(ours[:4], theirs[:4], strict=True):
      assert np.array_equal(mine, other) and mine.dtype == other.dtype
    assert set(ours[4]) == set(theirs[4])
    assert all(np.array_equal(ours[4][key], theirs[4][key]) for key in theirs[4])
    ends += ours[3].sum()
  assert ends == 3 * 5


def test_a_batch_can_be_reset_in_the_middle_and_seeded_one_by_one():
  batch = gymnasium.make_vec("mujocable/FingerFlex-v0", num_envs=3)
  single = gymnasium.make("mujocable/FingerFlex-v0")
  batch.reset(seed=0)
  batch.step(actions(batch, 1)[0])
  observations, _ = batch.reset(seed=[7, 8, 7])
  assert np.array_equal(observations[0], observations[2])
  assert np.array_equal(observations[1], single.reset(seed=8)[0])


# ---- the tasks -----------------------------------------------------------------------------------


def test_time_passes_as_the_task_says_and_ends_at_its_horizon():
  for task in (FingerFlex(horizon=3), SpiralReach(horizon=3)):
    env = CableEnv(task)
    env.reset(seed=0)
    ends = [env.step(env.action_space.sample())[3] for _ in range(3)]
    assert ends == [False, False, True]
    assert env.data.time == pytest.approx(3 / task.fps)


def test_the_reward_is_minus_the_distance_from_the_goal():
  finger, arm = CableEnv(FingerFlex()), CableEnv(SpiralReach())
  finger.reset(seed=1, options={"goal": 2.0})
  arm.reset(seed=1, options={"goal": [0.01, 0.02, 0.05]})
  for _ in range(5):
    _, reward, *_ = finger.step(np.array([0.3]))
    assert reward == pytest.approx(-abs(finger.data.qpos.sum() - 2.0), rel=1e-12)
    _, reward, *_ = arm.step(np.array([0.5, -1.0, -0.2]))
    apart = np.linalg.norm(arm.data.site("tip").xpos - [0.01, 0.02, 0.05])
    assert reward == pytest.approx(-apart / arm.model.stat.extent, rel=1e-12)


def test_every_goal_of_the_arm_can_be_reached():
  """The pull that made the place brings the tip there, without friction."""
  pulls, places = pulls_and_places()
  env = BatchEnv(SpiralReach(friction=0.0, horizon=100), len(pulls))
  env.reset(seed=0)
  env._goals[:] = places
  for _ in range(40):
    *_, infos = env.step(2 * pulls / ARM.max_tension - 1)
  # 1.6 s against 0.8 s: what is left of the motion after 4 time constants
  assert infos["distance"].max() < 0.03
  assert np.all(np.ptp(places, axis=0) > 0.5 * env.task.model.stat.extent)


def test_more_friction_needs_more_pull():
  """The same command flexes less; what reaches the fingertip is within the Capstan law."""
  flexion = []
  for friction in (0.0, 0.1, 0.2):
    env = CableEnv(FingerFlex(friction=friction))
    env.reset(seed=0)
    for _ in range(50):
      observation, *_ = env.step(np.array([1.0]))
    flexion.append(env.data.qpos.sum())
    flexor = mjc.bind(env.model, env.data)["flexor"]
    source, end = observation[6:8]
    least = source * np.exp(-friction * flexor.wrap_angle.sum())
    assert least * (1 - 1e-5) <= end <= source * (1 + 1e-5)
  assert flexion[0] > flexion[1] > flexion[2]


def test_observations_are_of_the_order_of_one():
  for name in NAMES:
    env = gymnasium.make_vec(name, num_envs=4)
    seen = [env.reset(seed=0)[0], *(env.step(action)[0] for action in actions(env, 25))]
    assert np.abs(seen).max() < 10 and np.abs(seen).mean() > 0.05


# ---- refusals and surroundings -------------------------------------------------------------------


def test_bad_input_is_refused_with_a_word():
  env = CableEnv(FingerFlex())
  for options, message in (
    ({"colour": 1}, r"takes the options 'friction' and 'goal', got \['colour'\]"),
    ({"friction": -0.1}, "'friction' must be finite, >= 0, got -0.1"),
    ({"friction": "a"}, "'friction' must be finite, >= 0, got 'a'"),
    ({"friction": (0.0, 0.1)}, "'friction' must be finite, >= 0, got"),
    ({"goal": "x"}, "'goal' must be 1 finite numbers, got 'x'"),
    ({"goal": [1.0, 2.0]}, "'goal' must be 1 finite numbers"),
    ({"goal": np.nan}, "'goal' must be 1 finite numbers"),
  ):
    with pytest.raises(mjc.CableError, match=message):
      env.reset(options=options)
  for wrong in ((0.2, 0.1), -1.0, (0.0, np.inf), "a", None, (0.0, 0.1, 0.2)):
    with pytest.raises(mjc.CableError, match="0 <= low <= high"):
      FingerFlex(friction=wrong)  # pyright: ignore
  for wrong in (0, -3, 2.5, "5", True):
    with pytest.raises(mjc.CableError, match="horizon must be a whole number of steps, 1 or more"):
      FingerFlex(horizon=wrong)  # pyright: ignore
  with pytest.raises(mjc.CableError, match="render_mode must be None or 'rgb_array'"):
    CableEnv(FingerFlex(), "human")
  with pytest.raises(mjc.CableError, match="a batch draws nothing"):
    BatchEnv(FingerFlex(), 2, render_mode="rgb_array")
  with pytest.raises(mjc.CableError, match="num_envs must be 1 or more"):
    BatchEnv(FingerFlex(), 0)
  for env, action in ((BatchEnv(FingerFlex(), 1), np.zeros((1, 1))), (CableEnv(FingerFlex()), [0])):
    with pytest.raises(mjc.CableError, match="call reset before step"):
      env.step(action)  # pyright: ignore
  with pytest.raises(mjc.CableError, match="one seed or 2, got 3"):
    BatchEnv(FingerFlex(), 2).reset(seed=[1, 2, 3])


@pytest.mark.parametrize("wrong", [None, np.nan, [np.inf], [0.0, 0.0], "x"])
def test_an_action_that_is_no_number_is_refused_and_moves_nothing(wrong):
  env = CableEnv(FingerFlex())
  env.reset(seed=0)
  before = env.data.qpos.copy()
  with pytest.raises(mjc.CableError, match="step: action must be 1 finite numbers, got"):
    env.step(wrong)
  assert np.array_equal(env.data.qpos, before) and env.data.time == 0


def test_a_batch_refuses_actions_that_are_no_numbers():
  """But for those of a robot that starts anew, which nobody looks at."""
  batch = BatchEnv(FingerFlex(horizon=1), 2)
  batch.reset(seed=0)
  for wrong in (None, np.full((2, 1), np.nan), [[0.0], [np.nan]], np.zeros((3, 1)), "x"):
    with pytest.raises(mjc.CableError, match=r"actions must be finite numbers of shape \(2, 1\)"):
      batch.step(wrong)  # pyright: ignore
  batch.step(np.zeros((2, 1)))
  observations, *_ = batch.step(np.full((2, 1), np.nan))
  assert np.isfinite(observations).all()
  batch = BatchEnv(SpiralReach(), 2)
  batch.reset(seed=0)
  for transposed in (np.zeros((3, 2)), np.zeros(6)):
    with pytest.raises(mjc.CableError, match=r"actions must be finite numbers of shape \(2, 3\)"):
      batch.step(transposed)


def in_a_process(code):
  return subprocess.run(
    [sys.executable, "-W", "error", "-c", code],
    capture_output=True,
    text=True,
    check=False,
    timeout=120,
  )


def test_without_gymnasium_it_says_what_to_install():
  code = "import sys; sys.modules['gymnasium'] = None; import mujocable.gym"
  done = in_a_process(code)
  assert done.returncode == 1
  last = done.stderr.splitlines()[-1]
  assert re.search(r'pip install ".*\[gym\].*"$', last), last


def test_it_draws_itself():
  """Made by its name alone: nobody imports the package."""
  code = """
import gymnasium
for name in ("FingerFlex", "SpiralReach"):  # the second try once ended the process
  env = gymnasium.make(f"mujocable.gym:mujocable/{name}-v0", render_mode="rgb_array")
  env.reset(seed=0)
  before = env.render()
  for _ in range(10):
    env.step(env.action_space.high)
  after = env.render()
  print(after.shape, after.dtype, (before != after).any(axis=2).mean() > 0.005)
  env.close()
"""
  done = in_a_process(code)
  if "no offscreen OpenGL" in done.stderr:
    pytest.skip(done.stderr)
  assert done.stdout.splitlines() == ["(480, 640, 3) uint8 True"] * 2, done.stderr


@pytest.mark.parametrize(
  "imports",
  ["import gymnasium, mujocable", "import mujocable, gymnasium", "import mujocable.gym, gymnasium"],
)
def test_the_names_are_known_in_any_order_of_imports(imports):
  made = "gymnasium.make('mujocable/FingerFlex-v0').spec.id"
  code = f"{imports}; print({made}, gymnasium.__spec__.loader)"
  done = in_a_process(code)
  assert done.stdout.startswith("mujocable/FingerFlex-v0"), done.stderr
  assert "SourceFileLoader" in done.stdout  # Gymnasium is as it would be without us


@pytest.mark.parametrize("name", NAMES)
def test_features_are_of_what_is_observed(name):
  """The last action, and one set of numbers for each; bad names are refused."""
  env = gymnasium.make(name).unwrapped
  env.reset(seed=3)
  action = env.action_space.sample()
  observation, *_ = env.step(action)
  last, features = env.task.features(observation[None])
  assert features.shape[:2] == (1, env.task.action_size)
  assert last[0] == pytest.approx(np.clip(action, -1, 1), abs=1e-6)
  from mujocable.gym import train

  with pytest.raises(mjc.CableError, match="task must be one of"):
    train("mujocable/Nothing-v0")
