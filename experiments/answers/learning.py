"""Learning: the baseline on every task, and an exam on frictions and goals that it never met."""

from dataclasses import dataclass

import gymnasium
import numpy as np

import mujocable  # noqa: F401  registers the environments
from mujocable.gym import TASKS, Policy, train
from mujocable.gym.baseline import late_error

EXAM = 64  # episodes


@dataclass(frozen=True)
class Learned:
  """How well a task is solved."""

  task: str
  unit: str
  curve: list[float]  # late error after every round
  error: float  # mean late error in the exam
  idle: float  # the same where nothing is done
  reached: float  # share of the exam's goals that were reached


def learn(task: str, rounds: int, exam: int = EXAM) -> Learned:
  """Trains and examines."""
  policy, curve = train(task, rounds)
  env = gymnasium.make_vec(task, num_envs=exam)
  seeds = range(10_000, 10_000 + exam)
  errors = late_error(env, policy, seeds)
  idle = late_error(env, Policy(policy.task, 0 * policy.weights), seeds)
  env.close()
  made = TASKS[task]
  reached = float(np.mean(errors < made.near))
  return Learned(task, made.unit, curve, float(errors.mean()), float(idle.mean()), reached)
