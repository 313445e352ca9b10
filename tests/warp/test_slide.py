"""Stiff cables that slide, at the steps of learning: as fast, and as the engine moves them."""

import dataclasses

import mujoco
import mujoco_warp as mjw
import numpy as np
import pytest
from warp_rigs import rigs

import mujocable as mjc
import mujocable.warp as mjcw

# Places within half a meter are known to 2**-24 m in single precision, which a cable of 2e6 N/m
# feels as a tenth of a newton; what a trajectory makes of that in some hundred steps stays below
# this (chosen: 2.6e-5 is the most seen, on an H200). A cable that slides late leaves weights
# centimeters behind.
ROUNDING = 1e-4


def side_by_side(spec, seconds, control=None):
  """The same steps on Warp's device and on the engine: largest distance of places, how far they
  went, all systems solved in a step, constraints."""
  model, m, d, cables = rigs.worlds_of(spec)
  data = mujoco.MjData(model)
  apart, solves, rows = [], [], 0
  for k in range(round(seconds / model.opt.timestep)):
    if control:
      rigs.write(d.ctrl, control(k * model.opt.timestep))
      data.ctrl[:] = control(k * model.opt.timestep)
    mjw.step(m, d)
    mujoco.mj_step(model, data)
    apart.append(np.abs(d.qpos.numpy()[0] - data.qpos).max())
    solves.append(cables.solves.numpy().copy())
    rows = max(rows, data.nefc)
  return max(apart), np.abs(data.qpos).max(), np.array(solves), rows


def pull(time):
  """In and out, 2 Hz [m]."""
  return 0.004 + 0.006 * np.sin(4 * np.pi * time)


@pytest.mark.parametrize("timestep", [2e-3, 5e-3])
def test_a_stiff_rope_slides_as_fast_as_it_should(timestep):
  mu = 0.1
  spec = rigs.post(friction=mu, timestep=timestep, stiffness=2e6, damping=200.0)
  _, m, d, cables = rigs.worlds_of(spec)
  steps = round(0.1 / timestep)
  for _ in range(steps):
    mjw.step(m, d)
  ratio = np.exp(mu * np.pi)
  tension = cables.array("tension").numpy()[0]
  assert tension[1] / tension[0] == pytest.approx(ratio, rel=1e-4)
  expected = steps * timestep * 9.81 * (1.5 - ratio) / (1.5 + ratio)
  assert d.qvel.numpy()[0] == pytest.approx([expected, -expected], rel=0.005)


# at 5 ms the stiffest pulls so hard that its segments swing (24)
@pytest.mark.parametrize(
  ("timestep", "stiffness"), [(2e-3, 2e4), (2e-3, 2e5), (5e-3, 2e4), (5e-3, 2e5)]
)
def test_one_tree_moves_as_on_the_engine(timestep, stiffness):
  spec = rigs.arm(friction=0.3, timestep=timestep, stiffness=stiffness)
  apart, far, solves, _ = side_by_side(spec, 0.5, pull)
  assert far > 0.09 and (solves >= 0).all() and solves.max() > 1
  assert apart < ROUNDING


@pytest.mark.parametrize("timestep", [2e-3, 5e-3])
@pytest.mark.parametrize("free", [False, True])
def test_trees_at_their_stops_move_as_on_the_engine(free, timestep):
  # the rope slides, then the weights come to their stops one after the other
  spec = rigs.post(friction=0.05, timestep=timestep, stiffness=2e6, damping=20.0, free=free)
  for name in ("left", "right"):
    spec.joint(name).limited = mujoco.mjtLimited.mjLIMITED_TRUE
    spec.joint(name).range = [-0.05, 0.03]
  if free:
    spec.joint("sheave").frictionloss = 0.2
  apart, far, solves, rows = side_by_side(spec, 0.6)
  assert far > 0.025 and rows > 0 and (solves >= 0).all() and solves.max() > 0
  assert apart < ROUNDING


@pytest.mark.parametrize("cone", [mujoco.mjtCone.mjCONE_PYRAMIDAL, mujoco.mjtCone.mjCONE_ELLIPTIC])
def test_a_weight_lands_as_on_the_engine(cone):
  spec = rigs.post(friction=0.05, timestep=2e-3, stiffness=2e6, damping=20.0)
  spec.option.cone = cone
  spec.worldbody.add_geom(
    type=mujoco.mjtGeom.mjGEOM_PLANE, size=[1, 1, 0.1], pos=[0, 0, 0.45], friction=[0.5, 0.1, 0.1]
  )
  for geom in spec.body("right").geoms:
    geom.contype = geom.conaffinity = 1
  spec.body("right").add_joint(
    name="aside", type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[1, 0, 0.2], stiffness=200.0
  )
  apart, _, solves, rows = side_by_side(spec, 0.4)
  assert rows > 0 and (solves >= 0).all()
  assert apart < ROUNDING


@pytest.mark.parametrize("kind", ["torque", "speed", "place"])
def test_actuators_are_part_of_the_motion(kind):
  # the sheave is driven, and the rope slides on it
  spec = rigs.post(friction=0.1, timestep=5e-3, stiffness=2e6, damping=20.0, free=True)
  motor = spec.add_actuator(name="motor", target="sheave", trntype=mujoco.mjtTrn.mjTRN_JOINT)
  if kind == "speed":
    motor.set_to_velocity(kv=2.0)
  elif kind == "place":
    motor.set_to_position(kp=20.0, kv=1.0)
  else:
    motor.set_to_motor()
    spec.joint("sheave").damping = [0.2, 0, 0]
  apart, far, solves, _ = side_by_side(spec, 0.3, lambda time: 10 * np.sin(20 * time))
  assert far > 0.05 and (solves >= 0).all()
  assert apart < 2 * ROUNDING  # of angles, which are larger


@pytest.mark.parametrize("friction", [0.3, 0.0])
@pytest.mark.parametrize("stiffness", [2e4, 2e5])
def test_worlds_of_other_friction_move_as_engines_built_with_it(stiffness, friction):
  """Without friction all segments weigh together, which a mass matrix for contacts that rub
  has no place for: such a world was apart by 2 rad, and one that rubs where the model does not by
  half a radian."""
  coefficients, arm = (0.3, 0.05, 0.0), dict(timestep=5e-3, stiffness=stiffness)
  _, m, d, cables = rigs.worlds_of(rigs.arm(friction=friction, **arm), len(coefficients))
  array = cables.array("friction")
  array.assign(np.tile(np.float32(coefficients)[:, None], (1, array.shape[1])))
  models = [rigs.arm(friction=x, **arm).compile() for x in coefficients]
  datas = [mujoco.MjData(model) for model in models]
  apart, solves = 0.0, 0
  for k in range(50):
    rigs.write(d.ctrl, 0.008 if k % 20 < 10 else -0.004)
    mjw.step(m, d)
    for data, found in zip(datas, d.qpos.numpy(), strict=True):
      data.ctrl[:] = 0.008 if k % 20 < 10 else -0.004
      mujoco.mj_step(data.model, data)
      apart = max(apart, np.abs(found - data.qpos).max())
    assert (cables.solves.numpy() >= 0).all()
    solves += cables.solves.numpy() > 0
  assert (solves > 2).all() and min(np.abs(data.qpos).max() for data in datas) > 0.5
  assert apart < ROUNDING


def test_a_tension_that_is_commanded_slides_as_far_as_on_the_engine():
  """One with stiffness: that it becomes taut within the step was not seen, so its slip was of
  the wrong time, and it turned around a step late."""
  spec = rigs.hoist(friction=0.2, timestep=4e-3)
  spec.delete(spec.joint("sheave"))
  cable = mjc.read_cables(spec)["rope"]
  mjc.remove_cable(spec, "rope")
  mjc.add_cable(spec, dataclasses.replace(cable, axial=mjc.Axial(stiffness=1e5)))
  model, m, d, cables = rigs.worlds_of(spec)
  data = mujoco.MjData(model)
  view, slips = mjc.bind(model, data)["rope"], []
  for k in range(150):
    data.ctrl[:] = 10 * (1 - np.cos(0.1 * k))
    rigs.write(d.ctrl, data.ctrl)
    mujoco.mj_step(model, data)
    mjw.step(m, d)
    slips.append((cables.array("slip_rate").numpy()[0, 0], view.slip_rate[0]))
    assert d.qpos.numpy()[0] == pytest.approx(data.qpos, abs=ROUNDING)
  found, expected = np.array(slips).T
  assert expected.min() < -0.1 and expected.max() > 0.1
  assert found == pytest.approx(expected, abs=1e-3 * np.abs(expected).max())


def test_sliding_gains_no_energy():
  # arms that swing on their springs, back into their cables, which are held at the source
  spec = rigs.arm(friction=0.1, timestep=5e-3, stiffness=2e5, damping=0.0)
  for k in range(1, 4):
    spec.joint(f"joint_{k}").damping = [0.0, 0, 0]
  _, m, d, cables = rigs.worlds_of(spec, 8)
  rigs.write(d.qpos, np.random.default_rng(2).uniform(-0.5, -0.1, (8, 3)))
  bare = mjcw.strip(spec).compile()
  bare.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
  data, energies, lost = mujoco.MjData(bare), np.zeros((200, 8)), np.zeros(8)
  for k in range(200):
    mjw.step(m, d)
    lost += 5e-3 * cables.array("dissipation").numpy().sum(1)
    for w in range(8):
      data.qpos[:], data.qvel[:] = d.qpos.numpy()[w], d.qvel.numpy()[w]
      mujoco.mj_forward(bare, data)
      # what MuJoCo's step keeps of a spring of this stiffness: v changes first, then q
      energies[k, w] = data.energy.sum() - 0.5 * 5e-3 * 0.05 * data.qpos @ data.qvel
  most = energies.reshape(4, 50, 8).max(1)
  assert (lost > 0).all() and (most[1:] <= 1.001 * most[:-1]).all()
  assert (most[-1] < 0.95 * most[0]).all()
