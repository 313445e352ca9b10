"""A robot with cables attached twice with prefixes: two independent, equal robots."""

import mujoco
import numpy as np
import pytest
from oracles import build, workshop

import mujocable as mjc


def test_two_attached_copies_move_like_one():
  single = workshop.spec_of().compile()
  alone = mujoco.MjData(single)
  scene = build.new_spec(timestep=1e-3, integrator="implicitfast")
  for prefix, y in (("left-", 0.0), ("right-", 5.0)):
    frame = scene.worldbody.add_frame(pos=(0, y, 0))
    scene.attach(workshop.spec_of(), prefix=prefix, frame=frame)
  model = scene.compile()
  data = mujoco.MjData(model)
  assert model.nu == 2 * single.nu
  views = mjc.bind(model, data)
  one = mjc.bind(single, alone)
  assert set(views) == {f"{p}{name}" for p in ("left-", "right-") for name in one}
  for step in range(300):
    alone.ctrl[:] = workshop.ctrl_of(single, step)
    mujoco.mj_step(single, alone)
    for name, value in workshop.commands(step).items():
      for prefix in ("left-", "right-"):
        data.ctrl[model.actuator(prefix + name).id] = value
    mujoco.mj_step(model, data)
  for name, view in one.items():
    for prefix in ("left-", "right-"):
      twin = views[prefix + name]
      # the right robot stands 5 m away: its coordinates carry an ulp of 5 m, its motion more
      assert twin.length == pytest.approx(view.length, rel=1e-7), name
      assert twin.source_tension == pytest.approx(view.source_tension, rel=1e-4, abs=1e-5), name
      assert build.is_valid(twin)


def test_commands_reach_only_their_own_copy():
  scene = build.new_spec()
  for prefix in ("a-", "b-"):
    frame = scene.worldbody.add_frame(pos=(0, 0 if prefix == "a-" else 3, 0))
    scene.attach(workshop.spec_of(), prefix=prefix, frame=frame)
  model = scene.compile()
  data = mujoco.MjData(model)
  data.ctrl[model.actuator("a-arm").id] = 20.0
  mujoco.mj_forward(model, data)
  views = mjc.bind(model, data)
  assert views["a-arm"].source_tension == 20.0 and views["b-arm"].source_tension == 0.0
  load = views["a-arm"].load
  owner = np.array([model.body(model.dof_bodyid[k]).name[:2] for k in range(model.nv)])
  assert np.any(load[owner == "a-"] != 0) and np.all(load[owner == "b-"] == 0)
