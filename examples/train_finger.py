"""A finger learns to flex by a wanted angle, with another friction in every episode.

Needs the extra `gym`. The policy is linear, the method is the cross-entropy method: draw policies
around the best so far, try all of them at once in one batch, keep the best few, draw again.
"""

import time

import gymnasium as gym
import numpy as np

TASK = "mujocable.gym:mujocable/FingerFlex-v0"  # imports the room that registers it
POLICIES, SCENARIOS, KEPT, ROUNDS = 20, 4, 5, 8
HORIZON = 30  # actions of an episode, 20 ms each


def returns(env, act, seeds):
  """Sum of rewards of one episode per robot; act(observations) gives actions."""
  observations, _ = env.reset(seed=list(seeds))
  total, ended = np.zeros(env.num_envs), False
  while not ended:
    observations, rewards, _, truncated, _ = env.step(act(observations))
    total += rewards
    ended = truncated.all()  # episodes have one length
  return total


def linear(weights):
  """A policy, or one for each robot: action = weights . (observation, 1)."""
  weights = np.atleast_2d(weights)
  return lambda seen: ((seen * weights[:, :-1]).sum(axis=1) + weights[:, -1])[:, None]


def train(seed=0):
  """The best mean of the policies, and the mean return of every round."""
  random = np.random.default_rng(seed)
  env = gym.make_vec(TASK, num_envs=POLICIES * SCENARIOS, horizon=HORIZON)
  size = env.single_observation_space.shape[0] + 1
  mean, spread, progress = np.zeros(size), np.full(size, 0.5), []
  for _ in range(ROUNDS):
    policies = mean + spread * random.standard_normal((POLICIES, size))
    # every policy meets the same frictions and goals
    seeds = np.tile(random.integers(2**31, size=SCENARIOS), POLICIES)
    act = linear(np.repeat(policies, SCENARIOS, axis=0))
    scores = returns(env, act, seeds.tolist()).reshape(POLICIES, SCENARIOS).mean(axis=1)
    best = policies[np.argsort(scores)[-KEPT:]]
    mean, spread = best.mean(axis=0), best.std(axis=0) + 0.02
    progress.append(scores.mean())
  env.close()
  return mean, progress


def main():
  """Trains, then compares with chance on frictions and goals that the training never saw."""
  began = time.perf_counter()
  policy, progress = train()
  print("mean return of each round:", *(f"{score:.1f}" for score in progress))
  exam = gym.make_vec(TASK, num_envs=32, horizon=HORIZON)
  seeds = range(10_000, 10_032)
  random = np.random.default_rng(1)
  chance = returns(exam, lambda seen: random.uniform(-1, 1, (len(seen), 1)), seeds)
  trained = returns(exam, linear(policy), seeds)
  exam.close()
  print(f"return by chance {chance.mean():.1f}, trained {trained.mean():.1f}")
  print(
    f"mean error {-trained.mean() / HORIZON:.2f} rad; {time.perf_counter() - began:.0f} s in all"
  )
  return progress, chance, trained


if __name__ == "__main__":
  progress, chance, trained = main()
