"""Baseline: a policy that solves the tasks, and how it is learned.

    policy, curve = train("mujocable/FingerFlex-v0")
    actions = policy(observations)

It changes the last action by a linear function of what the task says matters (`Task.features`), the
same for every cable. The few weights are learned by the cross-entropy method: draw weights around
the best so far, try all of them at once in one batch, keep the best few, draw again.
"""

from collections.abc import Callable
from dataclasses import dataclass

import gymnasium
import numpy as np

from mujocable.errors import BadValue
from mujocable.gym.registry import TASKS
from mujocable.gym.task import LATE, Task

_POLICIES, _SCENARIOS, _KEPT = 32, 6, 6
_SPREAD, _LEAST = 0.15, 0.005  # of the first draw, and added to every other


@dataclass(frozen=True)
class Policy:
  """Changes the last action by `weights` times the features of the task."""

  task: Task  # that it was made for
  weights: np.ndarray  # (k,), or (n, k): one set for each robot

  def __call__(self, observations: np.ndarray) -> np.ndarray:
    """Actions (n, action_size) of observations (n, observation_size)."""
    last, features = self.task.features(np.asarray(observations, float))
    change = (features * np.atleast_2d(self.weights)[:, None, :]).sum(axis=2)
    return np.clip(last + change, -1.0, 1.0)


def late_error(env, policy: Callable, seeds) -> np.ndarray:
  """Mean distance to the goal over the last part of one episode, for every robot of a batch."""
  observations, _ = env.reset(seed=list(seeds))
  distances, ended = [], False
  while not ended:
    observations, rewards, _, truncated, _ = env.step(policy(observations))
    distances.append(-rewards)
    ended = truncated.all()  # episodes have one length
  return np.mean(distances[int(LATE * len(distances)) :], axis=0)


def train(task: str, rounds: int = 12, seed: int = 0, **changes) -> tuple[Policy, list[float]]:
  """The mean of the best weights, and the late error of it after every round.

  `changes` are the arguments of the task.
  """
  if task not in TASKS:
    raise BadValue(f"train: task must be one of {', '.join(TASKS)}, got {task!r}")
  if rounds < 1:
    raise BadValue(f"train: rounds must be at least 1, got {rounds!r}")
  random = np.random.default_rng(seed)
  env = gymnasium.make_vec(task, num_envs=_POLICIES * _SCENARIOS, **changes)
  made = TASKS[task](**changes)
  size = made.features(np.zeros((1, made.observation_size)))[1].shape[2]
  mean, spread, curve = np.zeros(size), np.full(size, _SPREAD), []
  for _ in range(rounds):
    weights = mean + spread * random.standard_normal((_POLICIES, size))
    weights[0] = mean
    # all meet the same frictions and goals
    seeds = np.tile(random.integers(2**31, size=_SCENARIOS), _POLICIES)
    policy = Policy(made, np.repeat(weights, _SCENARIOS, axis=0))
    errors = late_error(env, policy, seeds.tolist()).reshape(_POLICIES, _SCENARIOS).mean(axis=1)
    curve.append(float(errors[0]))
    best = weights[np.argsort(errors, kind="stable")[:_KEPT]]
    mean, spread = best.mean(axis=0), best.std(axis=0) + _LEAST
  env.close()
  return Policy(made, mean), curve
