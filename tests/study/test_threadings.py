"""Threadings: a cable written in the place of another is the cable written from scratch.

Judges: models built by hand with that route, bit for bit; the distance of a straight line.
"""

import importlib.util
from pathlib import Path

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.errors import BadValue, UnknownName
from mujocable.study.parameters import check, parameter, written
from mujocable.study.sweep import axis, sweep

EXAMPLE = Path(__file__).parents[2] / "examples" / "threadings.py"


def example():
  spec = importlib.util.spec_from_file_location("threadings", EXAMPLE)
  assert spec is not None and spec.loader is not None
  module = importlib.util.module_from_spec(spec)
  spec.loader.exec_module(module)
  return module


def test_every_threading_is_the_cable_written_from_scratch(capsys):
  module = example()
  results = module.main()
  assert len(results) == 6
  run = {"motion": "ramp", "duration": 0.5, "fit_motion": False}
  for (eyelet, side), numbers in results.items():
    (row,) = sweep(module.build(eyelet, side), [axis("flexor.friction=0.2")], **run).rows
    assert (row["efficiency"], row["engagement"]) == numbers, (eyelet, side)
  # threadings differ, and some posts are touched in a part of the motion only
  assert len({efficiency for efficiency, _ in results.values()}) == 6
  assert sum(0 < engaged < 1 for _, engaged in results.values()) >= 2
  capsys.readouterr()


def test_a_wrap_engages_where_the_straight_line_needs_it():
  """Engaged exactly in the poses in which the line from motor to tip runs above the post's top."""
  module = example()
  spec = module.build("-", "over")
  model = spec.compile()
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)["flexor"]
  motor, post, radius = np.array([-0.3, 0.1]), np.array([0.0, 0.1]), 0.03
  engaged = []
  for angle in np.linspace(-1.0, 1.0, 201):
    data.qpos[0], data.qvel[0] = angle, 0.0
    mujoco.mj_step(model, data)
    engaged.append(bool(view.touching[0]))
    tip = 0.25 * np.array([np.cos(angle), -np.sin(angle)])
    along = (tip - motor) / np.linalg.norm(tip - motor)
    across = post - motor
    # signed: positive where the line passes below the center
    offset = along[0] * across[1] - along[1] * across[0]
    assert engaged[-1] == bool(offset > -radius), angle
  assert 20 < sum(engaged) < 181


def test_controls_and_actuators_keep_their_places():
  module = example()
  spec = module.build()
  spec.add_actuator(
    name="last", trntype=mujoco.mjtTrn.mjTRN_JOINT, target="elbow", gainprm=[1.0] + [0.0] * 9
  )
  mjc.add_sensor(spec, "flexor", "tension")
  route = [mjc.Anchor("motor"), mjc.Eyelet("high"), mjc.Anchor("tip")]
  cable = mjc.read_cables(spec)["flexor"]
  mjc.replace_cable(spec, mjc.Cable("flexor", route, mjc.Axial(EA=2e3), take_up=cable.take_up))
  model = spec.compile()
  assert [model.actuator(i).name for i in range(model.nu)] == ["flexor", "last"]
  assert mjc.read_cables(spec)["flexor"].route[1] == mjc.Eyelet("high")
  assert model.sensor("flexor.tension").dim[0] == 2
  data = mujoco.MjData(model)
  data.ctrl[:] = 0.01, 0.0
  mujoco.mj_forward(model, data)
  view = mjc.bind(model, data)["flexor"]
  assert view.tension[1] > 0 and data.actuator_force[0] == view.source_tension
  # the moment row is that of the new path
  row = np.zeros(model.nv)
  mujoco.mju_sparse2dense(
    row[None],
    data.actuator_moment,
    data.moment_rownnz[:1],
    data.moment_rowadr[:1],
    data.moment_colind,
  )
  assert row[0] == pytest.approx(-view.jacobian[0], rel=1e-12)


def test_a_refused_replacement_leaves_the_model_as_it_was():
  spec = example().build()
  before = spec.to_xml()
  route = [mjc.Anchor("motor"), mjc.Eyelet("nowhere"), mjc.Anchor("tip")]
  take_up = mjc.read_cables(spec)["flexor"].take_up
  with pytest.raises(UnknownName, match="nowhere"):
    mjc.replace_cable(spec, mjc.Cable("flexor", route, mjc.Axial(EA=2e3), take_up=take_up))
  route[1] = mjc.Eyelet("high")
  with pytest.raises(BadValue, match="keeps its actuator"):
    mjc.replace_cable(spec, mjc.Cable("flexor", route, mjc.Axial(EA=2e3)))
  assert spec.to_xml() == before


@pytest.mark.parametrize(
  ("text", "message"),
  [
    ("flexor.route[1]=low,hgih", r"no site 'hgih'; .*did you mean 'high'"),
    ("flexor.route[0]=-", "an end cannot be left out"),
    ("flexor.route[7]=low", "has no such place; accepted: 0, 1, 2, 3"),
    ("flexor.side[1]=over", "has no such place; accepted: 2"),
    ("flexor.route[2]=low", "no geom 'low'"),
    ("*.route[1]=low", "is of one cable"),
    ("flexor.side[2]=over,,under", "accepted: names"),
  ],
)
def test_what_cannot_be_threaded_is_named(text, message):
  with pytest.raises((BadValue, UnknownName), match=message):
    sweep(example().build(), [axis(text)], motion="ramp", duration=0.1)


def test_a_threading_is_no_number_to_fit():
  spec = example().build()
  with pytest.raises(BadValue, match="sweep compares them"):
    check(spec, parameter("flexor.route[1]"), mjc.read_cables(spec))


def test_numbers_and_names_together():
  spec = example().build()
  given = [
    (parameter("flexor.friction[1]"), 0.7),
    (parameter("flexor.route[1]"), "-"),
    (parameter("flexor.side[2]"), "under"),
  ]
  route = mjc.read_cables(written(spec, given, mjc.read_cables(spec)))["flexor"].route
  # places and contacts count as in the cable that was given
  assert [type(e).__name__ for e in route] == ["Anchor", "Wrap", "Anchor"]
  assert (route[1].friction, route[1].side) == (0.7, "under")
