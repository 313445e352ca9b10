"""Limits as ropes: they hold as the limit held, and friction acts on them.

Judges: the model with MuJoCo's own limit; Newton's law of two weights over a rough post.
"""

import mujoco
import numpy as np
import pytest
from machines import arm

import mujocable as mjc

GRAVITY = 9.81

WEIGHTS = """
<mujoco>
  <option timestep=".0005" integrator="implicitfast" gravity="0 0 -9.81"/>
  <worldbody>
    <geom name="post" type="cylinder" size=".1 .1" pos="0 0 1" euler="90 0 0" contype="0"
      conaffinity="0"/>
    <site name="over" pos="0 0 1.3"/>
    <body pos="-.1 0 .4"> <joint name="heavy" type="slide" axis="0 0 1"/>
      <geom size=".03" mass="{heavy}" contype="0" conaffinity="0"/> <site name="heavy"/> </body>
    <body pos=".1 0 .4"> <joint name="light" type="slide" axis="0 0 1"/>
      <geom size=".03" mass="{light}" contype="0" conaffinity="0"/> <site name="light"/> </body>
  </worldbody>
  <tendon>
    <spatial name="t" range="0 {length}" limited="true" solreflimit=".002 1" {more}>
      <site site="heavy"/> <geom geom="post" sidesite="over"/> <site site="light"/>
    </spatial>
  </tendon>
</mujoco>
"""
LENGTH = 1.2 + 0.1 * np.pi


def weights(heavy=2.0, light=1.0, more=""):
  xml = WEIGHTS.format(heavy=heavy, light=light, length=repr(LENGTH), more=more)
  return mujoco.MjSpec.from_string(xml)


def fall(spec, seconds=0.3):
  """Speed of the heavy weight [m/s] and the largest stretch of the tendon [m]."""
  model = spec.compile()
  data = mujoco.MjData(model)
  stretch = 0.0
  while data.time < seconds:
    mujoco.mj_step(model, data)
    stretch = max(stretch, float(data.ten_length[0]) - LENGTH)
  return float(data.joint("heavy").qvel[0]), stretch


def test_a_tendon_that_acts_by_its_limit_becomes_a_rope():
  conversion = mjc.convert(weights())
  (one,) = conversion.converted
  assert one.cables == one.ropes == ("t:rope",) and one.changed
  assert any("its limit of 1.514 m is a rope" in note for note in one.notes)
  assert one.length_error < 1e-12 and one.arm_error < 1e-12
  assert not conversion.spec.compile().tendon_limited[0]
  cable = mjc.read_cables(conversion.spec)["t:rope"]
  assert cable.take_up is None and cable.axial.home_length == LENGTH


def test_without_friction_it_falls_as_with_the_limit():
  """a = g (m - n) / (m + n), as the native limit does it; the rope hardly stretches."""
  native, _ = fall(weights())
  rope, stretch = fall(mjc.convert(weights()).spec)
  law = -GRAVITY / 3 * 0.3
  assert rope == pytest.approx(law, rel=0.02)
  assert rope == pytest.approx(native, rel=0.02)
  assert 0 < stretch < 2e-3


@pytest.mark.parametrize("friction", [0.05, 0.15])
def test_friction_acts_on_a_rope(friction):
  """Sliding over the post: a = g (m - n e) / (m + n e) with e = exp(mu pi)."""
  ratio = np.exp(friction * np.pi)
  law = -GRAVITY * (2 - ratio) / (2 + ratio) * 0.3
  rope, _ = fall(mjc.convert(weights(), friction=friction).spec)
  assert rope == pytest.approx(law, rel=0.03)


def test_a_limit_beside_an_actuator_becomes_a_rope_on_request():
  xml = arm('range="0 .6"', '<motor name="m" tendon="t" gear="-1" ctrlrange="0 20"/>')
  spec = mujoco.MjSpec.from_string(xml)
  (auto,) = mjc.convert(spec).converted
  assert auto.cables == ("t",) and not auto.ropes
  assert "its limits stay native, without the cable's friction" in auto.notes[0]
  both = mjc.convert(spec, limits="ropes")
  assert both.converted[0].cables == ("t", "t:rope")
  (native,) = mjc.convert(weights(), limits="native").converted
  assert native.cables == ("t",) and "its limits stay native" in native.notes[0]


def test_a_lower_limit_stays_native():
  spec = mujoco.MjSpec.from_string(arm('range=".2 .6"'))
  conversion = mjc.convert(spec)
  assert any("lower limit of 0.2 m stays native" in n for n in conversion.converted[0].notes)
  model = conversion.spec.compile()
  assert model.tendon_limited[0] and model.tendon_range[0, 0] == 0.2
  assert model.tendon_range[0, 1] > 1e6


def test_the_stiffness_may_be_given():
  spec = mjc.convert(weights(), rope_stiffness=321.0).spec
  assert mjc.read_cables(spec)["t:rope"].axial.stiffness == 321.0


@pytest.mark.parametrize(
  ("attributes", "note"),
  [
    ("", "nothing pulls on it (no actuator, spring or limit)"),
    ('frictionloss=".5"', "its frictionloss stays native"),
  ],
)
def test_tendons_on_which_little_acts_are_named(attributes, note):
  (one,) = mjc.convert(mujoco.MjSpec.from_string(arm(attributes))).converted
  assert any(note in text for text in one.notes)


def test_an_equality_is_named():
  xml = arm('range="0 .9"').replace(
    "<actuator>", '<equality> <tendon tendon1="t"/> </equality> <actuator>'
  )
  (one,) = mjc.convert(mujoco.MjSpec.from_string(xml)).converted
  assert "its equality stays native, without the cable's friction" in one.notes
