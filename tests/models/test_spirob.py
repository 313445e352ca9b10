"""The log-spiral arm: its geometry is the published one, its variants are the same arm."""

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.models import spirob


def at_rest(params):
  model = spirob.build(params).compile()
  data = mujoco.MjData(model)
  mujoco.mj_forward(model, data)
  return model, data


def test_unit_is_the_one_of_the_public_model():
  unit = spirob.public_11().unit
  assert 1e3 * unit.height == pytest.approx(15.16856, abs=5e-6)
  assert 1e3 * unit.entry == pytest.approx([11.957987, 5.518307], abs=5e-7)
  assert 1e3 * unit.exit == pytest.approx([11.214213, 14.142487], abs=5e-7)
  model, data = at_rest(spirob.public_11())
  assert mjc.bind(model, data)["cable_0"].length == pytest.approx(0.1174758, abs=5e-8)


def test_unit_of_the_18_joint_arm_is_the_inferred_one():
  params = spirob.Spirob()
  unit = params.unit
  assert 1e3 * unit.height == pytest.approx(26.323, abs=5e-4)
  assert 1e3 * unit.half_width == pytest.approx(23.975, abs=5e-4)
  assert 1e3 * np.array(unit.rim) == pytest.approx([11.064, 24.130], abs=5e-4)
  assert params.joint_stiffness()[[0, 9, 17]] == pytest.approx(
    [2.35e-2, 5.578e-4, 2.007e-5], rel=3e-4
  )
  assert params.joint_damping()[[0, 9, 17]] == pytest.approx([5e-2, 1.187e-3, 4.269e-5], rel=5e-4)
  model, _ = at_rest(params)
  assert 1e3 * model.body("unit_1").mass[0] == pytest.approx(20.594, abs=1e-3)
  assert 1e3 * model.body("unit_18").mass[0] == pytest.approx(0.185, abs=5e-4)


def test_neighboring_faces_meet_at_the_angle_of_a_unit():
  unit = spirob.Spirob().unit
  upper = np.arctan2(unit.rim[0], unit.half_width)
  lower = np.arctan2(unit.height - unit.rim[1], unit.half_width)
  assert upper + lower == pytest.approx(np.pi / 6, abs=1e-12)


def test_both_cables_at_closure_change_by_the_inferred_lengths():
  # 98.71 and 95.08 mm for a = 4.95 mm; the page's 541.7 deg at 90 mm released gave a = 4.5 mm
  model, data = at_rest(spirob.Spirob())
  cables = mjc.bind(model, data)
  home = cables["cable_0"].length
  data.qpos[:] = np.pi / 6
  mujoco.mj_forward(model, data)
  assert 1e3 * (home - cables["cable_0"].length) == pytest.approx(95.08 / 1.1, abs=5e-3)
  assert 1e3 * (cables["cable_1"].length - home) == pytest.approx(98.71 / 1.1, abs=5e-3)
  data.qpos[:] = np.deg2rad(541.71 / 18)
  mujoco.mj_forward(model, data)
  assert 1e3 * (cables["cable_1"].length - home) == pytest.approx(90.0, abs=5e-3)


@pytest.mark.parametrize("units", [2, 5, 24])
@pytest.mark.parametrize("cables", [2, 3])
@pytest.mark.parametrize("drive", ["length", "tension", "native", "none"])
def test_any_number_of_units_and_every_drive(units, cables, drive):
  params = spirob.Spirob(spiral=spirob.Spiral(units, 4.5e-3), cables=cables, drive=drive)
  model, data = at_rest(params)
  assert model.nv == (units - 1) * (cables - 1)
  assert model.nu == (0 if drive == "none" else cables)
  mujoco.mj_step(model, data, nstep=20)
  assert np.isfinite(data.qpos).all()


def test_twin_has_the_same_bodies_lengths_and_arms():
  (a, data_a), (b, data_b) = at_rest(spirob.Spirob()), at_rest(spirob.Spirob(drive="native"))
  for name in ("body_mass", "body_inertia", "jnt_range", "jnt_stiffness", "dof_damping"):
    assert np.array_equal(getattr(a, name), getattr(b, name)), name
  rng = np.random.default_rng(1)
  for _ in range(5):
    data_a.qpos[:] = data_b.qpos[:] = rng.uniform(-0.5, 0.5, a.nq)
    mujoco.mj_forward(a, data_a)
    mujoco.mj_forward(b, data_b)
    for i, view in enumerate(mjc.bind(a, data_a).values()):
      assert view.length == pytest.approx(data_b.ten_length[i], abs=1e-15)
      row = np.zeros((b.ntendon, b.nv))
      mujoco.mju_sparse2dense(row, data_b.ten_J, b.ten_J_rownnz, b.ten_J_rowadr, b.ten_J_colind)
      assert view.jacobian == pytest.approx(row[i], abs=1e-15)


@pytest.mark.parametrize("active", [0, 1, 2])
def test_three_cables_bend_toward_the_one_that_is_pulled(active):
  model, data = at_rest(spirob.Spirob(cables=3))
  commands = np.full(3, -0.02)
  commands[active] = 0.02
  data.ctrl[:] = commands
  mujoco.mj_step(model, data, nstep=1500)
  angle = 2 * np.pi * active / 3
  toward = data.site("tip").xpos[:2] @ [-np.sin(angle), np.cos(angle)]
  assert toward == pytest.approx(np.linalg.norm(data.site("tip").xpos[:2]), rel=0.02)
  assert toward > 0.05


@pytest.mark.parametrize("wrong", [dict(cables=4), dict(drive="muscle")])
def test_wrong_parameters_are_refused(wrong):
  with pytest.raises(mjc.CableError, match=r"Spirob: .* must be"):
    spirob.Spirob(**wrong)
