"""A finger learns to flex by a wanted angle, with another friction in every episode.

Needs the extra `gym`. The policy changes the motor's position by a linear function of the error and
the position; the method is the cross-entropy method: draw policies around the best so far, try all
of them at once in one batch, keep the best few, draw again.
"""

import time

import gymnasium as gym
import numpy as np

import mujocable  # noqa: F401  makes the environments known
from mujocable.gym import Policy, late_error, train

TASK = "mujocable/FingerFlex-v0"
ROUNDS, HORIZON = 5, 30  # actions of an episode, 20 ms each


def main():
  """Trains, then compares with standing still on frictions and goals that it never met."""
  began = time.perf_counter()
  policy, progress = train(TASK, ROUNDS, horizon=HORIZON)
  print("late error of each round [rad]:", *(f"{error:.3f}" for error in progress))
  exam = gym.make_vec(TASK, num_envs=32, horizon=HORIZON)
  seeds = range(10_000, 10_032)
  idle = late_error(exam, Policy(policy.task, np.zeros_like(policy.weights)), seeds)
  trained = late_error(exam, policy, seeds)
  exam.close()
  print(f"late error: idle {idle.mean():.2f} rad, trained {trained.mean():.3f} rad")
  print(f"{time.perf_counter() - began:.0f} s in all")
  return progress, idle, trained


if __name__ == "__main__":
  progress, idle, trained = main()
