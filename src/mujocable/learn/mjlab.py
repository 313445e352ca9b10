"""Mjlab: the tasks of this package as tasks of mjlab, which finds them by itself.

  pip install "mujocable[mjlab]"
  train Mujocable-Spiral-Reach --env.scene.num-envs 4096

What is observed, rewarded and commanded is the task's of `mujocable.gym`; mjlab's reward sees
places that are one step of the simulation old. Another mjlab environment gets cables by
`entity_of`, the robot without them, and `attach_cables` in an event's constructor.
"""

# pyright: reportMissingImports=false

from dataclasses import dataclass
from typing import Any

import mujoco
import torch
import warp as wp
from mjlab.entity import EntityCfg
from mjlab.envs import ManagerBasedRlEnv, ManagerBasedRlEnvCfg, mdp
from mjlab.managers.action_manager import ActionTerm, ActionTermCfg
from mjlab.managers.command_manager import CommandTerm, CommandTermCfg
from mjlab.managers.event_manager import EventTermCfg
from mjlab.managers.observation_manager import ObservationGroupCfg, ObservationTermCfg
from mjlab.managers.reward_manager import RewardTermCfg
from mjlab.managers.termination_manager import TerminationTermCfg
from mjlab.rl import RslRlModelCfg, RslRlOnPolicyRunnerCfg, RslRlPpoAlgorithmCfg
from mjlab.scene import SceneCfg
from mjlab.sim import MujocoCfg, SimulationCfg
from mjlab.tasks.registry import register_mjlab_task
from mjlab.viewer import ViewerConfig

import mujocable.warp as mjcw
from mujocable.gym import FingerFlex, SpiralReach
from mujocable.gym.env import BOUND
from mujocable.gym.task import Seen, Task
from mujocable.learn.portable import portable
from mujocable.learn.rsl import settings

ROBOT = "robot"
TASKS: dict[str, type[Task]] = {
  "Mujocable-Spiral-Reach": SpiralReach,
  "Mujocable-Finger-Flex": FingerFlex,
}


# ------------------------------------ cables in a simulation of mjlab


def entity_of(spec: mujoco.MjSpec, **options) -> EntityCfg:
  """A robot with cables as an entity: the model without them. Options are of EntityCfg."""
  return EntityCfg(spec_fn=lambda: mjcw.strip(spec), **options)


def attach_cables(env: ManagerBasedRlEnv, spec: mujoco.MjSpec, entity: str = ROBOT) -> Any:
  """Puts the cables of `spec` into the simulation of an environment that has its entity_of.

  Returns the CableWorlds, whose arrays have the cables as "entity/name". To be called before the
  first step; a term that the event manager makes comes in time.
  """
  scene = mujoco.MjSpec()
  scene.attach(spec.copy(), prefix=f"{entity}/", frame=scene.worldbody.add_frame())
  sim = env.sim
  with wp.ScopedDevice(sim.wp_device):
    found = mjcw.attach(sim.wp_model, sim.wp_data, sim.mj_model, mjcw.cables_of(scene))
  sim.create_graph()  # with the cables in it
  return found


class CablesEvent:
  """Event of mode "reset": attaches the cables of a task; each episode has its own friction."""

  def __init__(self, cfg: EventTermCfg, env: ManagerBasedRlEnv):
    kind, changes = cfg.params["task"], cfg.params.get("changes", {})
    self.task: Task = kind(**changes)
    self.entity = cfg.params.get("entity", ROBOT)
    self.portable = portable(self.task)
    assert self.task.spec is not None  # portable has seen to that
    self.cables = attach_cables(env, self.task.spec, self.entity)
    self.friction = torch.zeros(env.num_envs, device=env.device)
    self._friction = self.cables.torch("friction")
    held = self.cables.layout.contact_held or [True]
    # 1 for each contact that rubs by the friction of its cable, 0 for drums
    self._rubs = 1.0 - torch.tensor(held, dtype=torch.float32, device=env.device)
    names = [self.portable.model.actuator(i).name for i in range(self.portable.model.nu)]
    model = env.sim.mj_model
    self.commands = [int(model.actuator(f"{self.entity}/{name}").id) for name in names]
    env.cables_event = self  # where the other terms find it

  def __call__(self, env: ManagerBasedRlEnv, env_ids: torch.Tensor, **_) -> None:
    low, high = self.task.friction
    drawn = low + (high - low) * torch.rand(len(env_ids), device=env.device)
    self.friction[env_ids] = drawn
    self._friction[env_ids] = drawn[:, None] * self._rubs

  def seen(self, env: ManagerBasedRlEnv) -> Seen:
    """What the task looks at, seen from the robot's own place."""
    data = env.scene[self.entity].data
    sites = data.site_pos_w - env.scene.env_origins[:, None]
    return Seen(data.joint_pos, data.joint_vel, sites, env.sim.data.sensordata, self._read)

  def _read(self, cable: str, what: str) -> torch.Tensor:
    return self.cables.torch(what, f"{self.entity}/{cable}")


def cables_event(env: ManagerBasedRlEnv) -> CablesEvent:
  """The one that this environment was made with."""
  return env.cables_event  # pyright: ignore


# ------------------------------------ terms


class CablesAction(ActionTerm):
  """Commands of the cables from actions in [-1, 1]."""

  def __init__(self, cfg: "CablesActionCfg", env: ManagerBasedRlEnv):
    super().__init__(cfg, env)
    self._event = cables_event(env)
    self._actions = torch.zeros(self.num_envs, self.action_dim, device=self.device)

  @property
  def action_dim(self) -> int:
    """As the task has it."""
    return self._event.task.action_size

  @property
  def raw_action(self) -> torch.Tensor:
    """The last action, within its bounds."""
    return self._actions

  def process_actions(self, actions: torch.Tensor) -> None:
    """Once per action."""
    self._actions[:] = actions.clamp(-1.0, 1.0)

  def apply_actions(self) -> None:
    """Once per step of the simulation."""
    self._env.sim.data.ctrl[:, self._event.commands] = self._event.task.ctrl(self._actions)

  def reset(self, env_ids: torch.Tensor | slice | None) -> None:
    """No action yet."""
    self._actions[slice(None) if env_ids is None else env_ids] = 0.0


@dataclass(kw_only=True)
class CablesActionCfg(ActionTermCfg):
  """Of CablesAction."""

  entity_name: str = ROBOT

  def build(self, env: ManagerBasedRlEnv) -> CablesAction:
    """For an environment with a CablesEvent."""
    return CablesAction(self, env)


class GoalCommand(CommandTerm):
  """The goal of the episode, and how far it is."""

  def __init__(self, cfg: "GoalCommandCfg", env: ManagerBasedRlEnv):
    super().__init__(cfg, env)
    goals = cables_event(env).portable.goals
    self._table = torch.as_tensor(goals, dtype=torch.float32, device=self.device)
    self._goals = self._table[torch.zeros(self.num_envs, dtype=torch.long)]

  @property
  def command(self) -> torch.Tensor:
    """(worlds, goal_size)."""
    return self._goals

  def _resample_command(self, env_ids: torch.Tensor) -> None:
    self._goals[env_ids] = self._table[torch.randint(len(self._table), (len(env_ids),))]

  def _update_metrics(self) -> None:
    pass

  def _update_command(self, env_ids: torch.Tensor | None) -> None:
    pass


@dataclass(kw_only=True)
class GoalCommandCfg(CommandTermCfg):
  """Of GoalCommand: one goal an episode."""

  resampling_time_range: tuple[float, float] = (1e9, 1e9)

  def build(self, env: ManagerBasedRlEnv) -> GoalCommand:
    """For an environment with a CablesEvent."""
    return GoalCommand(self, env)


def observe(env: ManagerBasedRlEnv) -> torch.Tensor:
  """What the task observes."""
  event = cables_event(env)
  actions = env.action_manager.get_term("cables").raw_action
  seen = event.task.observe(event.seen(env), env.command_manager.get_command("goal"), actions)
  return seen.clamp(-BOUND, BOUND)


def friction(env: ManagerBasedRlEnv) -> torch.Tensor:
  """Of the episode, for the critic."""
  return cables_event(env).friction[:, None].clone()


def distance(env: ManagerBasedRlEnv) -> torch.Tensor:
  """How far from the goal."""
  event = cables_event(env)
  return event.task.distance(event.seen(env), env.command_manager.get_command("goal"))


# ------------------------------------ configurations


def env_cfg(kind: type[Task], horizon: int = 50, **changes) -> ManagerBasedRlEnvCfg:
  """A task as an environment of mjlab; `changes` are the task's arguments."""
  task = kind(horizon=horizon, **changes)  # pyright: ignore
  option = task.model.opt
  assert task.spec is not None
  params = {"task": kind, "changes": {"horizon": horizon, **changes}}
  seen = ObservationTermCfg(func=observe)
  return ManagerBasedRlEnvCfg(
    scene=SceneCfg(entities={ROBOT: entity_of(task.spec)}, num_envs=1, env_spacing=0.5),
    observations={
      "actor": ObservationGroupCfg({"task": seen}),
      "critic": ObservationGroupCfg(
        {"task": seen, "friction": ObservationTermCfg(func=friction)},
      ),
    },
    actions={"cables": CablesActionCfg()},
    commands={"goal": GoalCommandCfg()},
    events={
      "cables": EventTermCfg(func=CablesEvent, mode="reset", params=params),
      "reset_scene": EventTermCfg(func=mdp.reset_scene_to_default, mode="reset"),
    },
    rewards={"distance": RewardTermCfg(func=distance, weight=-1.0)},
    terminations={
      "time_out": TerminationTermCfg(func=mdp.time_out, time_out=True),
      "nan": TerminationTermCfg(func=mdp.nan_detection),
    },
    sim=SimulationCfg(
      mujoco=MujocoCfg(
        timestep=float(option.timestep),
        integrator="implicitfast",
        gravity=tuple(map(float, option.gravity)),
      ),
    ),
    viewer=ViewerConfig(
      origin_type=ViewerConfig.OriginType.WORLD,
      lookat=tuple(map(float, task.model.stat.center)),
      distance=float(4 * task.model.stat.extent),
    ),
    decimation=task.substeps,
    episode_length_s=horizon * task.substeps * float(option.timestep),
    scale_rewards_by_dt=False,
  )


def runner_cfg(name: str) -> RslRlOnPolicyRunnerCfg:
  """The settings of `mujocable.learn.rsl`, as mjlab writes them."""
  given = settings()
  actor, critic = dict(given["actor"]), dict(given["critic"])
  return RslRlOnPolicyRunnerCfg(
    actor=RslRlModelCfg(**actor),
    critic=RslRlModelCfg(**critic),
    algorithm=RslRlPpoAlgorithmCfg(**given["algorithm"]),
    num_steps_per_env=given["num_steps_per_env"],
    save_interval=50,
    max_iterations=150,
    experiment_name=name.lower().replace("-", "_"),
    logger="tensorboard",
    upload_model=False,
  )


for _name, _kind in TASKS.items():
  register_mjlab_task(
    task_id=_name,
    env_cfg=env_cfg(_kind),
    play_env_cfg=env_cfg(_kind),
    rl_cfg=runner_cfg(_name),
  )
