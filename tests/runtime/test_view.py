"""Live views of cables in a simulation."""

import copy
import gc
import inspect
import pickle
import re

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.errors import UnknownCable
from mujocable.spec.tables import FIELDS

SCALARS = (
  "length",
  "length_rate",
  "rest_length",
  "stretch",
  "slack",
  "take_up",
  "take_up_rate",
  "source_tension",
  "smoothness",
  "surface_error",
  "penetration",
  "energy",
)
PER_CONTACT = ("touching", "wrap_angle", "slip_rate", "dissipation", "overrun")


@pytest.fixture
def sim(spec, hoist):
  mjc.add_cable(spec, hoist)
  route = [mjc.Anchor("far"), mjc.Anchor("hook")]
  mjc.add_cable(spec, mjc.Cable("tie", route, mjc.Axial(stiffness=100.0)))
  model = spec.compile()
  data = mujoco.MjData(model)
  mujoco.mj_forward(model, data)
  return model, data


def test_cables_is_a_mapping(sim):
  cables = mjc.bind(*sim)
  assert list(cables) == ["hoist", "tie"]
  assert len(cables) == 2
  assert "tie" in cables
  assert "rope" not in cables
  assert repr(cables) == "Cables(['hoist', 'tie'])"
  assert [cable.name for cable in cables.values()] == ["hoist", "tie"]


@pytest.mark.parametrize(
  "copied", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))], ids=["deepcopy", "pickle"]
)
def test_a_copied_view_belongs_to_the_simulation_that_was_copied_with_it(sim, copied):
  """Alone it has a simulation of its own; views see the state that was copied."""
  model, data = sim
  cables = mjc.bind(model, data)
  was = cables["tie"].length
  model2, data2, cables2, tie = copied((model, data, cables, cables["tie"]))
  alone = copied(cables["tie"])
  data.qpos[:] += 0.1
  mujoco.mj_forward(model, data)
  assert cables["tie"].length != was == tie.length == cables2["tie"].length == alone.length
  data2.qpos[:] = data.qpos
  mujoco.mj_forward(model2, data2)
  assert tie.length == cables2["tie"].length == cables["tie"].length != alone.length
  same = copy.copy(cables["tie"])  # of the same simulation
  mujoco.mj_resetData(model, data)
  mujoco.mj_forward(model, data)
  assert same.length == cables["tie"].length == was


def test_an_unknown_cable_lists_the_known(sim):
  message = (
    r"cable 'hoits' is not in this model; cables here: 'hoist', 'tie'; did you mean 'hoist'\?"
  )
  for kind in (KeyError, UnknownCable, mjc.CableError):
    with pytest.raises(kind, match=message):
      mjc.bind(*sim)["hoits"]
  with pytest.raises(UnknownCable, match="cable 0 is not in this model; cables here: 'hoist'"):
    mjc.bind(*sim)[0]
  assert 0 not in mjc.bind(*sim)


def test_kinds_and_shapes(sim):
  model, _ = sim
  for name, n in (("hoist", 2), ("tie", 0)):
    c = mjc.bind(*sim)[name]
    assert all(type(getattr(c, scalar)) is float for scalar in SCALARS)
    assert c.tension.shape == (n + 1,)
    assert all(getattr(c, field).shape == (n,) for field in PER_CONTACT)
    assert c.touching.dtype == bool
    assert c.entry.shape == c.exit.shape == (n, 3)
    assert c.jacobian.shape == c.load.shape == (model.nv,)
    assert c.points.ndim == 2
    assert c.points.shape[1] == 3
    assert type(c.status) is mjc.SolveStatus
    assert type(c.iterations) is int
    assert type(c.solves) is int
    assert type(c.derailments) is int
    assert c.status_contact is None


def test_status_values():
  names = ["valid", "kept", "invalid", "let_go", "slipped", "derailed"]
  assert [(str(s), s.value) for s in mjc.SolveStatus] == [(name, k) for k, name in enumerate(names)]


def test_actuator_id(sim):
  model, _ = sim
  cables = mjc.bind(*sim)
  assert cables["hoist"].actuator == model.actuator("hoist").id
  assert cables["tie"].actuator is None


def test_arrays_cannot_be_written(sim):
  c = mjc.bind(*sim)["hoist"]
  for name in ("tension", "touching", "entry", "points", "jacobian", "load"):
    with pytest.raises(ValueError, match="read-only"):
      getattr(c, name)[...] = 0


def test_values_are_live_and_arrays_are_copies(sim):
  model, data = sim
  c = mjc.bind(model, data)["hoist"]
  before, tension = c.length, c.tension
  kept = tension.copy()
  data.joint("lift").qpos[0] = -0.1
  mujoco.mj_forward(model, data)
  assert c.length == pytest.approx(before + 0.1)
  assert c.source_tension > kept[0]
  assert np.array_equal(tension, kept)


def test_the_view_reads_the_sensor(sim):
  model, data = sim
  c = mjc.bind(model, data)["hoist"]
  record = data.sensor("hoist").data
  assert c.length in record
  assert set(c.tension) <= set(record)


def test_the_solved_path(sim):
  model, data = sim
  c = mjc.bind(model, data)["hoist"]
  motor, hook = data.site("motor").xpos, data.site("hook").xpos
  assert c.status == mjc.SolveStatus.VALID
  assert c.touching.all()
  assert np.allclose(c.points[0], motor)
  assert np.allclose(c.points[-1], hook)
  steps = np.linalg.norm(np.diff(c.points, axis=0), axis=1)
  assert steps.sum() == pytest.approx(c.length, rel=1e-2)
  # the wrap begins and ends on the sheave, the eyelet is a point
  axle = data.body("sheave").xpos
  assert np.linalg.norm(c.entry[0] - axle) == pytest.approx(0.05)
  assert np.linalg.norm(c.exit[0] - axle) == pytest.approx(0.05)
  assert np.allclose(c.entry[1], data.site("guide").xpos)
  assert np.allclose(c.exit[1], data.site("guide").xpos)
  assert c.wrap_angle[0] > 2.5


def test_load_and_jacobian_belong_together(spec, hoist):
  straight = mjc.Cable(
    "tie", [mjc.Anchor("far"), mjc.Anchor("hook")], mjc.Axial(stiffness=100.0, pretension=5.0)
  )
  mjc.add_cable(spec, straight)
  model = spec.compile()
  data = mujoco.MjData(model)
  mujoco.mj_forward(model, data)
  c = mjc.bind(model, data)["tie"]
  assert c.source_tension == pytest.approx(5.0)
  assert np.allclose(c.load, -c.source_tension * c.jacobian)


def test_a_lifted_wrap_keeps_its_place(spec):
  route = [mjc.Anchor("motor"), mjc.Wrap("ball"), mjc.Anchor("hook")]
  mjc.add_cable(spec, mjc.Cable("c", route, mjc.Axial(stiffness=100.0), friction=0.5))
  model = spec.compile()
  data = mujoco.MjData(model)
  mujoco.mj_forward(model, data)
  c = mjc.bind(model, data)["c"]
  assert not c.touching[0]
  assert c.wrap_angle[0] == 0
  assert np.isnan(c.entry).all()
  assert np.isnan(c.exit).all()
  assert c.tension[0] == c.tension[1]


def test_a_model_without_the_record_sensor(sim, spec):
  # through XML: MuJoCo deletes an instance together with the last element that refers to it
  full = spec.to_xml()
  bare = re.sub(r"<sensor>.*</sensor>", "", full, flags=re.DOTALL)
  views = []
  for xml in (full, bare):
    model = mujoco.MjModel.from_xml_string(xml)
    model.opt.gravity[:] = 0  # without a record no cable is solved with the motion
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    views.append(mjc.bind(model, data))
  assert model.nsensor == 0
  for name in ("hoist", "tie"):
    one, two = (view[name] for view in views)
    for field in (*SCALARS, *PER_CONTACT, "tension", "entry", "exit", "load", "jacobian", "status"):
      a, b = getattr(one, field), getattr(two, field)
      assert np.array_equal(a, b, equal_nan=field in ("entry", "exit")), (name, field)


def test_views_keep_the_simulation_alive(sim, spec):
  def make():
    model = spec.compile()
    return mjc.bind(model, mujoco.MjData(model))["hoist"]

  c = make()
  gc.collect()
  assert c.length == 0 or c.length > 0
  assert c.points.shape[1] == 3


def test_attached_robots_have_their_own_views(spec, hoist):
  mjc.add_cable(spec, hoist)
  pair = mujoco.MjSpec()
  for prefix, x in (("left/", 0), ("right/", 5)):
    pair.attach(spec.copy(), prefix=prefix, frame=pair.worldbody.add_frame(pos=[x, 0, 0]))
  model = pair.compile()
  data = mujoco.MjData(model)
  mujoco.mj_forward(model, data)
  left, right = mjc.bind(model, data).values()
  assert [left.name, right.name] == ["left/hoist", "right/hoist"]
  assert left.length == pytest.approx(right.length)
  assert np.allclose(right.entry - left.entry, (5, 0, 0))


def test_wrong_arguments(sim, spec):
  _, data = sim
  with pytest.raises(mjc.CableError, match="takes an MjModel and an MjData, got MjSpec, MjData"):
    mjc.bind(spec, data)
  other = mujoco.MjModel.from_xml_string("<mujoco/>")
  with pytest.raises(mjc.CableError, match="made for another model"):
    mjc.bind(other, data)


def test_repr_is_one_line(sim):
  text = repr(mjc.bind(*sim)["hoist"])
  assert text.startswith("<cable 'hoist': length ")
  assert "2 of 2 contacts touching, valid>" in text
  assert "\n" not in text


def test_every_field_of_the_engine_is_explained_and_cannot_be_set(sim):
  view = mjc.bind(*sim)["hoist"]
  for name in FIELDS:
    assert inspect.getdoc(getattr(mjc.CableView, name)), name
    with pytest.raises(AttributeError):
      setattr(view, name, 0.0)


def test_a_view_says_when_nothing_was_evaluated_yet():
  from mujocable.models import winch

  model = winch.build().compile()
  data = mujoco.MjData(model)
  hoist = mjc.bind(model, data)["hoist"]
  assert "not evaluated yet" in repr(hoist)
  mujoco.mj_forward(model, data)
  assert "valid>" in repr(hoist)


def test_a_misspelled_attribute_is_an_error(sim):
  view = mjc.bind(*sim)["hoist"]
  with pytest.raises(AttributeError, match=r"no 'frction'; may be set: .*did you mean 'friction'"):
    view.frction = 3.0


def test_a_cable_whose_sensor_was_removed_says_so():
  """MuJoCo drops an instance that nothing refers to; the cable is gone, and not in silence."""
  spec = mujoco.MjSpec.from_string("""
    <mujoco><worldbody><site name="a" pos="0 0 1"/>
      <body><joint type="slide"/><geom size=".05"/><site name="b"/></body></worldbody></mujoco>""")
  route = [mjc.Anchor("a"), mjc.Anchor("b")]
  mjc.add_cable(spec, mjc.Cable("tie", route, mjc.Axial(stiffness=1e3)))
  spec.delete(spec.sensor("tie"))
  model = spec.compile()
  data = mujoco.MjData(model)
  if model.nplugin:  # older releases keep it
    assert list(mjc.bind(model, data)) == ["tie"]
    return
  with pytest.raises(mjc.CableError, match=r"cable 'tie' was dropped by MuJoCo.*keep its sensor"):
    mjc.bind(model, data)
  # what is left can be taken out, and the cable written anew
  mjc.remove_cable(spec, "tie")
  model = spec.compile()
  assert model.ntuple == 0 and not mjc.bind(model, mujoco.MjData(model))
  mjc.add_cable(spec, mjc.Cable("tie", route, mjc.Axial(stiffness=1e3)))
  model = spec.compile()
  assert list(mjc.bind(model, mujoco.MjData(model))) == ["tie"]


def test_a_tuple_of_anybody_else_is_no_lost_cable():
  """Nor is the tuple of a cable that was written by hand, or by an older release."""
  custom = """<custom><tuple name="mine"><element objtype="site" objname="a" prm="0"/>
    <element objtype="site" objname="b" prm="0"/></tuple></custom>"""
  model = mujoco.MjModel.from_xml_string(f"""
    <mujoco><worldbody><site name="a" pos="0 0 1"/>
      <body><joint type="slide"/><geom size=".05"/><site name="b"/></body></worldbody>
      {custom}</mujoco>""")
  cables = mjc.bind(model, mujoco.MjData(model))
  assert not cables
  with pytest.raises(mjc.CableError, match="MuJoCo dropped it: put its sensor of the same name"):
    cables["mine"]
