"""Cables that share a plugin instance are those that have one of their own, bit for bit."""

import copy
import pickle
from dataclasses import replace

import mujoco
import numpy as np
import pytest
from oracles import build, workshop

import mujocable as mjc
from mujocable.errors import BadValue, RepeatedName
from mujocable.spec import members
from mujocable.spec.keys import with_keys

FULL = mujoco.mjtState.mjSTATE_INTEGRATION

BY_HAND = """<mujoco><extension><plugin plugin="mujocable.cable">
  <instance name="pair">
    <config key="cables" value="left | right"/>
    <config key="route" value="anchor a; anchor b | anchor a; eyelet c; anchor b"/>
    <config key="stiffness" value="50"/>
    <config key="friction" value="|.2"/></instance></plugin></extension>
  <worldbody><site name="a" pos="0 0 1"/><site name="c" pos=".2 0 .5"/>
    <body><joint type="slide" axis="0 0 1"/><geom size=".1"/><site name="b"/></body></worldbody>
  <sensor><plugin name="left" plugin="mujocable.cable" instance="pair"/>
    <plugin name="right" plugin="mujocable.cable" instance="pair"/>
    <plugin name="right.length" plugin="mujocable.cable" instance="pair"/></sensor></mujoco>"""


def apart():
  """The two by hand in instances of their own."""
  routes = {"left": "anchor a; anchor b", "right": "anchor a; eyelet c; anchor b"}
  instances = "".join(
    f'<instance name="{one}"><config key="route" value="{route}"/><config key="stiffness"'
    f' value="50"/><config key="friction" value="{0.2 if one == "right" else 0.0}"/></instance>'
    for one, route in routes.items()
  )
  begin, end = BY_HAND.index("<instance"), BY_HAND.index("</plugin></extension>")
  text = BY_HAND[:begin] + instances + BY_HAND[end:]
  for one in ("left", "right"):
    text = text.replace(
      f'name="{one}" plugin="mujocable.cable" instance="pair"',
      f'name="{one}" plugin="mujocable.cable" instance="{one}"',
    )
  return text.replace('cable" instance="pair"', 'cable" instance="right"')


@pytest.fixture(params=["implicitfast", "implicit", "rk4", "discrete"])
def integrator(request):
  if not hasattr(mujoco.mjtIntegrator, f"mjINT_{request.param.upper()}"):
    pytest.skip("this release of MuJoCo has no such integrator")
  return request.param


def built(own, monkeypatch, integrator="implicitfast"):
  monkeypatch.setattr(members, "OWN", own)
  spec = workshop.spec_of(integrator)
  monkeypatch.undo()
  return spec


def test_the_motion_is_the_same(monkeypatch, integrator):
  """Winches, spools, drums, nets and lag; stiff ones that are solved with the motion too."""
  ends = []
  for own in (99, 1, 0):
    model = built(own, monkeypatch, integrator).compile()
    data = mujoco.MjData(model)
    workshop.run(model, data, 0, 150)
    views = mjc.bind(model, data)
    records = {name: data.sensor(name).data.copy() for name in sorted(views)}
    ends.append((model.nplugin, data.qpos.copy(), data.qvel.copy(), data.act.copy(), records))
  (many, *first), *others = ends
  assert [one[0] for one in others] == [3, 2] and many == len(records) > 4
  for _, *other in others:
    for a, b in zip(first[:3], other[:3], strict=True):
      assert np.array_equal(a, b)
    for name, record in first[3].items():
      assert np.array_equal(record, other[3][name]), name


def test_a_copied_spec_moves_alike(monkeypatch):
  """MuJoCo orders the instances of a copy anew: those with an actuator come first."""
  spec = built(1, monkeypatch)
  ends = []
  for one in (spec, spec.copy()):
    model = one.compile()
    data = mujoco.MjData(model)
    workshop.run(model, data, 0, 100)
    ends.append(np.concatenate([data.qpos, data.qvel, data.sensordata]))
  assert np.array_equal(*ends)


@pytest.mark.parametrize("where", ["restore", "copy", "pickle", "reset"])
def test_they_go_on_with_the_same_bits(where, monkeypatch):
  model = built(0, monkeypatch).compile()
  data = mujoco.MjData(model)
  workshop.run(model, data, 0, 60)
  state = np.zeros(mujoco.mj_stateSize(model, FULL))
  mujoco.mj_getState(model, data, state, FULL)
  if where == "copy":
    twin = copy.copy(data)
  elif where == "pickle":
    twin = pickle.loads(pickle.dumps(data))
  else:
    twin = mujoco.MjData(model)
    if where == "reset":  # what stood there before does not matter
      workshop.run(model, twin, 0, 7)
      mujoco.mj_resetData(model, twin)
    mujoco.mj_setState(model, twin, state, FULL)
  for one in (data, twin):
    workshop.run(model, one, 60, 120)
  assert np.array_equal(data.qpos, twin.qpos) and np.array_equal(data.sensordata, twin.sensordata)
  assert np.array_equal(data.plugin_state, twin.plugin_state)


def test_a_bad_number_in_one_state_harms_no_other(monkeypatch):
  """Each cable has its state to itself: a foreign one is begun anew, those beside it go on."""
  model = built(0, monkeypatch).compile()
  names = list(mjc.bind(model, mujoco.MjData(model)))
  starts = {name: mjc.parameter_slice(model, name, "stiffness").start - 3 for name in names}
  assert len({*starts.values()}) == len(names) and min(starts.values()) == 0
  for junk in (np.nan, 1e300):
    for bad in names:
      data = mujoco.MjData(model)
      mujoco.mj_step(model, data, nstep=5)
      before = data.plugin_state.copy()
      data.plugin_state[starts[bad]] = junk
      mujoco.mj_step(model, data)
      assert np.all(np.isfinite(data.qpos)) and not np.any(np.isnan(data.plugin_state))
      # the fingerprint is written anew, and the material of the others lies where it lay
      assert data.plugin_state[starts[bad]] == before[starts[bad]]
      for name, start in starts.items():
        assert name == bad or data.plugin_state[start + 1] == model.opt.timestep
        rest = slice(start + 3, start + 7)  # parameters of this simulation
        assert np.array_equal(data.plugin_state[rest], before[rest])


def sixty():
  """Cables between the world and a body, every third one commanded."""
  spec, law = mujoco.MjSpec(), mjc.Axial(stiffness=10.0, pretension=1.0)
  body = spec.worldbody.add_body()
  body.add_joint(axis=[0, 1, 0])
  body.add_geom(size=[0.1, 0, 0])
  written = {}
  for k in range(60):
    for name, owner in ((f"a{k}", spec.worldbody), (f"b{k}", body)):
      owner.add_site(name=name, pos=[0.1 * (k % 7), 0.01 * k, 1.0 + (owner is body)])
    route = [mjc.Anchor(f"a{k}"), mjc.Anchor(f"b{k}")]
    command = mjc.TensionCommand(range=(0.0, 1.0 + k)) if k % 3 == 0 else None
    cable = mjc.Cable(f"c{k}", route, law, friction=0.1 * (k % 2), take_up=command)
    mjc.add_cable(spec, cable)
    written[cable.name] = cable
  return spec, written


def test_many_cables_move_as_before(monkeypatch):
  ends = []
  for own in (members.OWN, 99):
    monkeypatch.setattr(members, "OWN", own)
    model = sixty()[0].compile()
    data = mujoco.MjData(model)
    for k in range(50):
      data.ctrl[:] = np.linspace(0.0, 1.0 + 0.01 * k, model.nu)
      mujoco.mj_step(model, data)
    assert np.array_equal(data.actuator_force, data.ctrl)
    ends.append((model.nplugin, data.qpos.copy(), data.sensordata.copy()))
  assert [one[0] for one in ends] == [6, 60]
  assert np.array_equal(ends[0][1], ends[1][1]) and ends[0][1][0] != 0
  assert np.array_equal(ends[0][2], ends[1][2])


def test_many_cables_share():
  """The first ones can be read one by one in a saved model, the others take no time of MuJoCo."""
  spec, written = sixty()
  for one in (spec, spec.copy(), mujoco.MjSpec.from_string(spec.to_xml())):
    model = one.compile()
    assert model.nplugin == 4 + 2  # passive ones in one, commanded ones in another
    assert mjc.read_cables(one) == written
    data = mujoco.MjData(model)
    views = mjc.bind(model, data)
    assert {*views} == {*written}
    mujoco.mj_forward(model, data)
    for name, view in views.items():
      a, b = (data.site(f"{end}{name[1:]}").xpos for end in "ab")
      assert view.length == pytest.approx(np.linalg.norm(b - a), rel=1e-12)
      assert (view.actuator is None) == (written[name].take_up is None)
      if view.actuator is not None:
        assert model.actuator(view.actuator).name == name
  # one value where all are the same
  shared, _ = (one for one in spec.plugins if one.config.get("cables"))
  assert shared.config["stiffness"] == "10.0" and "|" in shared.config["friction"]
  with pytest.raises(RepeatedName, match="'c50': a cable of this model"):
    mjc.add_cable(spec, written["c50"])


def test_cables_come_and_go(monkeypatch):
  spec = built(0, monkeypatch)
  cables = mjc.read_cables(spec)
  mjc.add_sensor(spec, list(cables)[2], "tension")
  for name, cable in list(cables.items())[:3]:
    mjc.remove_cable(spec, name)
    assert mjc.read_cables(spec) == {n: c for n, c in cables.items() if n != name}
    assert not [e for e in (*spec.sensors, *spec.tuples) if e.name.startswith(name)]
    mjc.add_cable(spec, cable)
    assert mjc.read_cables(spec) == cables
  assert spec.compile().nplugin == 3 + 2  # fewer than many have an instance of their own
  for name in cables:
    mjc.remove_cable(spec, name)
  assert not list(spec.plugins) and not list(spec.sensors) and not list(spec.tuples)


def test_a_cable_is_replaced_in_its_place(monkeypatch):
  spec = built(0, monkeypatch)
  for name, cable in mjc.read_cables(spec).items():
    other = with_keys(cable, damping=0.75)
    mjc.replace_cable(spec, other)
    assert mjc.read_cables(spec)[name] == other
  assert spec.compile().nplugin == 2
  assert [one.config["damping"] for one in spec.plugins] == ["0.75", "0.75"]


@pytest.mark.parametrize("seed", range(8))
def test_random_edits(seed, monkeypatch):
  """Added, removed, replaced, copied, saved and loaded: the model has what was written."""
  monkeypatch.setattr(members, "OWN", 2)
  rng = np.random.default_rng(seed)
  spec, all_of_them = sixty()
  for name in all_of_them:
    mjc.remove_cable(spec, name)
  here: dict[str, mjc.Cable] = {}
  for _ in range(60):
    what = rng.choice(["add", "add", "remove", "replace", "copy", "save"])
    name = str(rng.choice(list(all_of_them if what == "add" else here or all_of_them)))
    if what == "add" and name not in here:
      damping = float(rng.choice([0.0, 0.5, rng.uniform()]))
      here[name] = with_keys(all_of_them[name], damping=damping)
      mjc.add_cable(spec, here[name])
    elif what == "remove" and name in here:
      mjc.remove_cable(spec, name)
      del here[name]
    elif what == "replace" and name in here:
      here[name] = with_keys(here[name], friction=float(rng.choice([0.1, rng.uniform()])))
      mjc.replace_cable(spec, here[name])
    elif what == "copy":
      spec = spec.copy()
    elif what == "save":
      spec.compile()
      spec = mujoco.MjSpec.from_string(spec.to_xml())
    assert mjc.read_cables(spec) == here
  model = spec.compile()
  views = mjc.bind(model, mujoco.MjData(model))
  assert {*views} == {*here} and model.nplugin <= 2 + 2 + 2 * (len(here) > 0)
  for name, view in views.items():
    assert view.damping == pytest.approx(here[name].axial.damping, rel=1e-12)


def test_attached_with_prefix_and_suffix(monkeypatch):
  child, scene = built(1, monkeypatch), build.new_spec(timestep=1e-3)
  names = list(mjc.read_cables(child))
  scene.attach(child.copy(), prefix="left/", frame=scene.worldbody.add_frame())
  scene.attach(
    child.copy(), prefix="x-", suffix="-y", frame=scene.worldbody.add_frame(pos=[0, 9, 0])
  )
  expected = {f"left/{n}" for n in names} | {f"x-{n}-y" for n in names}
  assert {*mjc.read_cables(scene)} == expected
  model = scene.compile()
  assert model.nplugin == 6
  data = mujoco.MjData(model)
  mujoco.mj_step(model, data, nstep=30)
  views = mjc.bind(model, data)
  assert {*views} == expected
  for name in names:
    left, right = views[f"left/{name}"], views[f"x-{name}-y"]
    assert left.length == pytest.approx(right.length, rel=1e-9)
    assert left.source_tension == pytest.approx(right.source_tension, rel=1e-6, abs=1e-9)
    record = data.sensor(f"x-{name}-y").data
    assert record[0] == right.length


def test_sensors_of_a_field_go_with_an_attached_cable(monkeypatch):
  """A suffix stands behind the field: "x-hoist.tension-y" is of "x-hoist-y"."""
  child, scene = built(0, monkeypatch), build.new_spec(timestep=1e-3)
  first, second, *_ = mjc.read_cables(child)
  for name in (first, second):
    mjc.add_sensor(child, name, "tension")
  scene.attach(child, prefix="x-", suffix="-y", frame=scene.worldbody.add_frame())
  mjc.remove_cable(scene, f"x-{first}-y")
  names = {sensor.name for sensor in scene.sensors}
  assert f"x-{first}.tension-y" not in names and f"x-{second}.tension-y" in names
  model = scene.compile()
  data = mujoco.MjData(model)
  mujoco.mj_step(model, data, nstep=3)
  shown = data.sensor(f"x-{second}.tension-y").data
  assert np.array_equal(shown, mjc.bind(model, data)[f"x-{second}-y"].tension)


def test_a_cable_outlives_its_record(monkeypatch):
  """In an instance with others no sensor holds a cable alive; views solve its path anew."""
  ends = []
  for removed in (False, True):
    spec = built(0, monkeypatch)
    if removed:
      spec.delete(next(s for s in spec.sensors if s.name in mjc.read_cables(spec)))
    model = spec.compile()
    data = mujoco.MjData(model)
    workshop.run(model, data, 0, 40)
    assert {*mjc.bind(model, data)} == {*mjc.read_cables(spec)}
    ends.append(data.qpos.copy())
  # without its record a cable is not solved with the motion
  assert np.allclose(*ends, rtol=0, atol=1e-3)


def test_by_hand():
  """As the same two in instances of their own."""
  both = []
  for text in (BY_HAND, apart()):
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, nstep=50)
    views = mjc.bind(model, data)
    assert list(views) == ["left", "right"]
    assert views["right"].friction == 0.2
    assert data.sensor("right.length").data[0] == views["right"].length
    both.append((model.nplugin, data.qpos[0], *(view.length for view in views.values())))
  assert [one[0] for one in both] == [1, 2] and both[0][1:] == both[1][1:]
  cables = mjc.read_cables(mujoco.MjSpec.from_string(BY_HAND))
  assert cables["right"].friction == 0.2 and cables["left"].friction == 0.0


@pytest.mark.parametrize(
  ("old", "new", "message"),
  [
    ("|.2", "|.2|.3", r"friction has 3 values for 2 cables.*one for all of them, or one each"),
    ("left | right", "left | left", r"cables names 'left' twice"),
    ("left | right", "left | ", r"cables has no name in place 1"),
    ("left | right", "left | other", r"sensor 'right' names no field of a cable of this instance"),
    ('"50"', '"50|-1"', r"cable 'right': stiffness must be a finite number > 0, got '-1'"),
    ("anchor a; eyelet c; anchor b", "", r"cable 'right': no route"),
    ("anchor a; eyelet c", "anchor a; eyelet q", r"cable 'right': route element 1 .*'q' is not a"),
  ],
)
def test_what_is_wrong_is_said_of_the_cable(old, new, message):
  assert BY_HAND.count(old) == 1
  with pytest.raises(ValueError, match=message):
    mujoco.MjModel.from_xml_string(BY_HAND.replace(old, new))


def test_an_actuator_drives_the_cable_of_its_name():
  spec = mujoco.MjSpec.from_string(BY_HAND)
  actuator = spec.add_actuator(name="motor", trntype=mujoco.mjtTrn.mjTRN_SITE, target="b")
  actuator.plugin.name, actuator.plugin.plugin_name = "pair", "mujocable.cable"
  actuator.plugin.active = True
  with pytest.raises(ValueError, match=r"actuator 'motor' drives none .*left, right"):
    spec.compile()


def test_reading_refuses_as_the_engine_does():
  spec = mujoco.MjSpec.from_string(BY_HAND.replace("|.2", "|.2|.3"))
  with pytest.raises(BadValue, match="friction has 3 values for 2 cables"):
    mjc.read_cables(spec)


def test_names_with_a_bar_keep_an_instance_of_their_own(monkeypatch):
  monkeypatch.setattr(members, "OWN", 0)
  spec = mujoco.MjSpec.from_string(BY_HAND)
  for name in ("left", "right"):
    mjc.remove_cable(spec, name)
  law = mjc.Axial(stiffness=5.0)
  for name in ("p|q", " t", "r", "s"):
    mjc.add_cable(spec, mjc.Cable(name, [mjc.Anchor("a"), mjc.Anchor("b")], law))
  model = spec.compile()
  assert model.nplugin == 3
  assert {*mjc.bind(model, mujoco.MjData(model))} == {"p|q", " t", "r", "s"}


def test_a_bar_in_a_name_is_not_written_among_others(monkeypatch):
  monkeypatch.setattr(members, "OWN", 0)
  spec = mujoco.MjSpec.from_string(BY_HAND)
  spec.worldbody.add_site(name="x | y", pos=[0, 1, 1])
  before = mjc.read_cables(spec)
  other = replace(before["left"], route=[mjc.Anchor("x | y"), mjc.Anchor("b")])
  with pytest.raises(BadValue, match=r"'left': a name with '.' cannot stand"):
    mjc.replace_cable(spec, other)
  assert mjc.read_cables(spec) == before


def test_an_authored_name_that_the_instance_does_not_have_is_no_prefix():
  """As where an instance was copied by hand and renamed, but for its key `name`."""
  spec = mujoco.MjSpec.from_string("""<mujoco><extension><plugin plugin="mujocable.cable">
    <instance name="guys"><config key="name" value="ropes"/><config key="cables" value="one | two"/>
      <config key="route" value="anchor a; anchor b"/><config key="stiffness" value="9"/></instance>
    </plugin></extension><worldbody><site name="a"/><body pos="1 0 0"><joint/><geom size=".1"/>
    <site name="b"/></body></worldbody><sensor>
    <plugin name="one" plugin="mujocable.cable" instance="guys"/></sensor></mujoco>""")
  assert list(mjc.read_cables(spec)) == ["one", "two"]
  model = spec.compile()
  assert list(mjc.bind(model, mujoco.MjData(model))) == ["one", "two"]
