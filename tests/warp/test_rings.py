"""Rings on the GPU: by the engine on random states, by closed forms, by what must not happen."""

import dataclasses

import mujoco
import mujoco_warp as mjw
import numpy as np
import pytest
from warp_rigs import rigs

import mujocable as mjc
import mujocable.warp as mjcw
from mujocable.errors import BadValue

RADIUS = 0.1


def locate(m, d, qpos, time=0.0):
  """Paths, tensions and loads at these positions."""
  rigs.write(d.qpos, qpos)
  rigs.write(d.time, time)
  d.qfrc_passive.zero_()
  mjw.kinematics(m, d)
  mjw.com_pos(m, d)
  cables = mjcw.cables(d)
  cables.locate(m, d)
  cables.tense(m, d)
  cables.load(m, d)
  return cables


def places(cables):
  """In how many places each string bears on its ring."""
  state = cables._state
  sides = state.side.numpy()
  return state.sides.touching.numpy()[1 - sides, 0, np.arange(len(sides))]


@pytest.mark.parametrize("tube", [0.015, 0.03, 0.06])
def test_paths_tensions_and_loads_are_those_of_the_engine(tube):
  worlds, rng = 150, np.random.default_rng(4)
  model = rigs.explicit(rigs.ring(RADIUS, tube)).compile()
  m, d = mjcw.put_model(model), mjcw.put_data(model, nworld=worlds)

  def states():
    turns, moves = rng.uniform(-0.5, 0.5, (worlds, 2)), rng.uniform(-0.1, 0.1, (worlds, 6))
    return np.column_stack([turns, moves])

  one = states()
  two = one + 0.05 * (states() - one)
  locate(m, d, one)
  cables = locate(m, d, two, model.opt.timestep)
  lengths, tensions = cables.array("length").numpy()[:, 0], cables.array("tension").numpy()
  angles, loads = cables.array("wrap_angle").numpy()[:, 0], d.qfrc_passive.numpy()
  data = mujoco.MjData(model)
  view, seen = mjc.bind(model, data)["cable"], 0
  for w in range(worlds):
    mujoco.mj_resetData(model, data)
    data.qpos[:] = one[w]
    mujoco.mj_step(model, data)
    was = data.site("eye").xmat.reshape(3, 3).T @ (view.entry[0] - data.site("eye").xpos)
    fine, bore = view.status == mjc.SolveStatus.VALID, view.touching[0]
    data.qpos[:], data.qvel[:] = two[w], 0.0
    mujoco.mj_forward(model, data)
    now = data.site("eye").xmat.reshape(3, 3).T @ (view.entry[0] - data.site("eye").xpos)
    # not where an end is in the tube, or the string jumped across the ring
    fine = fine and view.status == mjc.SolveStatus.VALID
    if not fine or bore * np.linalg.norm(now - was) > tube:
      continue
    seen += 1
    assert lengths[w] == pytest.approx(view.length, rel=1e-6)
    # a string that grazes a tube of radius r by x turns there by sqrt(2 x / r)
    assert angles[w] == pytest.approx(view.wrap_angle[0], abs=1e-4 if angles[w] > 0.05 else 5e-3)
    most = view.tension.max()
    assert tensions[w] == pytest.approx(view.tension, rel=1e-4, abs=1e-4 * most + 1e-4)
    assert loads[w] == pytest.approx(view.load, rel=1e-4, abs=1e-4 * most + 1e-4)
  kinds = np.bincount(np.maximum(places(cables), 0), minlength=3)
  print(tube, seen, kinds)
  assert seen > 0.8 * worlds and kinds[0] > 0 and kinds[1] > worlds / 3


def test_over_one_lip_and_under_the_other():
  """In the plane of the axis: two circles, one contact."""
  radius, tube, reach, height, mu = 0.3, 0.08, 1.0, 0.1, 0.3
  ends = ((-reach, 0.0, height), (reach, 0.0, -height))
  model = rigs.explicit(rigs.ring(radius, tube, ends, mu, stiffness=100.0)).compile()
  m, d = mjcw.put_model(model), mjcw.put_data(model)
  cables = locate(m, d, model.qpos0)
  assert places(cables) == [2]
  # tangent to a circle from the end, inner tangent between both circles, twice
  distance = np.hypot(reach - radius, height)
  turn = np.arcsin(tube / distance) - np.arctan2(height, reach - radius) + np.arcsin(tube / radius)
  straight = np.sqrt(distance**2 - tube**2) + np.sqrt(radius**2 - tube**2)
  expected = 2 * (straight + tube * turn)
  assert cables.home.length == pytest.approx([expected], rel=1e-12)
  assert cables.home.angle == pytest.approx([2 * turn], abs=1e-9)
  assert cables.array("length").numpy()[0, 0] == pytest.approx(expected, rel=1e-6)
  assert cables.array("wrap_angle").numpy()[0, 0] == pytest.approx(2 * turn, abs=1e-5)
  # pulled at one end, it slides, and both lips rub
  pulled = model.qpos0.copy()
  pulled[5:] = 0.2 * data_axis(model, "eye", (1, 0, 0))
  locate(m, d, pulled, 1e-3)
  tension, angle = cables.array("tension").numpy()[0], cables.array("wrap_angle").numpy()[0, 0]
  assert tension[1] / tension[0] == pytest.approx(np.exp(mu * angle), rel=1e-4)
  assert not cables.array("stuck").numpy().any()
  # the ring is pulled by both segments alone
  assert d.qfrc_passive.numpy()[0, 2:5] @ d.qfrc_passive.numpy()[0, 2:5] == pytest.approx(
    tension[0] ** 2, rel=1e-4
  )


def data_axis(model, site, axis):
  """Direction of a frame at qpos0, in the world."""
  data = mujoco.MjData(model)
  mujoco.mj_kinematics(model, data)
  return data.site(site).xmat.reshape(3, 3) @ np.array(axis, float)


def test_a_string_that_goes_through_obliquely_has_one_moment_about_the_axis():
  """What the ring cannot hold without friction: both segments have the same moment."""
  ends = ((0.15, 0.1, 0.12), (-0.02, 0.2, -0.1))
  model = rigs.explicit(rigs.ring(RADIUS, 0.04, ends, 0.0)).compile()
  m, d = mjcw.put_model(model), mjcw.put_data(model)
  cables = locate(m, d, model.qpos0)
  data = mujoco.MjData(model)
  mujoco.mj_kinematics(model, data)
  frame, at = data.site("eye").xmat.reshape(3, 3), data.site("eye").xpos
  lines = cables._state.lines
  moments = []
  for s in range(2):
    direction, point = (frame.T @ x for x in (lines.direction.numpy()[s, 0],
                                              lines.point.numpy()[s, 0] - at))  # fmt: skip
    moments.append(np.cross(point, direction)[2])
    out = np.array([*point[:2], 0.0]) * RADIUS / np.hypot(*point[:2])
    normal = (point - out) / np.linalg.norm(point - out)
    assert np.linalg.norm(point - out) == pytest.approx(0.04, rel=1e-5)
    assert normal @ direction == pytest.approx(0.0, abs=1e-5)
  assert moments[0] == pytest.approx(moments[1], abs=1e-6) and abs(moments[0]) > 0.01


def test_random_worlds_stay_finite_in_and_out_of_the_hole():
  worlds, rng = 64, np.random.default_rng(2)
  spec = rigs.ring(RADIUS, 0.04)
  spec.option.timestep = 4e-3
  _, m, d, cables = rigs.worlds_of(spec, worlds)
  for name, (low, high) in dict(stiffness=(1, 4), damping=(-2, 1), friction=(-2, 0)).items():
    shape = cables.array(name).shape
    cables.array(name).assign((10 ** rng.uniform(low, high, shape)).astype(np.float32))
  kinds = np.zeros(4, int)
  for _ in range(12):
    rigs.write(d.qvel, rng.uniform(-4.0, 4.0, (worlds, 8)))  # thrown about
    for _ in range(10):
      mjw.step(m, d)
    tension = cables.array("tension").numpy()
    assert np.isfinite(d.qpos.numpy()).all() and np.isfinite(tension).all()
    assert (tension >= 0).all() and (cables.array("dissipation").numpy() >= 0).all()
    assert (cables.array("wrap_angle").numpy() >= 0).all()
    kinds += np.bincount(places(cables) % 4, minlength=4)
  assert (kinds > 0).all()  # straight, over one place, over two, and with an end inside


def test_rings_that_are_not_there_are_refused_by_name():
  spec = rigs.ring()
  cable, bare = mjc.read_cables(spec)["cable"], mjcw.strip(spec).compile()
  ends, ring = (cable.route[0], cable.route[2]), cable.route[1]
  for route, message in (
    ([ends[0], ring, mjc.Ring("b", 0.1, 0.01), ends[1]],
     "'cable': ring 'eye' stands in a row of 2 wraps and rings"),
    ([ends[0], dataclasses.replace(ring, side=(0.2, 0.0, 0.1)), mjc.Eyelet("eye"), ends[1]],
     "ring 'eye' is not on the GPU, since the cable does not go through its hole at qpos0"),
  ):  # fmt: skip
    with pytest.raises(BadValue, match=message):
      mjcw.put_data(bare, cables={"cable": dataclasses.replace(cable, route=route)})
