"""Conversion of what models in the wild contain, each planted: odd names, coincident sites, a site
inside a wrap in a keyframe, coupled joints, a thousand tendons.

Judge: the model before conversion, with MuJoCo's own tendons.
"""

import mujoco
import numpy as np
import pytest
from machines import MACHINES, arm

import mujocable as mjc
from mujocable.study.convert.exact_xml import exact_xml
from mujocable.study.poses import feasible_poses

NAMES = ["a.b", "rect.abd.r", "x.tension", "two words", "größe", "腱", "a'b", "half;half", "50%20"]


def renamed(word):
  """The arm with a motor; its tendon, its wraps and its sites bear a word in their names."""
  xml = MACHINES["motor"][0]
  for name in ("wall", "boss", "over_boss", "guide", "knuckle", "over_knuckle", "tip"):
    xml = xml.replace(f'"{name}"', f'"{name} {word}"' if " " in word else f'"{name}{word}"')
  return xml.replace('"t"', f'"{word}"')


@pytest.mark.parametrize("word", NAMES)
def test_any_name_converts_and_survives_a_file(word):
  spec = mujoco.MjSpec.from_string(renamed(word))
  conversion = mjc.convert(spec, friction=0.1, poses=4)
  assert [one.tendon for one in conversion.converted] == [word], str(conversion)
  again = mujoco.MjSpec.from_string(conversion.to_xml())
  assert mjc.read_cables(again) == mjc.read_cables(conversion.spec)
  tensions = []
  for model in (conversion.spec.compile(), again.compile()):
    data = mujoco.MjData(model)
    data.ctrl[:], data.qvel[:] = 5.0, [-1, -3]  # the arm comes up: the cable runs in
    mujoco.mj_step(model, data, nstep=20)
    tensions.append(mjc.bind(model, data)[word].tension)
  assert tensions[0][0] == 5.0 and tensions[0][-1] < 4.99
  assert np.array_equal(*tensions)


@pytest.mark.parametrize("word", ["a.b", "two words"])
def test_an_odd_name_may_be_attached_twice(word):
  """By reference or by text: each copy carries its own tendon, and shows its own field."""
  child = mjc.convert(mujoco.MjSpec.from_string(renamed(word)), poses=2).spec
  mjc.add_sensor(child, word, "tension")
  text = exact_xml(child)
  parent = mujoco.MjSpec()
  parent.option.timestep = child.option.timestep
  for side in ("left.", "right."):
    frame = parent.worldbody.add_frame(pos=[0, len(side), 0])
    parent.attach(mujoco.MjSpec.from_string(text), frame=frame, prefix=side)
  model = parent.compile()
  data = mujoco.MjData(model)
  data.ctrl[:] = [3.0, 7.0]
  mujoco.mj_forward(model, data)
  for side, pull in (("left.", 3.0), ("right.", 7.0)):
    assert mjc.bind(model, data)[side + word].source_tension == pull
    shown = data.sensor(f"{side}{word}.tension").data
    assert shown.size == 4 and np.allclose(shown, pull)


TWINS = """
  <site site="wall"/> <site site="guide"/> <site site="twin"/>
  <geom geom="knuckle" sidesite="over_knuckle"/> <site site="tip"/> <site site="tip_twin"/>
"""


def test_coincident_sites_are_one():
  """Two sites of a body in one place, on the way and at the end."""
  xml = arm(actuator='<motor tendon="t" gear="-1" ctrlrange="0 20"/>', route=TWINS)
  xml = xml.replace('<site name="guide"', '<site name="twin" pos=".1 0 .07"/> <site name="guide"')
  xml = xml.replace('<site name="tip"', '<site name="tip_twin" pos=".18 0 .04"/> <site name="tip"')
  conversion = mjc.convert(mujoco.MjSpec.from_string(xml))
  (one,) = conversion.converted
  assert one.route == "wall > guide > knuckle > tip"
  assert one.length_error < 1e-12 and one.arm_error < 1e-12


def test_sites_that_meet_at_a_hinge_are_one():
  route = '<site site="wall"/> <site site="hub"/> <site site="pin"/> <site site="tip"/>'
  xml = arm(actuator='<motor tendon="t" gear="-1" ctrlrange="0 20"/>', route=route)
  xml = xml.replace('<site name="guide"', '<site name="hub" pos=".3 0 0"/> <site name="guide"')
  xml = xml.replace('<site name="tip"', '<site name="pin"/> <site name="tip"')
  (one,) = mjc.convert(mujoco.MjSpec.from_string(xml)).converted
  assert one.route == "wall > hub > tip"
  assert one.length_error < 1e-12 and one.arm_error < 1e-12


@pytest.mark.parametrize("side", ["over_knuckle", "hub"])
def test_a_wrap_that_never_acts_is_left_out(side):
  """A site of the wrap's own body lies inside it: MuJoCo drops it in every pose, inside or out."""
  route = f'<site site="wall"/> <site site="in"/> <geom geom="knuckle" sidesite="{side}"/>'
  xml = arm(
    actuator='<motor tendon="t" gear="-1" ctrlrange="0 20"/>', route=f'{route}<site site="tip"/>'
  ).replace(
    '<site name="guide"',
    '<site name="hub" pos=".3 .01 0"/> <site name="in" pos=".29 0 .01"/> <site name="guide"',
  )
  (one,) = mjc.convert(mujoco.MjSpec.from_string(xml)).converted
  assert one.route == "wall > in > tip"
  assert one.length_error < 1e-12 and one.arm_error < 1e-12


COUPLED = """
<mujoco>
  <compiler autolimits="true"/>
  <worldbody>
    <site name="wall" pos="-.1 0 .02"/>
    <body>
      <joint name="knee" axis="0 1 0" range="0 100"/>
      <geom name="roller" type="cylinder" size=".05 .1" euler="90 0 0" contype="0" conaffinity="0"/>
      <geom type="capsule" fromto="0 0 0 .2 0 0" size=".01" contype="0" conaffinity="0"/>
      <site name="over" pos="0 0 .1"/>
      <body pos=".06 0 .03">
        <joint name="glide_x" type="slide" axis="1 0 0" range="-.2 .2"/>
        <joint name="glide_z" type="slide" axis="0 0 1" range="-.2 .2"/>
        <geom size=".005" contype="0" conaffinity="0"/>
        <site name="cap"/>
      </body>
    </body>
  </worldbody>
  <equality>
    <joint joint1="glide_x" joint2="knee" polycoef="0 .01 .002 0 0"/>
    <joint joint1="glide_z" joint2="knee" polycoef="0 .004 0 0 0"/>
  </equality>
  <tendon>
    <spatial name="t">
      <site site="wall"/> <geom geom="roller" sidesite="over"/> <site site="cap"/>
    </spatial>
  </tendon>
  <actuator> <muscle tendon="t" force="10" lengthrange=".1 .3"/> </actuator>
  {more}
</mujoco>
"""


def test_poses_keep_to_equalities_and_limits():
  """Left to themselves, the slides put the cap inside the roller in half of all poses."""
  spec = mujoco.MjSpec.from_string(COUPLED.format(more=""))
  model = spec.compile()
  poses = feasible_poses(model, 50, seed=3)
  assert len(poses) == 51 and sum(pose.random for pose in poses) == 50
  knees = []
  for pose in poses[1:]:
    knee, x, z = pose.qpos
    knees.append(knee)
    assert -1e-6 < knee < np.deg2rad(100) + 1e-6
    assert x == pytest.approx(0.01 * knee + 0.002 * knee**2, abs=1e-6)
    assert z == pytest.approx(0.004 * knee, abs=1e-6)
  assert np.ptp(knees) > 1.2
  conversion = mjc.convert(spec)
  assert not conversion.kept, str(conversion)
  free = spec.copy()
  for equality in free.equalities:
    free.delete(equality)
  (one,) = mjc.convert(free, paths="ours", share=1.0).converted
  assert one.differing or one.no_path  # and alone they would go where no knee goes


def test_check_moves_coupled_joints_together():
  """The path of the cap is that of its polynomial: the tendon is as long as there, never longer."""
  spec = mujoco.MjSpec.from_string(COUPLED.format(more=""))
  model = spec.compile()
  data = mujoco.MjData(model)
  lengths = []
  for knee in np.linspace(0, np.deg2rad(100), 400):
    data.qpos[:] = knee, 0.01 * knee + 0.002 * knee**2, 0.004 * knee
    mujoco.mj_fwdPosition(model, data)
    lengths.append(float(data.ten_length[0]))
  (seen,) = mjc.check(spec, goals=4).members
  assert seen.length == pytest.approx((min(lengths), max(lengths)), abs=1e-4)


def test_poses_that_cannot_be_are_given_up():
  """Two welds that contradict each other: home and keyframes remain, and the model converts."""
  torn = '<connect site1="cap" site2="wall"/> <connect site1="cap" site2="over"/>'
  xml = COUPLED.format(more="").replace("</equality>", f"{torn}</equality>")
  conversion = mjc.convert(mujoco.MjSpec.from_string(xml))
  assert conversion.pose_names == ("home",) and len(conversion.converted) == 1


LOOP = """
<mujoco>
  <worldbody>
    <body pos="0 0 1"> <joint name="a" axis="0 1 0" range="-80 80"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.3" size=".01" contype="0" conaffinity="0"/>
      <body pos="0 0 -.3"> <joint name="b" axis="0 1 0" range="-80 80"/>
        <geom type="capsule" fromto="0 0 0 .4 0 0" size=".01" contype="0" conaffinity="0"/>
        <site name="hand" pos=".2 0 0"/>
      </body>
    </body>
    <body name="crank" pos=".4 0 1"> <joint name="c" axis="0 1 0" range="-80 80"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.3" size=".01" contype="0" conaffinity="0"/>
    </body>
    <site name="wall" pos="-.3 0 1"/>
  </worldbody>
  <equality> <connect site1="end" site2="pin"/> </equality>
  <tendon> <spatial name="t" range="0 .62" limited="true">
    <site site="wall"/> <site site="hand"/> </spatial> </tendon>
</mujoco>
"""


def test_poses_close_loops_and_keep_tendons_within_their_limits():
  """A four-bar linkage: its coupler's end stays on the crank, the strap is never too long."""
  xml = LOOP.replace('<site name="hand"', '<site name="end" pos=".4 0 0"/> <site name="hand"')
  xml = xml.replace(
    'size=".01" contype="0" conaffinity="0"/>\n    </body>\n    <site name="wall"',
    'size=".01" contype="0" conaffinity="0"/>\n'
    '      <site name="pin" pos="0 0 -.3"/>\n    </body>\n    <site name="wall"',
  )
  model = mujoco.MjModel.from_xml_string(xml)
  data = mujoco.MjData(model)
  poses = [pose for pose in feasible_poses(model, 20, seed=0) if pose.random]
  assert len(poses) == 20
  for pose in poses:
    pose.take(model, data)
    mujoco.mj_forward(model, data)
    assert np.linalg.norm(data.site("end").xpos - data.site("pin").xpos) < 1e-5
    assert data.ten_length[0] < 0.62 + 1e-5
  assert np.ptp([pose.qpos[0] for pose in poses]) > 0.3


def test_a_site_inside_a_wrap_in_a_keyframe_is_named():
  """The keyframe is among the poses: it is named, or the engine has a path there, like MuJoCo's."""
  key = '<keyframe> <key name="folded" qpos="2.0 -.055 -.03"/> </keyframe>'
  spec = mujoco.MjSpec.from_string(COUPLED.format(more=key))
  model = spec.compile()
  data = mujoco.MjData(model)
  mujoco.mj_resetDataKeyframe(model, data, 0)
  mujoco.mj_forward(model, data)
  assert np.linalg.norm(data.site("cap").xpos - data.geom("roller").xpos) < 0.04  # of 0.05
  conversion = mjc.convert(spec)
  assert "keyframe 'folded'" in conversion.pose_names
  if conversion.kept:
    (one,) = conversion.kept
    assert one.kind == "no path"
    assert "no valid path in keyframe 'folded'" in one.reason
    assert "site 'cap' lies inside wrap 'roller'" in one.reason
  else:
    (one,) = conversion.converted
    assert "keyframe 'folded'" not in one.no_path
    assert not one.differing or any("lies inside wrap 'roller'" in why for why in one.reasons)


def many(count):
  """A chain of 20 links with tendons over its joints."""
  links = 20
  xml = '<mujoco><default><geom contype="0" conaffinity="0"/></default><worldbody>'
  for i in range(links):
    xml += (
      f'<body pos="{0.1 * (i > 0)} 0 0"><joint axis="0 1 0" range="-30 30"/>'
      '<geom type="capsule" fromto="0 0 0 .1 0 0" size=".01"/>'
      f'<geom name="w{i}" type="cylinder" size=".015 .05" euler="90 0 0"/>'
      f'<site name="up{i}" pos="0 0 .05"/><site name="s{i}" pos=".05 0 .02"/>'
    )
  xml += "</body>" * links + "</worldbody><tendon>"
  for k in range(count):
    i = k % (links - 1)
    xml += (
      f'<spatial name="t{k}"><site site="s{i}"/><geom geom="w{i + 1}" sidesite="up{i + 1}"/>'
      f'<site site="s{i + 1}"/></spatial>'
    )
  xml += "</tendon><actuator>"
  xml += "".join(f'<general tendon="t{k}" gainprm="-1" ctrlrange="0 1"/>' for k in range(count))
  return mujoco.MjSpec.from_string(xml + "</actuator></mujoco>")


def test_cost_is_linear_in_the_number_of_tendons():
  """Calls into Python, not seconds: twice the tendons, at most twice the calls and a little."""
  import sys

  def calls(count):
    spec, total = many(count), 0

    def watch(_frame, event, _argument):
      nonlocal total
      total += event in ("call", "c_call")

    sys.setprofile(watch)
    try:
      conversion = mjc.convert(spec, poses=2)
    finally:
      sys.setprofile(None)
    assert len(conversion.converted) == count
    return total

  calls(10)  # what is loaded late is loaded now
  few, twice = calls(100), calls(200)
  assert twice < 2.1 * few


def test_a_thousand_tendons():
  conversion = mjc.convert(many(1000), friction=0.1, poses=4)
  assert len(conversion.converted) == 1000
  assert max(one.length_error for one in conversion.converted) < 1e-12
  assert len(mjc.read_cables(conversion.spec)) == 1000


def test_a_free_platform_moves_in_the_poses_that_are_compared():
  """Its tendons' lengths are those of the poses, not that of home sixty-five times."""
  spec = mujoco.MjSpec.from_string("""
  <mujoco>
    <worldbody>
      <site name="left" pos="-1 0 1"/> <site name="right" pos="1 0 1"/>
      <body name="platform"> <freejoint/> <geom size=".1"/>
        <site name="a" pos="-.1 0 .1"/> <site name="b" pos=".1 0 .1"/>
        <body> <joint axis="0 1 0" range="-60 60"/> <geom size=".1"/>
          <site name="c" pos="0 0 -.4"/> </body> </body>
    </worldbody>
    <tendon>
      <spatial name="one"> <site site="left"/> <site site="a"/> <site site="c"/> </spatial>
      <spatial name="two"> <site site="right"/> <site site="b"/> </spatial>
      <spatial name="own"> <site site="a"/> <site site="c"/> </spatial>
    </tendon>
    <actuator> <motor tendon="one"/> <motor tendon="two"/> <motor tendon="own"/> </actuator>
  </mujoco>""")
  conversion = mjc.convert(spec, poses=32)
  assert all(one.differing == 0 for one in conversion.converted)
  moved = conversion.places[:, :3] - conversion.places[0, :3]
  far = np.linalg.norm(moved, axis=1)
  shortest = spec.compile().tendon_length0[:2].min()
  assert np.unique(far[1:]).size == 32 and 0.05 * shortest < far.max() <= 0.1 * shortest
  # one that only its own tendons hold together moves them as a whole
  alone = mjc.convert(spec, only=["own"], poses=8)
  assert np.all(alone.places[:, :7] == alone.places[0, :7])
