"""Rsl: worlds as rsl-rl sees them, and settings with which it learns the tasks of this package.

env = RslEnv(WorldsEnv(SpiralReach(), num_envs=4096))
runner = OnPolicyRunner(env, settings(), device=str(env.device))
runner.learn(100)
policy_of(runner).save("policy.npz")
"""

# pyright: reportMissingImports=false

from mujocable.errors import pip_install

try:
  import torch
  from rsl_rl.env import VecEnv
  from rsl_rl.runners import OnPolicyRunner
  from tensordict import TensorDict
except ImportError as error:
  message = f"{error}; learning with rsl-rl needs more packages: {pip_install('learn')}"
  raise ImportError(message) from None

import numpy as np

from mujocable.errors import BadValue
from mujocable.learn.policy import Policy
from mujocable.learn.worlds_env import WorldsEnv


class RslEnv(VecEnv):
  """A WorldsEnv of torch tensors. The policy sees the observations, the critic the friction too."""

  def __init__(self, env: WorldsEnv, seed: int = 0):
    if not isinstance(env.actions, torch.Tensor):
      raise BadValue("RslEnv needs a WorldsEnv with arrays='torch'")
    self.env, self.cfg = env, {}
    self.num_envs, self.num_actions = env.num_envs, env.task.action_size
    self.max_episode_length = env.task.horizon
    self.device = env.actions.device
    self._observations, _ = env.reset(seed=seed)
    # distance, how often; late error, reached, how often; not finite
    self._sums = torch.zeros(6, dtype=torch.float64, device=self.device)

  @property
  def episode_length_buf(self) -> torch.Tensor:
    """Actions since the episode began."""
    return self.env.steps

  @episode_length_buf.setter
  def episode_length_buf(self, value: torch.Tensor) -> None:  # pyright: ignore
    self.env.steps[:] = value

  def get_observations(self) -> TensorDict:
    """Groups "policy" and "friction"."""
    groups = {"policy": self._observations, "friction": self.env.frictions[:, None].clone()}
    return TensorDict(groups, batch_size=[self.num_envs])  # pyright: ignore

  def step(self, actions: torch.Tensor) -> tuple[TensorDict, torch.Tensor, torch.Tensor, dict]:
    """As rsl-rl wants it."""
    self._observations, rewards, terminated, truncated, infos = self.env.step(actions)
    late, reached = infos["late_error"], infos["late_error"] < self.env.task.near
    parts = [infos["distance"], torch.ones_like(late), truncated * late, truncated & reached]
    self._sums += torch.stack([part.double().sum() for part in (*parts, truncated, terminated)])
    return (
      self.get_observations(),
      rewards,
      (terminated | truncated).long(),
      {"time_outs": truncated, "log": {}},
    )

  def report(self) -> dict[str, float]:
    """Since the last report: mean distance; of episodes that ended: late error, share reached.

    `failed`: worlds that were no longer finite.
    """
    distance, count, late, reached, ended, failed = self._sums.tolist()
    self._sums.zero_()
    return {
      "distance": distance / max(count, 1),
      "late_error": late / max(ended, 1),
      "reached": reached / max(ended, 1),
      "episodes": ended,
      "failed": failed,
    }


def settings(**changes) -> dict:
  """For OnPolicyRunner; `changes` are of the algorithm."""
  algorithm = dict(
    class_name="PPO",
    num_learning_epochs=5,
    num_mini_batches=4,
    learning_rate=1e-3,
    schedule="adaptive",
    desired_kl=0.01,
    gamma=0.97,
    lam=0.95,
    clip_param=0.2,
    entropy_coef=0.001,
    value_loss_coef=1.0,
    use_clipped_value_loss=True,
    max_grad_norm=1.0,
  )
  network = dict(class_name="MLPModel", hidden_dims=[128, 128], activation="elu")
  gaussian = dict(class_name="GaussianDistribution", init_std=0.5, std_type="scalar")
  return dict(
    num_steps_per_env=25,
    save_interval=1000,
    obs_groups={"actor": ["policy"], "critic": ["policy", "friction"]},
    actor={**network, "obs_normalization": True, "distribution_cfg": gaussian},
    critic={**network, "obs_normalization": True},
    algorithm={**algorithm, **changes},
  )


def policy_of(runner: OnPolicyRunner) -> Policy:
  """The mean action of what a runner with these settings has learned."""
  state = {k: v.detach().cpu().numpy() for k, v in runner.alg.actor.state_dict().items()}
  layers = sorted(int(k.split(".")[1]) for k in state if k.startswith("mlp.") and "weight" in k)
  mean, spread = (np.ravel(state[f"obs_normalizer.{name}"]) for name in ("_mean", "_std"))
  return Policy(
    tuple(state[f"mlp.{i}.weight"] for i in layers),
    tuple(state[f"mlp.{i}.bias"] for i in layers),
    mean,
    spread + runner.alg.actor.obs_normalizer.eps,
  )
