"""The tasks in mjlab, with the versions that it pins: the same numbers as in our own worlds."""

import subprocess
import sys
import warnings
from dataclasses import asdict

import numpy as np
import pytest
import torch

with warnings.catch_warnings():  # of packages that are not ours
  warnings.simplefilter("ignore")
  import mjlab  # noqa: F401  finds the tasks
  from mjlab.envs import ManagerBasedRlEnv
  from mjlab.rl import MjlabOnPolicyRunner, RslRlVecEnvWrapper
  from mjlab.tasks.registry import list_tasks, load_env_cfg, load_rl_cfg

from mujocable.learn import WorldsEnv
from mujocable.learn.mjlab import TASKS

pytestmark = pytest.mark.filterwarnings("default")


def env_of(name, worlds, seed=1):
  cfg = load_env_cfg(name)
  cfg.scene.num_envs, cfg.seed = worlds, seed
  return ManagerBasedRlEnv(cfg, device="cpu")


def test_mjlab_finds_the_tasks_by_itself():
  """In a process that imports nothing of ours."""
  code = "import mjlab; from mjlab.tasks.registry import list_tasks; print(*list_tasks())"
  done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
  assert set(TASKS) <= set(done.stdout.split()), done.stderr
  assert set(TASKS) <= set(list_tasks())


@pytest.mark.parametrize("name", TASKS)
def test_an_episode_is_that_of_our_own_worlds(name):
  """The same cables in the same simulation: equal but for rounding and, in the reward, one step."""
  theirs = env_of(name, 3)
  seen, _ = theirs.reset()
  event = theirs.cables_event
  ours = WorldsEnv(event.portable, 3, device="cpu")
  goals = theirs.command_manager.get_command("goal")
  expected, _ = ours.reset(options={"friction": event.friction, "goal": goals})
  assert torch.allclose(seen["actor"], expected, atol=1e-5)
  assert torch.equal(seen["critic"][:, -1], ours.frictions)
  actions = 2 * torch.rand((4, 3, event.task.action_size)) - 1
  rewards = []
  for action in actions:
    seen, reward, terminated, truncated, _ = theirs.step(action)
    expected, wanted, *_ = ours.step(action)
    assert torch.allclose(seen["actor"][:, -event.task.action_size :], action)
    rewards.append((reward - wanted).abs().max())
    assert not (terminated | truncated).any()
  assert max(rewards) < 0.2 * event.task.near
  tension = event.cables.array("tension").numpy()
  assert tension.max() > 0 and np.isfinite(tension).all()


def test_single_worlds_end_and_start_anew():
  env = env_of("Mujocable-Finger-Flex", 3)
  env.reset()
  event, before = env.cables_event, env.cables_event.friction.clone()
  env.episode_length_buf[1] = env.max_episode_length - 1
  *_, truncated, _ = env.step(torch.ones(3, 1))
  assert truncated.tolist() == [False, True, False]
  changed = (event.friction != before).tolist()
  assert changed == [False, True, False]
  cables = event.cables.torch("friction")
  assert torch.equal(cables, event.friction[:, None].expand_as(cables))
  assert env.sim.data.time[1] == 0 and env.sim.data.time[0] > 0


def test_it_trains(capsys):
  name = "Mujocable-Finger-Flex"
  cfg = asdict(load_rl_cfg(name))
  cfg["num_steps_per_env"] = 4
  env = RslRlVecEnvWrapper(env_of(name, 4))
  runner = MjlabOnPolicyRunner(env, cfg, None, "cpu")
  before = [p.detach().clone() for p in runner.alg.actor.parameters()]
  runner.learn(2)
  after = list(runner.alg.actor.parameters())
  assert any(not torch.equal(a, b) for a, b in zip(before, after, strict=True))
  assert all(torch.isfinite(p).all() for p in after)
