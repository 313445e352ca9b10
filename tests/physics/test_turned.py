"""A scene that is turned and moved as a whole, gravity with it, knows nothing of that.

Random scenes, attached to a frame anywhere: joints and tensions must be the same but for rounding,
until a path is no longer exact. Directions that nothing but rounding decides would show.
"""

import dataclasses

import mujoco
import numpy as np
import pytest
from oracles import build, random_scene

import mujocable as mjc

STEPS = 60
# One is held at a point of a wheel that lies on the next one: a segment of no length. Its ends are
# known to the root of rounding, which its stiffness turns into tension.
SEEDS = {"many": (range(100), 1e-5), "held on an arc": ([228], 1e-4)}
GRAVITY = np.array([0.0, 0.0, -1.0])


def scene(seed):
  """Spec with its cable, or None where it is refused."""
  rng = np.random.default_rng([seed, 99])
  spec, cable, _ = random_scene.scene(rng)
  friction = float(rng.choice([0.0, rng.uniform(0.05, 0.6)]))
  spec.option.timestep = 2e-3
  spec.option.gravity = GRAVITY
  names = ("IMPLICITFAST", "EULER", "RK4", "IMPLICIT")
  spec.option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{names[seed % 4]}")
  try:
    mjc.add_cable(spec, dataclasses.replace(cable, friction=friction))
    return spec, spec.compile()
  except (mjc.CableError, ValueError):
    return None, None


def turned(seed, spec, quat):
  """The same in a frame that is turned, and moved by some of its size."""
  world = mujoco.MjSpec()
  world.option.timestep, world.option.integrator = spec.option.timestep, spec.option.integrator
  world.option.gravity = build.matrix(quat) @ GRAVITY
  place = np.random.default_rng(seed).normal(size=3)
  spec.option.gravity = world.option.gravity
  world.attach(spec, prefix="turned_", frame=world.worldbody.add_frame(pos=place, quat=quat))
  return world.compile()


def run(model, quat, seed):
  """Rows of joint positions that do not turn with the scene and of tensions; how many positions."""
  data = mujoco.MjData(model)
  mjc.hush(model, data)
  (view,) = mjc.bind(model, data).values()
  data.qvel[:] = 0.03 * np.random.default_rng(seed).normal(size=model.nv)
  free = np.zeros(model.nq, bool)
  for kind, place, dof in zip(model.jnt_type, model.jnt_qposadr, model.jnt_dofadr, strict=True):
    if kind == mujoco.mjtJoint.mjJNT_FREE:
      free[place : place + 7] = True
      data.qvel[dof : dof + 3] = build.matrix(quat) @ data.qvel[dof : dof + 3]
  rows = []
  for k in range(STEPS):
    random_scene.drive(model, data, view, k)
    mujoco.mj_step(model, data)
    if int(view.status) != 0:
      break
    rows.append([*data.qpos[~free], *view.tension])
  return np.array(rows), np.count_nonzero(~free)


@pytest.mark.parametrize("which", SEEDS)
def test_a_turned_scene_moves_alike(which):
  ran, (seeds, allowed) = 0, SEEDS[which]
  for seed in seeds:
    spec, model = scene(seed)
    if model is None:
      continue
    quat = build.random_quat(np.random.default_rng(seed))
    upright, joints = run(model, [1, 0, 0, 0], seed)
    aslant, _ = run(turned(seed, spec, quat), quat, seed)
    steps = min(len(upright), len(aslant))
    if steps == 0:
      continue
    ran += 1
    apart = np.abs(upright[:steps] - aslant[:steps])
    assert np.max(apart[:, :joints], initial=0.0) < 1e-6, seed
    most = np.abs(upright[:, joints:]).max()
    assert apart[:, joints:].max() < allowed * most + 1e-9, seed
  assert ran > 0.7 * len(seeds)
