"""With torch and rsl-rl: the same numbers as with NumPy, and learning that runs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from rsl_rl.runners import OnPolicyRunner

import mujocable as mjc
from mujocable.gym import FingerFlex
from mujocable.learn import WorldsEnv, portable
from mujocable.learn.policy import Policy
from mujocable.learn.rsl import RslEnv, policy_of, settings

TRAIN = Path(__file__).resolve().parents[2] / "examples" / "learning" / "train.py"


@pytest.fixture(scope="module")
def finger():
  return portable(FingerFlex(horizon=5))


def test_torch_and_numpy_see_the_same_bits(finger):
  """Through the end of an episode; tensors share the memory of Warp."""
  one = WorldsEnv(finger, 3, device="cpu")
  two = WorldsEnv(finger, 3, device="cpu", arrays="numpy")
  options = {"friction": np.array([0.0, 0.1, 0.2]), "goal": np.array([[0.5], [1.0], [2.0]])}
  seen = one.reset(seed=0, options=options)[0], two.reset(seed=0, options=options)[0]
  assert np.array_equal(seen[0].numpy(), seen[1])
  for action in np.random.default_rng(1).uniform(-1, 1, (5, 3, 1)).astype(np.float32):
    ours, theirs = one.step(torch.tensor(action)), two.step(action)
    for a, b in zip(ours[1:4], theirs[1:4], strict=True):
      assert np.array_equal(a.numpy(), b)
    assert np.array_equal(ours[4]["final_obs"].numpy(), theirs[4]["final_obs"])
    assert np.array_equal(ours[4]["late_error"].numpy(), theirs[4]["late_error"])
  assert ours[3].all() and one.steps.tolist() == [0, 0, 0]
  assert one._seen.qpos.data_ptr() == one.d.qpos.ptr


@pytest.mark.gpu
def test_a_captured_graph_does_what_single_launches_do(finger):
  """Bit for bit, through ends and new beginnings."""
  one, two = WorldsEnv(finger, 256, device="cuda:0"), WorldsEnv(finger, 256, device="cuda:0")
  two._graphs = {}
  assert torch.equal(one.reset(seed=3)[0], two.reset(seed=3)[0])
  for _ in range(7):
    action = 2 * torch.rand(256, 1, device="cuda:0") - 1
    for a, b in zip(one.step(action)[:4], two.step(action)[:4], strict=True):
      assert torch.equal(a, b)


def test_rsl_rl_learns_and_the_policy_can_be_taken_out(finger, tmp_path, capsys):
  torch.manual_seed(0)
  env = RslEnv(WorldsEnv(finger, 4, device="cpu"))
  cfg = settings(num_mini_batches=2) | {"num_steps_per_env": 6}
  runner = OnPolicyRunner(env, cfg, device="cpu")
  before = policy_of(runner)
  runner.learn(2)
  report = env.report()
  assert report["episodes"] == 4 * 2 and report["failed"] == 0 and report["late_error"] > 0
  assert env.report()["episodes"] == 0
  # what was saved does what the network does
  policy_of(runner).save(tmp_path / "policy.npz")
  policy = Policy.load(tmp_path / "policy.npz")
  observations = env.get_observations()
  with torch.inference_mode():
    actions = runner.get_inference_policy()(observations).clamp(-1, 1)
  found = policy(observations["policy"].numpy())
  assert found == pytest.approx(actions.numpy(), abs=1e-5)
  assert not np.allclose(found, before(observations["policy"].numpy()))


def test_the_critic_knows_the_friction_and_the_policy_does_not(finger):
  env = RslEnv(WorldsEnv(finger, 2, device="cpu"))
  seen = env.get_observations()
  assert torch.equal(seen["friction"][:, 0], env.env.frictions)
  assert seen["policy"].shape == (2, env.env.task.observation_size)
  with pytest.raises(mjc.CableError, match="needs a WorldsEnv with arrays='torch'"):
    RslEnv(WorldsEnv(finger, 2, device="cpu", arrays="numpy"))


def test_the_example_trains(tmp_path):
  """A few iterations, from a file, without the engine plugin."""

  def run(*arguments, **env):
    done = subprocess.run(
      [sys.executable, str(TRAIN), "finger", *map(str, arguments)],
      capture_output=True,
      text=True,
      check=False,
      timeout=600,
      env={**os.environ, **env},
    )
    assert done.returncode == 0, done.stderr

  run("--write", tmp_path / "finger.task")
  short = ("--worlds", 4, "--iterations", 2, "--device", "cpu", "--out", tmp_path)
  run("--read", tmp_path / "finger.task", *short, MUJOCABLE_LIBRARY="off")
  curve = json.loads((tmp_path / "curve.json").read_text())
  assert [row["iteration"] for row in curve["rows"]] == [1, 2]
  assert all(np.isfinite(row["distance"]) for row in curve["rows"])
  assert Policy.load(tmp_path / "policy.npz")(np.zeros((3, 12))).shape == (3, 1)
