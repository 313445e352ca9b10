"""Trains the spiral arm or the finger in thousands of worlds with rsl-rl (PPO).

  python examples/learning/train.py spiral                  # on the GPU, if there is one
  python examples/learning/train.py finger --worlds 16 --iterations 2 --device cpu    # just to try

Needs the extra `learn`. Results go to out/learn/<task>: policy.npz and curve.json, which show.py
draws. Where the engine plugin is not installed, the task comes in a file made where it is:

  python examples/learning/train.py spiral --write spiral.task
  MUJOCABLE_LIBRARY=off python examples/learning/train.py spiral --read spiral.task
"""

import argparse
import json
import pickle
import time
from pathlib import Path

TASKS = {"spiral": "SpiralReach", "finger": "FingerFlex"}
# of a GPU; every world differs in friction, and in the stiffness of its cables by this factor
WORLDS, SCALE = 4096, {"stiffness": (0.8, 1.25)}
ITERATIONS = {"spiral": 150, "finger": 60}


def task_of(name: str, file: Path | None):
  """The task, ready for machines without the engine plugin."""
  if file is not None:
    return pickle.loads(file.read_bytes())
  import mujocable.gym
  from mujocable.learn import portable

  return portable(getattr(mujocable.gym, TASKS[name])())


def train(task, worlds: int, iterations: int, device=None, seed: int = 0, minutes=None):
  """Yields (policy, rows so far, environment) every ten iterations and in the end."""
  import torch
  from rsl_rl.runners import OnPolicyRunner

  from mujocable.learn import WorldsEnv
  from mujocable.learn.rsl import RslEnv, policy_of, settings

  torch.manual_seed(seed)
  env = RslEnv(WorldsEnv(task, worlds, device, scale=SCALE), seed)
  runner = OnPolicyRunner(env, settings(), device=str(env.device))
  # episodes end at different times from the start
  env.episode_length_buf = torch.randint_like(env.episode_length_buf, env.max_episode_length)
  rows, began, actions = [], time.perf_counter(), 0
  print(
    f"{'iteration':>9}{'seconds':>9}{'actions':>12}{'late error':>12}{'reached':>9}{'failed':>8}"
  )
  for i in range(1, iterations + 1):
    runner.learn(1)
    row = env.report()
    actions += worlds * runner.cfg["num_steps_per_env"]
    row |= {"iteration": i, "seconds": time.perf_counter() - began, "actions": actions}
    rows.append(row)
    last = i == iterations or (minutes is not None and row["seconds"] > 60 * minutes)
    if i == 1 or i % 10 == 0 or last:
      print(
        f"{i:9d}{row['seconds']:9.1f}{actions:12,d}{row['late_error']:12.3f}{row['reached']:9.1%}"
        f"{row['failed']:8.0f}",
        flush=True,
      )
      yield policy_of(runner), rows, env
    if last:
      return


def main() -> None:
  """Trains and writes what came of it."""
  parser = argparse.ArgumentParser(
    description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
  )
  parser.add_argument("task", choices=TASKS)
  parser.add_argument("--worlds", type=int, default=WORLDS)
  parser.add_argument("--iterations", type=int, help=f"default: {ITERATIONS}")
  parser.add_argument("--minutes", type=float, help="stop after that many; default: never")
  parser.add_argument("--device", help="of Warp; default: the GPU, else the CPU")
  parser.add_argument("--seed", type=int, default=0)
  parser.add_argument("--out", type=Path, help="default: out/learn/<task>")
  parser.add_argument("--write", type=Path, help="only write the task to this file")
  parser.add_argument("--read", type=Path, help="the task from such a file")
  options = parser.parse_args()
  task = task_of(options.task, options.read)
  if options.write:
    options.write.parent.mkdir(parents=True, exist_ok=True)
    options.write.write_bytes(pickle.dumps(task))
    return
  iterations = options.iterations or ITERATIONS[options.task]
  folder = options.out or Path("out/learn") / options.task
  folder.mkdir(parents=True, exist_ok=True)
  about = {"task": options.task, "worlds": options.worlds, "seed": options.seed}
  about |= {"near": task.task.near, "unit": task.task.unit, "substeps": task.task.substeps}
  runs = train(task, options.worlds, iterations, options.device, options.seed, options.minutes)
  for policy, rows, env in runs:
    policy.save(folder / "policy.npz")
    about["device"] = env.env.device.name
    (folder / "curve.json").write_text(json.dumps({**about, "rows": rows}, indent=1))
  print(f"written to {folder}")


if __name__ == "__main__":
  main()
