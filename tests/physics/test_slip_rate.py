"""(8)-(9): cable speed past a contact, positive toward the distal end, relative to the surface.

Judge: eyelets by differentiating the downstream length in numpy; a turning sheave by R omega.
Tolerance 1e-12 relative for closed forms, 1e-7 for finite differences.
"""

import mujoco
import numpy as np
import pytest
from oracles import build

import mujocable as mjc


def eyelet_chain():
  spec = build.new_spec()
  names = []
  for i in range(5):
    limb = build.body(
      spec.worldbody, f"b{i}", pos=(0.3 * i, 0.05 * (-1) ** i, 0), com=(0.1, 0, 0.05)
    )
    limb.add_joint(name=f"j{i}", type=build.FREE)
    build.site(limb, f"p{i}", (0.02, 0.03 * i, -0.01))
    names.append(f"p{i}")
  route = [mjc.Anchor(names[0]), *map(mjc.Eyelet, names[1:-1]), mjc.Anchor(names[-1])]
  # explicit: implicit friction would show the slip at the end of the step
  cable = mjc.Cable(
    name="cable",
    route=route,
    axial=mjc.Axial(stiffness=300.0, pretension=5.0),
    friction=mjc.Sliding(0.2),
    integration="explicit",
  )
  return build.compiled(spec, cable), names


def test_slip_at_eyelets_is_the_rate_of_the_downstream_length():
  (model, data, views), names = eyelet_chain()
  view = views["cable"]
  rng = np.random.default_rng(0)
  for _ in range(10):
    mujoco.mj_resetData(model, data)
    mujoco.mj_integratePos(model, data.qpos, rng.normal(size=model.nv) * 0.05, 1.0)
    data.qvel[:] = rng.normal(size=model.nv)
    mujoco.mj_forward(model, data)
    slip, length, rate = np.array(view.slip_rate), view.length, view.length_rate
    pose = data.qpos.copy()
    down = []
    for h in (1e-6, -1e-6, 0.0):
      data.qpos[:] = pose
      mujoco.mj_integratePos(model, data.qpos, data.qvel, h)
      mujoco.mj_kinematics(model, data)
      points = np.array([data.site(n).xpos for n in names])
      pieces = np.linalg.norm(np.diff(points, axis=0), axis=1)
      down.append(np.array([pieces[i:].sum() for i in range(1, 4)]))
    want = (down[0] - down[1]) / 2e-6 - down[2] / length * rate
    assert np.abs(slip - want).max() < 1e-7 * max(1, np.abs(want).max())


@pytest.mark.parametrize("omega", [3.0, -7.0])
def test_a_turning_sheave_under_a_still_cable_slips_by_its_rim_speed(omega):
  """Ends fixed, sheave of radius R about +y turning: the rim passes under the cable at R omega."""
  radius = 0.05
  spec = build.new_spec(gravity=(0, 0, 0))
  build.site(spec.worldbody, "left", (-0.3, 0, 0))
  build.site(spec.worldbody, "right", (0.3, 0, 0.01))
  build.site(spec.worldbody, "top", (0, 0, 0.2))
  sheave = build.body(spec.worldbody, "sheave")
  sheave.add_joint(name="axle", type=build.HINGE, axis=(0, 1, 0))
  build.cylinder(sheave, "rim", (0, 0, 0), radius, axis=(0, 1, 0), half_length=0.02)
  cable = mjc.Cable(
    name="cable",
    route=[mjc.Anchor("left"), mjc.Wrap("rim", side="top"), mjc.Anchor("right")],
    axial=mjc.Axial(stiffness=1e3, pretension=4.0),
    friction=mjc.Sliding(0.25),
  )
  model, data, views = build.compiled(spec, cable)
  view = views["cable"]
  data.qvel[0] = omega
  mujoco.mj_forward(model, data)
  # +omega about +y carries the top of the rim toward +x, the distal side: cable lags behind it
  assert view.slip_rate[0] == pytest.approx(-radius * omega, rel=1e-12)
  assert view.length_rate == pytest.approx(0.0, abs=1e-15)
  # friction drags the sheave back and heats the contact with exactly the power it takes
  assert view.load[0] * omega < 0
  assert view.dissipation[0] == pytest.approx(-view.load[0] * omega, rel=1e-12)


@pytest.mark.parametrize("cables", [1, 5])
def test_a_motor_drags_material_past_a_guide_whatever_the_damper_sees(cables):
  """Five are a bundle. The length stays: what the motor takes comes evenly from all of it."""
  for rate in ("stretch", "length"):
    spec = build.new_spec()
    for name, x in (("source", 0), ("eye", 0.3), ("end", 1)):
      build.site(spec.worldbody, name, (x, 0, 0))
    route = [mjc.Anchor("source"), mjc.Eyelet("eye"), mjc.Anchor("end")]
    axial = mjc.Axial(stiffness=100.0, damping=1.0, damping_rate=rate)
    motor = mjc.SpoolRate(radius=0.1, range=(0, 5))
    winches = [mjc.Cable(f"c{k}", route, axial, take_up=motor) for k in range(cables)]
    model, data, views = build.compiled(spec, *winches)
    data.ctrl[:] = 1
    for _ in range(2):
      mujoco.mj_step(model, data)
    assert views["c0"].slip_rate[0] == pytest.approx(-0.7 * 0.1, rel=1e-12)
