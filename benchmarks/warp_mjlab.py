"""mjlab: its tasks with cables on a device, against our own worlds, and how fast they learn.

  python -m benchmarks.warp_mjlab --device cuda:0     # in an environment with the extra `mjlab`

For each task: how far the first observations and the rewards of four actions are from those of
`WorldsEnv`, and world-steps per second of training.
"""

import argparse
import time
from dataclasses import asdict

import mjlab  # noqa: F401  finds the tasks
import numpy as np
import torch
from mjlab.envs import ManagerBasedRlEnv
from mjlab.rl import MjlabOnPolicyRunner, RslRlVecEnvWrapper
from mjlab.tasks.registry import load_env_cfg, load_rl_cfg

from mujocable.learn import WorldsEnv
from mujocable.learn.mjlab import TASKS


def env_of(name: str, worlds: int, device: str) -> ManagerBasedRlEnv:
  """A task in many worlds."""
  cfg = load_env_cfg(name)
  cfg.scene.num_envs, cfg.seed = worlds, 1
  return ManagerBasedRlEnv(cfg, device=device)


def compare(name: str, device: str, worlds: int = 64) -> tuple[float, float]:
  """How far first observations and rewards are from our own worlds."""
  theirs = env_of(name, worlds, device)
  seen, _ = theirs.reset()
  event = theirs.cables_event
  ours = WorldsEnv(event.portable, worlds, device=device)
  goals = theirs.command_manager.get_command("goal")
  expected, _ = ours.reset(options={"friction": event.friction, "goal": goals})
  apart, rewards = float((seen["actor"] - expected).abs().max()), 0.0
  for _ in range(4):
    action = 2 * torch.rand((worlds, event.task.action_size), device=device) - 1
    _, reward, *_ = theirs.step(action)
    _, wanted, *_ = ours.step(action)
    rewards = max(rewards, float((reward - wanted).abs().max()))
  return apart, rewards


def rate(name: str, device: str, worlds: int, iterations: int) -> float:
  """World-steps per second of training."""
  env = env_of(name, worlds, device)
  runner = MjlabOnPolicyRunner(RslRlVecEnvWrapper(env), asdict(load_rl_cfg(name)), None, device)
  runner.learn(2)
  begin = time.perf_counter()
  runner.learn(iterations)
  if torch.device(device).type == "cuda":
    torch.cuda.synchronize()
  seconds = time.perf_counter() - begin
  if not np.isfinite(env.cables_event.cables.array("tension").numpy()).all():
    raise SystemExit(f"{name}: a tension is not finite")
  return worlds * runner.cfg["num_steps_per_env"] * iterations * env.cfg.decimation / seconds


def main() -> None:
  parser = argparse.ArgumentParser(description=__doc__)
  parser.add_argument("--device", default="cuda:0" if torch.cuda.is_available() else "cpu")
  parser.add_argument("--worlds", type=int, default=4096)
  parser.add_argument("--iterations", type=int, default=20)
  options = parser.parse_args()
  for name in TASKS:
    apart, rewards = compare(name, options.device)
    print(f"{name}: observations apart {apart:g}, rewards {rewards:g}", flush=True)
    speed = rate(name, options.device, options.worlds, options.iterations)
    print(f"{name}: {speed / 1e6:.2f} M world-steps/s in {options.worlds} worlds", flush=True)


if __name__ == "__main__":
  main()
