"""A finger learns to flex by a wanted angle, with another friction in every episode.

Needs the extra `gym`. The policy moves the motor on by a linear function of the error and of the
joints' rates. The method is the cross-entropy method: draw policies around the best so far, try all
of them at once in one batch, keep the best few, draw again.
"""

import time

import gymnasium as gym
import numpy as np

import mujocable  # noqa: F401  makes the environments known to Gymnasium

TASK = "mujocable/FingerFlex-v0"
POLICIES, SCENARIOS, KEPT, ROUNDS = 16, 3, 4, 6
RATES, ERROR, LAST = slice(3, 6), slice(10, 11), slice(11, 12)  # of an observation
LATE = 0.7  # the error counts from this share of an episode on


def late_errors(env, weights, seeds):
  """Mean error [rad] at the end of one episode per robot; weights for all, or for each."""
  weights = np.atleast_2d(weights)
  seen, _ = env.reset(seed=list(seeds))
  errors, ended = [], False
  while not ended:
    what = np.concatenate([seen[:, ERROR], seen[:, RATES]], axis=1)
    action = seen[:, LAST] + (what * weights).sum(axis=1, keepdims=True)
    seen, rewards, _, truncated, _ = env.step(np.clip(action, -1, 1))
    errors.append(-rewards)
    ended = truncated.all()  # episodes have one length
  return np.mean(errors[int(LATE * len(errors)) :], axis=0)


def train(seed=0):
  """The best mean of the policies, and its error before every round."""
  random = np.random.default_rng(seed)
  env = gym.make_vec(TASK, num_envs=POLICIES * SCENARIOS)
  mean, spread, progress = np.zeros(4), np.full(4, 0.1), []
  for _ in range(ROUNDS):
    policies = mean + spread * random.standard_normal((POLICIES, 4))
    policies[0] = mean
    # every policy meets the same frictions and goals
    seeds = np.tile(random.integers(2**31, size=SCENARIOS), POLICIES)
    errors = late_errors(env, np.repeat(policies, SCENARIOS, axis=0), seeds.tolist())
    errors = errors.reshape(POLICIES, SCENARIOS).mean(axis=1)
    best = policies[np.argsort(errors)[:KEPT]]
    mean, spread = best.mean(axis=0), best.std(axis=0) + 0.005
    progress.append(errors[0])
  env.close()
  return mean, progress


def main():
  """Trains, then compares with standing still on frictions and goals that it never met."""
  began = time.perf_counter()
  weights, progress = train()
  print("late error before each round [rad]:", *(f"{error:.3f}" for error in progress))
  exam = gym.make_vec(TASK, num_envs=32)
  seeds = range(10_000, 10_032)
  idle, trained = late_errors(exam, np.zeros(4), seeds), late_errors(exam, weights, seeds)
  exam.close()
  print(f"late error: idle {idle.mean():.2f} rad, trained {trained.mean():.3f} rad")
  print(f"{time.perf_counter() - began:.0f} s in all")
  return progress, idle, trained


if __name__ == "__main__":
  progress, idle, trained = main()
