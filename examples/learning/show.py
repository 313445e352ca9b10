"""Shows what train.py learned: an exam on the engine, the learning curve, a film.

  python examples/learning/show.py out/learn/spiral

The policy was trained in worlds of single precision on a GPU. Here it controls the engine, in
double precision on the CPU, with goals and frictions that it never met. Needs no torch, but the
extras `gym`, `warp` and `viewer`.
"""

import argparse
import json
from pathlib import Path

import numpy as np

TASKS = {"spiral": "mujocable/SpiralReach-v0", "finger": "mujocable/FingerFlex-v0"}
EXAM, EPISODES = 64, 6  # episodes of the exam, and of the video


def exam(task: str, policy, count: int = EXAM) -> np.ndarray:
  """Mean distance late in the episode, for every one."""
  import gymnasium

  import mujocable  # noqa: F401  registers the environments
  from mujocable.gym import late_error

  env = gymnasium.make_vec(TASKS[task], num_envs=count)
  found = late_error(env, policy, range(20_000, 20_000 + count))
  env.close()
  return found


def draw_curve(curve: dict, exam_error: float, path: Path) -> None:
  """Late error and share of goals reached, over time."""
  import matplotlib

  matplotlib.use("agg")
  from matplotlib import pyplot as plt

  rows = [row for row in curve["rows"] if row["episodes"]]
  seconds = [row["seconds"] for row in rows]
  figure, left = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
  left.semilogy(seconds, [row["late_error"] for row in rows], color="tab:blue")
  left.axhline(curve["near"], color="tab:blue", linestyle=":", linewidth=1)
  left.plot(seconds[-1], exam_error, "o", color="tab:blue", label="exam on the engine")
  left.set_xlabel("time of training [s]")
  left.set_ylabel(f"late error [{curve['unit']}]", color="tab:blue")
  left.legend(loc="center right", frameon=False)
  right = left.twinx()
  right.plot(seconds, [100 * row["reached"] for row in rows], color="tab:orange")
  right.set_ylim(0, 101)
  right.set_ylabel("goals reached [%]", color="tab:orange")
  left.set_title(
    f"{curve['task']}: {curve['worlds']:,} worlds on {curve['device']},"
    f" {rows[-1]['actions'] / 1e6:.1f} M actions",
    fontsize=9,
  )
  figure.savefig(path, dpi=150)
  plt.close(figure)


def film(task: str, policy, path: Path, episodes: int = EPISODES) -> None:
  """A few episodes of one robot, each with its own goal and friction; the goal of an arm is red."""
  import gymnasium
  import imageio.v3 as imageio
  import mujoco

  import mujocable  # noqa: F401  registers the environments

  env = gymnasium.make(TASKS[task], render_mode="rgb_array").unwrapped
  frames = []
  for seed in range(episodes):
    seen, _ = env.reset(seed=30_000 + seed)
    ended = False
    while not ended:
      seen, _, _, ended, _ = env.step(policy(seen[None])[0])
      env.render()  # makes the renderer
      scene = env._renderer.scene
      if task == "spiral":
        ball = scene.geoms[scene.ngeom]
        size = np.full(3, 0.02 * env.model.stat.extent)
        color = np.array([0.9, 0.1, 0.1, 0.9], np.float32)
        kind = mujoco.mjtGeom.mjGEOM_SPHERE
        mujoco.mjv_initGeom(ball, kind, size, env._goal, np.eye(3).ravel(), color)
        scene.ngeom += 1
      frames.append(env._renderer.render()[::2, ::2].copy())
  env.close()
  duration = 2000 / env.metadata["render_fps"]  # [ms]; every other frame
  imageio.imwrite(path, frames[::2], plugin="pillow", duration=duration, loop=0, quality=60)


def main() -> None:
  """Examines, draws, films."""
  parser = argparse.ArgumentParser(
    description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
  )
  parser.add_argument("folder", type=Path, help="that train.py wrote")
  parser.add_argument("--out", type=Path, help="for <task>.png and <task>.webp; default: folder")
  parser.add_argument("--episodes", type=int, default=EXAM, help="of the exam")
  parser.add_argument("--no-film", action="store_true")
  options = parser.parse_args()
  from mujocable.learn.policy import Policy

  curve = json.loads((options.folder / "curve.json").read_text())
  policy = Policy.load(options.folder / "policy.npz")
  task, out = curve["task"], options.out or options.folder
  found, last = exam(task, policy, options.episodes), curve["rows"][-1]
  print(
    f"{task}: late error {found.mean():.3f} {curve['unit']},"
    f" {np.mean(found < curve['near']):.0%} of {len(found)} goals reached within {curve['near']}"
  )
  print(
    f"trained in {last['seconds']:.0f} s: {last['actions']:,} actions,"
    f" {last['actions'] * curve['substeps'] / last['seconds'] / 1e6:.2f} M world-steps a second"
  )
  draw_curve(curve, float(found.mean()), out / f"{task}.png")
  if not options.no_film:
    film(task, policy, out / f"{task}.webp")


if __name__ == "__main__":
  main()
