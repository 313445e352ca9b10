"""Planted faults are found, by name; sound models pass.

Judge: the fault itself, put there on purpose, and closed forms for bend, loss and step limit.
"""

import re
from pathlib import Path

import mujoco
import numpy as np
import pytest
from machines import MACHINES

import mujocable as mjc
from mujocable.errors import CableError
from mujocable.spec.keys import laws
from mujocable.study.check import step_limit


def pendulum(extra="", sites="", body="", timestep=0.001, joint='range="-90 90"'):
  return f"""
<mujoco>
  <option timestep="{timestep}"/>
  <worldbody>
    <site name="wall" pos="-.3 0 .2"/> {sites}
    <body name="link"> <joint name="hinge" axis="0 1 0" {joint}/>
      <geom type="capsule" fromto=".1 0 0 .4 0 0" size=".01" mass="1"/>
      <site name="tip" pos=".4 0 .05"/> {body}
    </body>
  </worldbody>
  {extra}
</mujoco>"""


def kinds(result, severity=None):
  return {f.kind for f in result.findings if severity in (None, f.severity)}


def spec_of(xml, *cables):
  spec = mujoco.MjSpec.from_string(xml)
  for cable in cables:
    mjc.add_cable(spec, cable)
  return spec


def straight(name="c", **more):
  options = {"stiffness": 500.0, "damping": 5.0} | more
  return mjc.Cable(name, [mjc.Anchor("wall"), mjc.Anchor("tip")], **laws(**options))


PULLEY = '<geom name="pulley" type="sphere" size=".06" contype="0" conaffinity="0"/>'


def test_a_sound_model_passes():
  route = [mjc.Anchor("wall"), mjc.Wrap("pulley", side="over"), mjc.Anchor("tip")]
  cable = mjc.Cable(
    "c", route, mjc.Axial(stiffness=500.0, damping=5.0, pretension_offset=0.3), friction=0.2
  )
  xml = pendulum(sites=f'{PULLEY} <site name="over" pos="0 0 .1"/>', joint='range="10 80"')
  result = mjc.check(spec_of(xml, cable))
  assert result.ok and kinds(result) <= {"lifted"}, str(result)
  (one,) = result.members
  assert one.kind == "cable" and one.wraps["pulley"] > 0.3
  # Capstan: at most exp(-mu * bend) of the tension arrives
  assert one.loss == pytest.approx(1 - np.exp(-0.2 * one.bend[1]), rel=1e-9)


def test_a_flipping_side_of_a_native_tendon():
  """The tip crosses the ray opposite the side site: MuJoCo's tendon snaps off."""
  tendon = """<tendon><spatial name="t"> <site site="wall"/> <geom geom="pulley" sidesite="under"/>
    <site site="tip"/> </spatial></tendon>"""
  xml = pendulum(tendon, f'{PULLEY} <site name="under" pos="0 0 -.1"/>', joint='range="-170 170"')
  result = mjc.check(mujoco.MjSpec.from_string(xml))
  assert "flip" in kinds(result, "error"), str(result)
  found = next(f for f in result.findings if f.kind == "flip")
  assert found.member == "t" and "jumps by" in found.text and "hinge" in found.text


def test_a_smooth_native_tendon_does_not_flip():
  xml, _ = MACHINES["muscle"]
  result = mjc.check(mujoco.MjSpec.from_string(xml))
  assert "flip" not in kinds(result), str(result)


def test_a_flipping_side_of_a_cable():
  """With a side the way round is remembered when moved, but a fresh start takes the other."""
  route = [mjc.Anchor("wall"), mjc.Wrap("pulley", side="over"), mjc.Anchor("tip")]
  cable = mjc.Cable("c", route, mjc.Axial(stiffness=500.0, pretension_offset=1.0))
  xml = pendulum(sites=f'{PULLEY} <site name="over" pos="0 0 .1"/>', joint='range="-170 170"')
  result = mjc.check(spec_of(xml, cable))
  found = [f for f in result.findings if f.kind == "flip"]
  assert found and found[0].member == "c", str(result)
  # without one a ball has one path in every pose
  free = mjc.Cable("c", [route[0], mjc.Wrap("pulley"), route[2]], mjc.Axial(stiffness=500.0))
  result = mjc.check(spec_of(xml, free))
  assert "flip" not in kinds(result), str(result)


def test_a_cable_through_a_body():
  block = '<geom name="block" type="box" size=".03 .03 .03" pos="0 0 .14"/>'
  result = mjc.check(spec_of(pendulum(sites=block), straight(pretension_offset=1.0)))
  found = next(f for f in result.findings if f.kind == "pierced")
  assert found.severity == "error" and "'block'" in found.text
  # beside the way it does not count, nor does a mere picture
  beside = block.replace('pos="0 0 .14"', 'pos="0 .5 .14"')
  picture = block.replace("/>", ' contype="0" conaffinity="0"/>')
  for harmless in (beside, picture):
    result = mjc.check(spec_of(pendulum(sites=harmless), straight(pretension_offset=1.0)))
    assert "pierced" not in kinds(result)
  assert "pierced" in kinds(mjc.check(spec_of(pendulum(sites=picture), straight()), visual=True))


def test_depth_of_a_pierced_body_is_its_chord():
  ball = '<geom name="ball" type="sphere" size=".05" pos="0 0 .14"/>'
  fixed = pendulum(sites=ball, joint='range="-0.01 0.01"')
  result = mjc.check(spec_of(fixed, straight(pretension_offset=1.0)), goals=0)
  text = next(f.text for f in result.findings if f.kind == "pierced")
  begin, end, center = np.array([-0.3, 0, 0.2]), np.array([0.4, 0, 0.05]), np.array([0, 0, 0.14])
  along = (end - begin) / np.linalg.norm(end - begin)
  off = (center - begin) - (center - begin) @ along * along
  chord = 2 * np.sqrt(0.05**2 - off @ off)
  assert float(text.split()[1]) == pytest.approx(1e3 * chord, rel=1e-2)


def test_a_route_that_goes_slack():
  result = mjc.check(spec_of(pendulum(), straight()))
  found = next(f for f in result.findings if f.kind == "slack")
  assert found.severity == "warning" and found.member == "c"
  lengths = [
    np.hypot(0.4 * np.cos(a) + 0.05 * np.sin(a) + 0.3, 0.05 * np.cos(a) - 0.4 * np.sin(a) - 0.2)
    for a in np.linspace(-np.pi / 2, np.pi / 2, 200)
  ]
  home = np.hypot(0.7, 0.15)
  assert result.members[0].slack == pytest.approx(home - min(lengths), rel=0.02)
  # a motor that can take it up turns the warning into a note
  motor = straight(take_up=mjc.LengthCommand(range=(0, 1.0)))
  found = next(f for f in mjc.check(spec_of(pendulum(), motor)).findings if f.kind == "slack")
  assert found.severity == "note" and "can take up 1e+03 mm" in found.text


def test_a_step_too_large():
  stiff = straight(stiffness=4e6, damping=0.0, pretension_offset=1.0, integration="explicit")
  result = mjc.check(spec_of(pendulum(timestep=0.002), stiff))
  found = next(f for f in result.findings if f.kind == "step")
  assert found.severity == "error" and "above" in found.text
  limit = result.members[0].largest_step
  assert 0 < limit < 0.002
  # half the limit: no complaint
  fine = mjc.check(spec_of(pendulum(timestep=0.4 * limit), stiff))
  assert "step" not in kinds(fine)
  # solved with the step: no limit
  auto = straight(stiffness=4e6, damping=0.0, pretension_offset=1.0)
  assert "step" not in kinds(mjc.check(spec_of(pendulum(timestep=0.002), auto)))


def point(mass, damping=0.0):
  """A mass on a slide, pulled along it."""
  return step_limit.Moved(np.array([[mass]]), np.array([damping]), np.array([1.0]))


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "RK4"])
@pytest.mark.parametrize("damping", [0.0, 40.0])
def test_step_limit_is_where_a_real_cable_starts_to_grow(integrator, damping):
  """A body between two taut cables on a damped slide, a little below and above the limit.

  Judge: MuJoCo's own steps. The joint's damping counts: it is implicit but for RK4.
  """
  xml = """<mujoco><option gravity="0 0 0" timestep="{step}" integrator="{integrator}"/><worldbody>
    <site name="left" pos="-1 0 0"/> <site name="right" pos="1 0 0"/>
    <body><joint type="slide" axis="1 0 0" damping="{damping}"/>
    <geom size=".05" mass=".5"/><site name="eye"/></body></worldbody></mujoco>"""

  def build(step):
    text = xml.format(step=step, integrator=integrator, damping=damping)
    cables = [
      mjc.Cable(
        end,
        [mjc.Anchor(end), mjc.Anchor("eye")],
        mjc.Axial(stiffness=1000.0, pretension=200.0),
        integration="explicit",
      )
      for end in ("left", "right")
    ]
    return spec_of(text, *cables).compile()

  # both pull on the same mass: together they have twice the stiffness
  kind = int(build(1e-3).opt.integrator)
  limit = step_limit.largest_step(kind, point(0.5, damping), 2000.0, 0.0)
  for factor, grows in ((0.97, False), (1.03, True)):
    model = build(factor * limit)
    data = mujoco.MjData(model)
    data.qpos[0] = most = 1e-6
    for _ in range(400):
      mujoco.mj_step(model, data)
      most = max(most, abs(data.qpos[0]))
      if most > 1e-2:
        break
    assert (most > 1e-2) == grows, (integrator, damping, most)


@pytest.mark.parametrize(("mass", "stiffness"), [(0.3, 2e3), (5.0, 1e6)])
def test_step_limit_of_an_undamped_oscillator(mass, stiffness):
  """Semi-implicit Euler: 2 / omega; fourth-order Runge-Kutta: 2 sqrt 2 / omega."""
  omega = np.sqrt(stiffness / mass)
  for integrator, bound in (
    (mujoco.mjtIntegrator.mjINT_EULER, 2.0),
    (mujoco.mjtIntegrator.mjINT_RK4, np.sqrt(8)),
  ):
    found = step_limit.largest_step(int(integrator), point(mass), stiffness, 0.0)
    assert found == pytest.approx(bound / omega, rel=1e-4)


def test_step_limit_is_where_a_simulation_starts_to_grow():
  """A mass on a cable-like spring in MuJoCo itself, a little below and above the limit."""
  xml = """<mujoco><option gravity="0 0 0" timestep="{}"/><worldbody><body>
    <joint type="slide" axis="1 0 0" stiffness="{}"/><geom size=".1" mass="2"/>
    </body></worldbody></mujoco>"""
  limit = step_limit.largest_step(int(mujoco.mjtIntegrator.mjINT_EULER), point(2.0), 5e3, 0.0)
  for factor, grows in ((0.99, False), (1.01, True)):
    model = mujoco.MjModel.from_xml_string(xml.format(factor * limit, 5e3))
    data = mujoco.MjData(model)
    data.qpos[0] = most = 1e-3
    for _ in range(200):
      mujoco.mj_step(model, data)
      most = max(most, abs(data.qpos[0]))
    assert (most > 1.0) == grows


def test_a_wrap_that_never_touches():
  far = '<geom name="far" type="sphere" size=".01" pos="0 0 -.5" contype="0" conaffinity="0"/>'
  route = [mjc.Anchor("wall"), mjc.Wrap("far"), mjc.Anchor("tip")]
  result = mjc.check(spec_of(pendulum(sites=far), mjc.Cable("c", route, mjc.Axial(stiffness=1.0))))
  assert any(f.kind == "lifted" and "never touches wrap 'far'" in f.text for f in result.findings)


def test_bend_and_loss_of_a_native_tendon():
  """Two corners of a polyline, by hand."""
  tendon = """<tendon><spatial name="t"> <site site="wall"/> <site site="a"/> <site site="b"/>
    <site site="tip"/> </spatial></tendon>"""
  sites = '<site name="a" pos="-.1 0 .4"/> <site name="b" pos=".2 0 .4"/>'
  xml = pendulum(tendon, sites, joint='range="-0.001 0.001"')
  (one,) = mjc.check(mujoco.MjSpec.from_string(xml), friction=0.3, goals=0).members
  points = np.array([[-0.3, 0, 0.2], [-0.1, 0, 0.4], [0.2, 0, 0.4], [0.4, 0, 0.05]])
  steps = np.diff(points, axis=0)
  steps /= np.linalg.norm(steps, axis=1)[:, None]
  bend = sum(np.arccos(steps[i] @ steps[i + 1]) for i in range(2))
  assert one.kind == "tendon"
  assert one.bend[1] == pytest.approx(bend, abs=2e-4)
  assert one.loss == pytest.approx(1 - np.exp(-0.3 * bend), abs=1e-4)


def test_findings_are_plain_data():
  result = mjc.check(spec_of(pendulum(), straight()), goals=2)
  data = result.to_dict()
  assert data["members"][0]["name"] == "c" and data["findings"][0]["kind"]
  assert "c: slack" in str(result)


@pytest.mark.parametrize("bad", [{"goals": -1}, {"steps": 1}, {"friction": -0.1}])
def test_bad_options_are_refused(bad):
  with pytest.raises(CableError, match=f"check: {next(iter(bad))} must be"):
    mjc.check(spec_of(pendulum(), straight()), **bad)


def test_rounding_is_no_slack():
  """The README's own cable hangs straight and taut: its length is home's but for the last bit."""
  readme = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
  (xml,) = re.findall(r"```xml\n(.*?)```", readme, re.DOTALL)
  result = mjc.check(mujoco.MjSpec.from_string(xml), goals=2)
  assert not result.findings


@pytest.mark.parametrize(
  ("wheel", "joint", "turns"),
  [
    ("", "<joint axis='0 1 0'/>", True),
    ("", "<joint axis='0 1 0' damping='.1'/>", True),
    ("", "", False),
    ("", "<joint axis='0 1 0' range='-1 1'/>", False),
    ("", "<joint axis='0 1 0' frictionloss='.1'/>", False),
    ("", "<joint axis='0 1 0' pos='.01 0 0'/>", False),
    ("", "<joint axis='1 0 0'/>", False),
    ("<geom size='.01' pos='.05 0 0'/>", "<joint axis='0 1 0'/>", False),
  ],
)
def test_friction_takes_nothing_at_a_wheel_that_turns_with_the_cable(wheel, joint, turns):
  """A post takes 1 - exp(-mu phi); a sheave on a bearing of its own passes everything on."""
  spec = mujoco.MjSpec.from_string(f"""
  <mujoco>
    <worldbody>
      <site name="motor" pos="-.5 0 0"/> <site name="over" pos="0 0 1.5"/>
      <body pos="0 0 1"> {joint} {wheel}
        <geom name="wheel" type="cylinder" size=".05 .02" euler="90 0 0"/> </body>
      <body pos=".05 0 0"> <joint name="lift" type="slide" axis="0 0 1" range="-.1 .1"/>
        <geom size=".03" contype="0" conaffinity="0"/> <site name="hook"/> </body>
    </worldbody>
  </mujoco>""")
  route = [mjc.Anchor("motor"), mjc.Wrap("wheel", side="over"), mjc.Anchor("hook")]
  taken = mjc.LengthCommand(range=(0.0, 0.3))
  mjc.add_cable(spec, mjc.Cable("c", route, mjc.Axial(EA=1e4), friction=0.3, take_up=taken))
  (one,) = mjc.check(spec, goals=0).members
  assert one.loss == pytest.approx(0.0 if turns else 1 - np.exp(-0.3 * one.bend[1]), abs=1e-9)
