"""Parameters by name: what is written is what is read back, and nothing else changes."""

import pickle

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.errors import CableError
from mujocable.models import finger, spirob, winch
from mujocable.runtime.controls import control_names
from mujocable.spec.keys import with_keys
from mujocable.study.jobs.point import model_of, own_part
from mujocable.study.parameters import (
  check,
  parameter,
  settings,
  value_of,
  write_settings,
  written,
)

SPEC = finger.build()


@pytest.mark.parametrize(
  ("text", "value"),
  [
    ("flexor.friction", 0.2),
    ("flexor.friction[2]", 0.3),
    ("flexor.stiffness", 500.0),
    ("flexor.rate_limit", 0.1),
    ("flexor.lag", 0.05),
    ("extensor.reserve", 0.001),
    ("flexor.radius", 0.0006),
    ("site:flexor:before_mcp.y", 0.012),
    ("geom:mcp_pulley.radius", 0.009),
    ("joint:mcp.stiffness", 0.01),
    ("joint:mcp.damping", 0.001),
  ],
)
def test_what_is_written_is_read_back(text, value):
  one, cables = parameter(text), mjc.read_cables(SPEC)
  check(SPEC, one, cables)
  changed = written(SPEC, [(one, value)], cables)
  model = changed.compile()
  assert value_of(changed, one, mjc.read_cables(changed)) == pytest.approx(value)
  assert control_names(model) == control_names(SPEC.compile())
  # the same model otherwise: put back, every number is as it was
  back = written(changed, [(one, value_of(SPEC, one, cables))], mjc.read_cables(changed))
  same, plain = back.compile(), SPEC.copy().compile()
  assert np.array_equal(same.site_pos, plain.site_pos)
  assert np.array_equal(same.geom_size, plain.geom_size)
  a, b = mujoco.MjData(same), mujoco.MjData(plain)
  for model, data in ((same, a), (plain, b)):
    data.ctrl[:] = 0.01, -0.01
    mujoco.mj_step(model, data, nstep=200)
  assert np.array_equal(a.qpos, b.qpos)


def test_every_cable_and_every_site_that_matches():
  cables = mjc.read_cables(SPEC)
  found = mjc.read_cables(written(SPEC, [(parameter("*.friction"), 0.25)], cables))
  assert all(one.friction == 0.25 for one in found.values())
  arm = spirob.build()
  one = parameter("site:cable_0:*.y_scale")
  check(arm, one, mjc.read_cables(arm))
  wider = written(arm, [(one, 1.5)], mjc.read_cables(arm))
  for site in arm.sites:
    factor = 1.5 if site.name.startswith("cable_0:") else 1.0
    assert wider.site(site.name).pos[1] == pytest.approx(factor * site.pos[1])


def test_a_pretension_in_newtons_is_kept_with_another_stiffness():
  spec = winch.build()
  cable = mjc.read_cables(spec)["hoist"]
  mjc.remove_cable(spec, "hoist")

  mjc.add_cable(spec, with_keys(cable, pretension=100.0, pretension_offset=None))
  one = parameter("hoist.stiffness")
  for value in (5e3, 5e4):
    model = written(spec, [(one, value)], mjc.read_cables(spec)).compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    view = mjc.bind(model, data)["hoist"]
    assert view.stiffness * view.stretch == pytest.approx(100.0, rel=1e-9)


WEIGHT = """
<mujoco>
  <worldbody>
    <site name="motor" pos="0 0 1"/>
    <body> <joint type="slide" axis="0 0 1" damping="20"/> <geom size=".1" mass="3"/>
      <site name="hook"/> </body>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize("law", [{"EA": 2e3}, {"stiffness": 2e3}])
@pytest.mark.parametrize(
  ("field", "value"),
  [("stiffness", 3e3), ("home_length", 0.9), ("damping", 30.0), ("max_tension", 40.0)],
)
def test_what_is_simulated_is_what_is_written(law, field, value):
  """A point of a sweep or fit, and the model of it: taken in far, a rigidity is no stiffness."""
  spec = mujoco.MjSpec.from_string(WEIGHT)
  motor = mjc.LengthCommand(range=(0.0, 0.5))
  ends = [mjc.Anchor("motor"), mjc.Anchor("hook")]
  mjc.add_cable(spec, mjc.Cable("rope", ends, mjc.Axial(**law), take_up=motor))
  cables, given = mjc.read_cables(spec), [(parameter(f"rope.{field}"), value)]
  own = own_part(spec, given, cables)
  found = []
  for model, several in (
    (model_of(pickle.dumps(spec.compile()), own), own.settings),
    (written(spec, given, cables).compile(), ()),
  ):
    data = mujoco.MjData(model)
    write_settings(model, data, several)
    tension = []
    for step in range(500):
      data.ctrl[0] = min(0.5, 0.002 * step)
      mujoco.mj_step(model, data)
      tension.append(mjc.bind(model, data)["rope"].source_tension)
    found.append(tension)
  assert found[0] == pytest.approx(found[1], abs=1e-9) and max(found[0]) > 30


@pytest.mark.parametrize(
  ("text", "message"),
  [
    ("flexor", "cannot read the parameter 'flexor'"),
    ("flexr.friction", "no cable 'flexr'; cables here: .* did you mean 'flexor'"),
    ("flexor.frction", "a cable has no 'frction'; accepted: .* did you mean 'friction'"),
    ("flexor.friction[9]", r"from 0 to its contacts - 1 \(5\)"),
    ("flexor.spool", "has no effect"),
    ("site:nowhere.x", "no site 'nowhere'"),
    ("joint:mcp.x", "a joint has no 'x'; accepted: stiffness"),
  ],
)
def test_what_is_not_there_is_named(text, message):
  with pytest.raises(CableError, match=message):
    check(SPEC, parameter(text), mjc.read_cables(SPEC))


PARTS = """
<mujoco>
  <worldbody>
    <geom name="post" type="cylinder" size=".03" fromto="0 -.05 .1 0 .05 .2" mass="1"/>
    <site name="rod" type="capsule" size=".01" fromto="0 0 0 .2 .1 0"/>
    <body name="given">
      <inertial pos="0 0 0" mass=".3" diaginertia="1e-3 1e-3 1e-3"/>
      <joint name="a"/> <geom name="shell" size=".1" mass="1"/>
    </body>
    <body name="summed"> <joint name="b"/> <geom name="load" size=".1" mass="1"/> </body>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize(
  ("text", "value", "moved"),
  [
    ("geom:post.z", 0.35, [0.0, 0.0, 0.35]),
    ("geom:post.x", -0.1, [-0.1, 0.0, 0.15]),
    ("geom:post.z_scale", 2.0, [0.0, 0.0, 0.3]),
    ("site:rod.x_scale", 0.5, [0.05, 0.05, 0.0]),
  ],
)
def test_what_is_given_by_its_two_ends_moves_as_a_whole(text, value, moved):
  spec, one = mujoco.MjSpec.from_string(PARTS), parameter(text)
  check(spec, one, {})
  changed = written(spec, [(one, value)], {})
  before, after = spec.compile(), changed.compile()
  kind = one.kind
  assert getattr(after, kind)(one.name).pos == pytest.approx(moved)
  if not text.endswith("scale"):
    assert value_of(changed, one, {}) == pytest.approx(value)
    home = getattr(before, kind)(one.name).pos["xyz".index(one.field)]
    assert value_of(spec, one, {}) == pytest.approx(home)
  # neither turned nor stretched
  assert getattr(after, kind)(one.name).quat == pytest.approx(getattr(before, kind)(one.name).quat)
  assert getattr(after, kind)(one.name).size == pytest.approx(getattr(before, kind)(one.name).size)


@pytest.mark.parametrize("name", ["shell", "post"])
def test_a_mass_that_no_body_feels_is_refused(name):
  spec = mujoco.MjSpec.from_string(PARTS)
  check(spec, parameter("geom:load.mass"), {})
  with pytest.raises(CableError, match="has no effect: its body does not move, or its <inertial>"):
    check(spec, parameter(f"geom:{name}.mass"), {})
  spec.compiler.inertiafromgeom = mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE
  check(spec, parameter("geom:shell.mass"), {})


SHEATHED = """
<mujoco>
  <worldbody>
    <site name="motor" pos="-.5 0 0"/>
    <site name="in" pos="-.4 0 0" euler="0 90 0"/>
    <site name="out" pos="0 0 .3" euler="0 90 0"/>
    <site name="guide" pos=".2 0 .2"/>
    <body pos=".4 0 .3">
      <joint type="slide" axis="1 0 0"/> <geom size=".02"/> <site name="end"/>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize(("contact", "friction"), [(1, [0.3, 0.3, 0.1]), (2, [0.1, 0.1, 0.3])])
def test_a_contact_means_the_same_in_a_model_and_in_a_simulation(contact, friction):
  """A sheath is two contacts: what stands behind it is counted after both."""
  spec = mujoco.MjSpec.from_string(SHEATHED)
  route = [
    mjc.Anchor("motor"),
    mjc.Sheath("in", "out", length=0.6),
    mjc.Eyelet("guide"),
    mjc.Anchor("end"),
  ]
  mjc.add_cable(spec, mjc.Cable("bowden", route, mjc.Axial(stiffness=1e3), friction=0.1))
  one, cables = parameter(f"bowden.friction[{contact}]"), mjc.read_cables(spec)
  check(spec, one, cables)
  model = spec.copy().compile()
  data = mujoco.MjData(model)
  write_settings(model, data, settings([(one, 0.3)], cables))
  assert mjc.bind(model, data)["bowden"].friction.tolist() == friction
  changed = written(spec, [(one, 0.3)], cables)
  model = changed.compile()
  assert mjc.bind(model, mujoco.MjData(model))["bowden"].friction.tolist() == friction
  assert value_of(changed, one, mjc.read_cables(changed)) == 0.3
  with pytest.raises(CableError, match=r"from 0 to its contacts - 1 \(2\)"):
    check(spec, parameter("bowden.friction[3]"), cables)


BY_HAND = """
<mujoco>
  <size nuser_site="1"/>
  <extension>
    <plugin plugin="mujocable.cable">
      <instance name="text">
        <config key="name" value="text"/>
        <config key="route" value="anchor low; wrap post side=over friction=0.2; anchor end"/>
        <config key="stiffness" value="1000"/> <config key="take_up" value="length"/>
        <config key="lag" value="0.1"/>
      </instance>
      <instance name="seeded">
        <config key="name" value="seeded"/>
        <config key="seed" value="seed"/> <config key="surfaces" value="post"/>
        <config key="stiffness" value="900"/> <config key="pretension" value="4"/>
      </instance>
    </plugin>
  </extension>
  <worldbody>
    <site name="low" pos="-.5 0 0" user="1"/>
    <site name="over" pos="0 0 .5" user="2"/>
    <geom name="post" type="cylinder" size=".05 .1" euler="90 0 0" pos="0 0 .2"/>
    <body pos=".2 0 0">
      <joint type="slide" axis="0 0 1"/> <geom size=".02"/> <site name="end" user="1"/>
    </body>
  </worldbody>
  <tendon>
    <spatial name="seed"> <site site="low"/> <site site="over"/> <site site="end"/> </spatial>
  </tendon>
  <actuator>
    <plugin name="motor" plugin="mujocable.cable" instance="text" site="end" gear="0"
            dyntype="filter" dynprm=".1" ctrllimited="true" ctrlrange="0 1"/>
  </actuator>
  <sensor>
    <plugin name="text" plugin="mujocable.cable" instance="text"/>
    <plugin name="seeded" plugin="mujocable.cable" instance="seeded"/>
  </sensor>
</mujoco>
"""


@pytest.mark.parametrize("prefix", ["", "left/"])
@pytest.mark.parametrize(
  ("text", "value"),
  [("text.lag", 0.3), ("text.radius", 0.01), ("seeded.radius", 0.01), ("seeded.pretension", 7.0)],
)
def test_a_cable_written_by_hand_varies_like_others(prefix, text, value):
  """Judge: the same file with the other number in it."""

  def model_of(xml):
    one = mujoco.MjSpec.from_string(xml)
    if not prefix:
      return one
    spec = mujoco.MjSpec.from_string('<mujoco><size nuser_site="1"/></mujoco>')
    spec.attach(one, prefix=prefix, frame=spec.worldbody.add_frame())
    return spec

  def motion(spec):
    model = spec.compile()
    data = mujoco.MjData(model)
    data.ctrl[:] = 0.02
    mujoco.mj_step(model, data, nstep=100)
    return np.concatenate([data.qpos, data.act])

  cable, key = text.split(".")
  instance = f'<instance name="{cable}">'
  own = f'<config key="{key}" value="{value}"/>'
  before, _, after = BY_HAND.partition(instance)
  inside, end, rest = after.partition("</instance>")
  lines = [line for line in inside.split("<config ") if f'"{key}"' not in line]
  judge = before + instance + "<config ".join(lines) + own + end + rest
  judge = model_of(judge.replace('dynprm=".1"', ""))
  spec, one = model_of(BY_HAND), parameter(prefix + text)
  cables = mjc.read_cables(spec)
  check(spec, one, cables)
  changed = written(spec, [(one, value)], cables)
  assert value_of(changed, one, mjc.read_cables(changed)) == value
  assert np.array_equal(motion(changed), motion(judge))
