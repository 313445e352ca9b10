"""What add_cable writes, element by element."""

import re

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.errors import RepeatedName, UnknownCable

OBJ = mujoco.mjtObj


def test_instance_and_tuple(spec, hoist):
  mjc.add_cable(spec, hoist)
  (instance,) = spec.plugins
  assert (instance.name, instance.plugin_name) == ("hoist", "mujocable.cable")
  assert instance.config == {
    "name": "hoist",
    "contacts": "wrap; eyelet friction=0.1",
    "stiffness": "2000.0",
    "damping": "1.0",
    "friction": "0.15",
    "max_tension": "50.0",
    "take_up": "length",
  }
  (route,) = spec.tuples
  assert route.name == "hoist"
  assert list(zip(route.objtype, route.objname, route.objprm, strict=True)) == [
    (OBJ.mjOBJ_SITE, "motor", 0),
    (OBJ.mjOBJ_GEOM, "sheave", 0),
    (OBJ.mjOBJ_SITE, "hint", 1),
    (OBJ.mjOBJ_SITE, "guide", 0),
    (OBJ.mjOBJ_SITE, "hook", 7),
  ]


def test_a_side_point_stays_in_the_geom_frame(spec):
  route = [mjc.Anchor("motor"), mjc.Wrap("ball", side=(0, 0, 1)), mjc.Anchor("hook")]
  mjc.add_cable(spec, mjc.Cable("c", route, mjc.Axial(stiffness=1.0)))
  assert spec.plugins[0].config["contacts"] == "wrap side=0.0,0.0,1.0"
  assert list(spec.tuples[0].objprm) == [0, 0, 7]


def test_a_passive_cable_has_a_record_but_no_actuator(spec):
  route = [mjc.Anchor("motor"), mjc.Anchor("hook")]
  mjc.add_cable(spec, mjc.Cable("c", route, mjc.Axial(stiffness=1.0)))
  assert (len(spec.actuators), len(spec.tendons)) == (0, 0)
  assert [(s.name, s.plugin.name) for s in spec.sensors] == [("c", "c")]
  assert "contacts" not in spec.plugins[0].config
  assert "take_up" not in spec.plugins[0].config


def test_a_spool_joint_is_a_reference(spec):
  route = [mjc.Anchor("motor"), mjc.Anchor("hook")]
  spool = mjc.SpoolJoint("drum", 0.05)
  mjc.add_cable(spec, mjc.Cable("c", route, mjc.Axial(stiffness=1.0), take_up=spool))
  assert (spec.tuples[0].objname[2], spec.tuples[0].objprm[2]) == ("drum", 2)
  assert spec.tuples[0].objtype[2] == OBJ.mjOBJ_JOINT
  assert spec.plugins[0].config["spool_radius"] == "0.05"
  assert len(spec.actuators) == 0


DYN = mujoco.mjtDyn


@pytest.mark.parametrize(
  ("take_up", "dyntype", "keys"),
  [
    (mjc.LengthCommand((0, 0.1)), DYN.mjDYN_NONE, {}),
    (mjc.LengthCommand((0, 0.1), lag=0.2), DYN.mjDYN_FILTER, {"lag": "0.2"}),
    (mjc.LengthCommand((0, 0.1), rate_limit=3), DYN.mjDYN_FILTER, {"rate_limit": "3.0"}),
    (mjc.SpoolAngle(0.05, (0, 9)), DYN.mjDYN_NONE, {"spool_radius": "0.05"}),
    (mjc.SpoolRate(0.05, (-9, 9)), DYN.mjDYN_INTEGRATOR, {"spool_radius": "0.05"}),
    (mjc.TensionCommand((0, 90)), DYN.mjDYN_NONE, {}),
    (mjc.TensionCommand((0, 90), lag=0.01), DYN.mjDYN_FILTER, {"lag": "0.01"}),
  ],
)
def test_a_commanded_cable_is_an_ordinary_actuator(spec, take_up, dyntype, keys):
  route = [mjc.Anchor("motor"), mjc.Anchor("hook")]
  mjc.add_cable(spec, mjc.Cable("c", route, mjc.Axial(stiffness=1.0), take_up=take_up))
  config = spec.plugins[0].config
  written = ("lag", "rate_limit", "spool_radius")
  assert config["take_up"] == take_up.kind
  assert {key: config[key] for key in written if key in config} == keys
  model = spec.compile()
  actuator = model.actuator("c")
  assert tuple(actuator.ctrlrange) == take_up.range
  assert actuator.ctrllimited[0]
  assert actuator.dyntype[0] == dyntype
  assert model.na == (dyntype != DYN.mjDYN_NONE)
  if dyntype == DYN.mjDYN_FILTER:
    assert 0 < actuator.dynprm[0] == pytest.approx(take_up.lag, abs=1e-8)


def test_no_range_no_limits(spec):
  route = [mjc.Anchor("motor"), mjc.Anchor("hook")]
  mjc.add_cable(
    spec, mjc.Cable("c", route, mjc.Axial(stiffness=1.0), take_up=mjc.LengthCommand(None))
  )
  assert not spec.compile().actuator("c").ctrllimited[0]


def carrier(bodies: str) -> list[str]:
  """The sites of the carrier of a cable over sites or wraps on these bodies of a little tree."""
  tree = mujoco.MjSpec()
  parents = {"a": None, "b": "a", "c": "b", "d": "b", "e": None}
  made = {}
  for name, parent in parents.items():
    above = made[parent] if parent else tree.worldbody
    made[name] = above.add_body(name=name)
    made[name].add_joint(type=mujoco.mjtJoint.mjJNT_HINGE)
    made[name].add_geom(name=name, type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.1, 0, 0])
    made[name].add_site(name=name)
  tree.worldbody.add_site(name="w")
  tree.worldbody.add_site(name="v")
  first, *inner, last = bodies
  # capital letters: only a wrap stands on that body
  elements = [mjc.Wrap(b.lower()) if b.isupper() else mjc.Eyelet(b) for b in inner]
  route = [mjc.Anchor(first), *elements, mjc.Anchor(last)]
  take_up = mjc.LengthCommand((0, 1))
  mjc.add_cable(tree, mjc.Cable("x", route, mjc.Axial(stiffness=1.0), take_up=take_up))
  for site in tree.sites:
    if site.name.startswith("x:"):
      assert (site.group, site.rgba[3]) == (5, 0)
  if not tree.tendons:
    return [tree.actuators[0].target]
  return [wrap.target.name for wrap in tree.tendons[0].path]


@pytest.mark.parametrize(
  ("bodies", "sites"),
  [
    ("wc", ["c"]),  # what moves the tip is all that is loaded
    ("wabc", ["c"]),  # bodies between touch no further dof
    ("abc", ["c"]),
    ("cbd", ["c", "b", "d"]),  # the parent of both tips is loaded too: b is their top
    ("cd", ["c", "d"]),
    ("cad", ["c", "a", "d"]),  # a reaches above what c and d share
    ("cbae", ["c", "e"]),  # no common top in the route
    ("aeb", ["e", "b"]),
    ("wEc", ["x:carrier:e", "c"]),  # a body with a wrap only gets a hidden site
    ("wEbc", ["x:carrier:e", "c"]),  # two trees share no dof: the world is not needed
    ("wBc", ["c"]),
    ("wCb", ["x:carrier:c"]),  # the tip has a wrap only
    ("wv", ["w"]),  # nothing moves
  ],
)
def test_the_carrier_touches_every_dof_with_few_sites(bodies, sites):
  assert carrier(bodies) == sites


@pytest.mark.parametrize("axle", ["", "<joint/>"])
def test_the_carrier_is_a_site_or_a_bare_hidden_tendon(hoist, axle):
  """A sheave that turns is a second tip: no one site moves with all that the cable loads."""
  scene = f"""
    <mujoco>
      <default>
        <tendon limited="true" range="0 1" stiffness="9" damping="3" frictionloss="2" armature="1"/>
        <general gear="7" ctrlrange="-1 1" forcerange="-1 1" forcelimited="true" dyntype="filter"
          actrange="-1 1" actlimited="true" biastype="affine" damping="3" armature="1"
          delay="0.01" nsample="3"/>
      </default>
      <worldbody>
        <site name="motor" pos="-0.3 0 0"/>
        <site name="hint" pos="0 0 1.2"/>
        <site name="guide" pos="0.05 0 0.6"/>
        <body pos="0 0 1">
          {axle}
          <geom name="sheave" type="cylinder" size="0.05 0.02" euler="90 0 0"/>
        </body>
        <body pos="0.05 0 0.2"><joint/><geom size="0.02"/><site name="hook"/></body>
      </worldbody>
    </mujoco>"""
  if mujoco.mj_version() < 4000000:  # no such default of tendons yet
    scene = scene.replace('frictionloss="2" armature="1"', 'frictionloss="2"')
  spec = mujoco.MjSpec.from_string(scene)
  mjc.add_cable(spec, hoist)
  for model in (spec.compile(), mujoco.MjModel.from_xml_string(spec.to_xml())):
    assert model.ntendon == bool(axle)
    for name in ("limited", "actfrclimited", "stiffness", "damping", "frictionloss", "armature"):
      assert not getattr(model, f"tendon_{name}").any(), name
    if axle:
      assert (model.tendon_group[0], model.tendon_rgba[0, 3]) == (5, 0)
    else:
      assert model.site(model.actuator_trnid[0, 0]).name == "hook"
    for name in ("forcelimited", "actlimited", "damping", "armature", "delay", "dyntype"):
      assert not getattr(model, f"actuator_{name}").any(), name
    assert tuple(model.actuator_gear[0]) == (-1 if axle else 0, 0, 0, 0, 0, 0)
    assert tuple(model.actuator_ctrlrange[0]) == (0, 0.1)
    assert model.na == 0


def test_keyframes_of_the_model_survive(spec, hoist):
  spec.add_key(name="up", qpos=[0, 0.1, 0, 1, 0, 0, 0])
  mjc.add_cable(spec, hoist)
  assert spec.compile().key("up").ctrl.shape == (1,)


def test_a_sensor_of_one_field(spec, hoist):
  mjc.add_cable(spec, hoist)
  mjc.add_sensor(spec, "hoist", "tension")
  assert spec.compile().sensor("hoist.tension").dim[0] == 3
  with pytest.raises(UnknownCable, match=r"cable 'hoits' is not in .* did you mean 'hoist'\?"):
    mjc.add_sensor(spec, "hoits", "tension")
  with pytest.raises(mjc.CableError, match=r"no field 'tenson'; accepted: length,"):
    mjc.add_sensor(spec, "hoist", "tenson")
  with pytest.raises(RepeatedName, match=r"a sensor 'hoist\.tension' is already in this model"):
    mjc.add_sensor(spec, "hoist", "tension")


def test_remove_undoes_add(spec, hoist):
  empty = spec.to_xml()
  mjc.add_cable(spec, hoist)
  other = mjc.Cable("other", [mjc.Anchor("motor"), mjc.Anchor("far")], mjc.Axial(stiffness=1.0))
  mjc.add_cable(spec, other)
  mjc.add_sensor(spec, "hoist", "tension")
  mjc.remove_cable(spec, "hoist")
  assert mjc.read_cables(spec) == {"other": other}
  mjc.add_cable(spec, hoist)
  mjc.remove_cable(spec, "hoist")
  mjc.remove_cable(spec, "other")
  extension = '  <extension>\n    <plugin plugin="mujocable.cable"/>\n  </extension>\n\n'
  assert spec.to_xml().replace(extension, "") == empty
  with pytest.raises(
    UnknownCable, match="cable 'hoist' is not in this model; no named cables here"
  ):
    mjc.remove_cable(spec, "hoist")


def test_a_replaced_cable_keeps_its_places():
  """Also one through a sheath, whose two ends stand on bodies of their own."""
  from mujocable.models import bowden_elbow

  spec = bowden_elbow.build()
  before = spec.compile()
  for cable in mjc.read_cables(spec).values():
    mjc.replace_cable(spec, cable)
  after = spec.compile()
  for kind in ("actuator", "sensor"):
    count = getattr(before, f"n{kind}")
    assert [getattr(m, kind)(i).name for m in (before, after) for i in range(count)] == 2 * [
      getattr(before, kind)(i).name for i in range(count)
    ]
  ends = []
  for model in (before, after):
    data = mujoco.MjData(model)
    data.ctrl[:] = 0.01
    for _ in range(50):
      mujoco.mj_step(model, data)
    ends.append(data.qpos)
  assert np.array_equal(*ends)


LINKS = 4
CARRIERS = {
  "site": ("", ""),
  "fixed": (
    '<fixed name="t">'
    + "".join(f'<joint joint="j{i}" coef="1"/>' for i in range(LINKS))
    + "</fixed>",
    'tendon="t"',
  ),
  "spatial": (
    '<spatial name="t"><site site="a"/><site site="s3"/></spatial>',
    'tendon="t"',
  ),
}


def arm_carried_by(kind: str) -> mujoco.MjModel:
  """A chain with a cable, between two motors of its joints."""
  arm = "".join(
    f'<body pos=".1 0 0"><joint name="j{i}" axis="0 1 0" range="-2 2"/><geom size=".02"/>'
    f'<site name="s{i}" pos="0 0 .02"/>'
    for i in range(LINKS)
  )
  spec = mujoco.MjSpec.from_string(
    '<mujoco><worldbody><site name="a" pos="0 0 .02"/>'
    f"{arm}{'</body>' * LINKS}</worldbody></mujoco>"
  )
  for joint in ("j0", "j2"):
    motor = spec.add_actuator(name=joint, target=joint, trntype=mujoco.mjtTrn.mjTRN_JOINT)
    motor.gainprm[0] = 0.001
    if joint == "j0":
      route = [mjc.Anchor("a"), *(mjc.Eyelet(f"s{i}") for i in range(LINKS - 1)), mjc.Anchor("s3")]
      pull = mjc.LengthCommand(range=(0, 0.1))
      mjc.add_cable(
        spec, mjc.Cable("c", route, mjc.Axial(stiffness=500.0), friction=0.2, take_up=pull)
      )
      mjc.add_cable(spec, mjc.Cable("e", route[::2], mjc.Axial(stiffness=300.0), take_up=pull))
  xml = spec.to_xml()
  tendon, transmission = CARRIERS[kind]
  if tendon:
    (cable,) = re.findall(r'<plugin name="c"[^>]*/>', xml)
    assert 'site="s3"' in cable and re.search(r'gear="0[ 0]*"', cable)
    other = re.sub(r'gear="0[ 0]*"', 'gear="-1"', cable.replace('site="s3"', transmission))
    xml = xml.replace(cable, other)
    xml = xml.replace("<actuator>", f"<tendon>{tendon}</tendon><actuator>")
  return mujoco.MjModel.from_xml_string(xml)


def test_the_kind_of_the_carrier_does_not_change_the_motion():
  ends = []
  for kind in CARRIERS:
    model = arm_carried_by(kind)
    data = mujoco.MjData(model)
    data.ctrl[:] = 1, 0.02, 0.01, -1
    for _ in range(200):
      mujoco.mj_step(model, data)
    seen = (data.qpos, data.qvel, data.qfrc_actuator, data.actuator_length, data.actuator_velocity)
    ends.append(np.concatenate(seen))
  assert np.array_equal(ends[0], ends[1]) and np.array_equal(ends[0], ends[2])
  assert np.abs(ends[0]).max() > 0.01


def test_moment_rows_of_cables_and_motors_stand_side_by_side():
  """What MuJoCo packs at the front and the cables put at the end do not overlap."""
  model = arm_carried_by("site")
  data = mujoco.MjData(model)
  data.ctrl[:] = 1, 0.02, 0.01, -1
  for _ in range(50):
    mujoco.mj_step(model, data)
  mujoco.mj_forward(model, data)
  rows = np.zeros((model.nu, model.nv))
  mujoco.mju_sparse2dense(
    rows, data.actuator_moment, data.moment_rownnz, data.moment_rowadr, data.moment_colind
  )
  cables = mjc.bind(model, data)
  names = [model.actuator(i).name for i in range(model.nu)]
  assert names == ["j0", "c", "e", "j2"]
  assert np.array_equal(rows[0], [1, 0, 0, 0]) and np.array_equal(rows[3], [0, 0, 1, 0])
  for i, name in ((1, "c"), (2, "e")):
    cable = cables[name]
    assert cable.source_tension > 0.1
    # to rounding
    np.testing.assert_allclose(rows[i] * cable.source_tension, cable.load, rtol=1e-13, atol=1e-15)
  np.testing.assert_allclose(rows.T @ data.actuator_force, data.qfrc_actuator, rtol=1e-12, atol=0)
  used = [range(a, a + n) for a, n in zip(data.moment_rowadr, data.moment_rownnz, strict=True)]
  places = [place for row in used for place in row]
  assert len(set(places)) == len(places) == model.nJmom and max(places) < model.nJmom


def test_a_site_has_places_for_dofs_of_every_kind_of_joint():
  """MuJoCo's own count of places is the judge: the row ends where they end."""
  spec = mujoco.MjSpec.from_string("""
    <mujoco>
      <worldbody>
        <site name="a" pos="0 0 .5"/>
        <body><freejoint/><geom size=".1"/>
          <body pos=".3 0 0"><joint type="ball"/><geom size=".05"/><site name="b" pos="0 0 .1"/>
            <body pos=".3 0 0"><joint name="j" axis="0 1 0"/><joint type="slide"/><geom size=".05"/>
              <site name="c" pos="0 .1 0"/>
            </body>
          </body>
        </body>
      </worldbody>
    </mujoco>""")
  route = [mjc.Anchor("a"), mjc.Eyelet("b"), mjc.Anchor("c")]
  pull = mjc.LengthCommand(range=(0, 0.1))
  mjc.add_cable(spec, mjc.Cable("x", route, mjc.Axial(stiffness=500.0), take_up=pull))
  spec.add_actuator(name="j", target="j", trntype=mujoco.mjtTrn.mjTRN_JOINT)
  model = mujoco.MjModel.from_xml_string(spec.to_xml())
  data = mujoco.MjData(model)
  data.ctrl[:] = 0.05, 1
  mujoco.mj_forward(model, data)
  assert (model.nv, model.nJmom) == (11, 11 + 1)
  assert list(data.moment_rownnz) == [11, 1] and list(data.moment_rowadr) == [1, 0]
  cable = mjc.bind(model, data)["x"]
  assert cable.source_tension > 1
  motor = np.array([dof == model.joint("j").dofadr[0] for dof in range(model.nv)])
  # rounding of loads of some 30 N, summed in another order
  np.testing.assert_allclose(data.qfrc_actuator, cable.load + motor, rtol=0, atol=1e-12)
