"""An end inside a surface: it gives way as in the engine, and what it stores is given back."""

import mujoco
import mujoco_warp as mjw
import numpy as np
import pytest
from warp_rigs import rigs

import mujocable as mjc
import mujocable.warp as mjcw


def states(model, worlds, rng):
  """Ends around, some of them inside."""
  qpos = rng.uniform(-0.01, 0.01, (worlds, model.nq))
  for end in (3, 9):  # the near ones
    qpos[:, end] = rng.uniform(-0.08, 0.01, worlds)
    qpos[:, end + 2] = rng.uniform(-0.03, 0.03, worlds)
  return qpos


def test_a_surface_gives_way_to_an_end_inside_as_in_the_engine():
  worlds, rng = 100, np.random.default_rng(3)
  model = rigs.explicit(rigs.sinking(friction=0.0)).compile()
  m, d = mjcw.put_model(model), mjcw.put_data(model, nworld=worlds)
  cables, qpos = mjcw.cables(d), states(model, worlds, rng)
  rigs.write(d.qpos, qpos)
  mjw.forward(m, d)
  loads = d.qfrc_passive.numpy()
  data = mujoco.MjData(model)
  views, inside = mjc.bind(model, data), {"wheel": [0, 0], "ball": [0, 0]}
  for w in range(worlds):
    mujoco.mj_resetData(model, data)
    data.qpos[:] = qpos[w]
    mujoco.mj_forward(model, data)
    for name, view in views.items():
      reach = np.abs(data.site_xpos).max()
      noise = 4 * 2.0**-23 * reach / view.length
      touching = cables.array("touching", name).numpy()[w]
      angle = cables.array("wrap_angle", name).numpy()[w]
      assert cables.array("length", name).numpy()[w, 0] == pytest.approx(view.length, rel=noise)
      assert touching == view.touching
      assert angle == pytest.approx(view.wrap_angle, abs=1e-4)
      if view.status == mjc.SolveStatus.LET_GO:
        inside[name][int(touching[0])] += 1
    most = max(view.tension.max() for view in views.values())
    expected = sum(view.load for view in views.values())
    assert loads[w] == pytest.approx(expected, rel=1e-4, abs=1e-4 * most)
  assert min(min(counts) for counts in inside.values()) > 5  # it bears, and passes by


def test_ends_that_sink_in_and_come_out_move_as_in_the_engine():
  worlds, steps, rng = 16, 300, np.random.default_rng(5)
  spec = rigs.sinking(friction=0.0)
  spec.option.timestep = 2e-4
  model, m, d, cables = rigs.worlds_of(spec, worlds)
  qpos, qvel = states(model, worlds, rng), rng.uniform(-1.0, 1.0, (worlds, model.nv))
  rigs.write(d.qpos, qpos)
  rigs.write(d.qvel, qvel)
  found, bore = [], np.zeros(worlds)
  for _ in range(steps):
    mjw.step(m, d)
    found.append(d.qpos.numpy().copy())
    bore += (
      cables.array("tension").numpy() * cables.array("touching").numpy()[:, [0, 0, 1, 1]] > 0
    ).any(axis=1)
  data, left = mujoco.MjData(model), 0
  views = mjc.bind(model, data)
  for w in range(worlds):
    mujoco.mj_resetData(model, data)
    data.qpos[:], data.qvel[:], was = qpos[w], qvel[w], False
    for k in range(steps):
      mujoco.mj_step(model, data)
      assert found[k][w] == pytest.approx(data.qpos, abs=2e-5)
      inside = any(view.status == mjc.SolveStatus.LET_GO for view in views.values())
      left += was and not inside
      was = inside
  assert left > 2 and (bore > 0).sum() > worlds / 4


def test_a_string_off_a_sphere_does_not_come_back_around_it():
  model, m, d, cables = rigs.worlds_of(rigs.explicit(rigs.sinking()))
  data = mujoco.MjData(model)
  mujoco.mj_kinematics(model, data)
  home = np.concatenate([data.site(f"ball_{end}").xpos for end in ("far", "near")])
  center = data.geom("ball").xpos
  for k, x in enumerate(np.linspace(-0.01, 0.01, 8)):
    # both ends above, one over the other, passing by each other
    qpos, places = np.zeros(model.nq), np.array([[x, 0.0, 0.07], [-x, 0.0, 0.1]])
    qpos[6:] = (center + places).ravel() - home
    rigs.write(d.qpos, qpos)
    rigs.write(d.time, 1e-3 * k)
    mjw.forward(m, d)
    assert cables.array("touching", "ball").numpy()[0, 0] == 0
    apart = np.linalg.norm(places[1] - places[0])
    assert cables.array("length", "ball").numpy()[0, 0] == pytest.approx(apart, rel=1e-5)
