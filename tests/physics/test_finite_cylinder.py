"""A MuJoCo cylinder ends, and the cable leaves it there.

With `endless` it stays, as over MuJoCo's own tendons; how far the contact lies beyond the end is
reported (`overrun`).
"""

import mujoco
import numpy as np
import pytest
from oracles import build

import mujocable as mjc


def sliding_cable(half_length, endless=True):
  """A cable over a post along y; both ends ride on a mocap body that moves along y."""
  spec = build.new_spec(gravity=(0, 0, 0))
  build.idle_joint(spec)
  build.cylinder(spec.worldbody, "post", (0, 0, 0), 0.1, axis=(0, 1, 0), half_length=half_length)
  rig = build.mocap(spec.worldbody, "rig")
  build.site(rig, "left", (-0.4, 0, 0))
  build.site(rig, "right", (0.4, 0, 0))
  build.site(spec.worldbody, "top", (0, 0, 0.2))
  route = [mjc.Anchor("left"), mjc.Wrap("post", side="top", endless=endless), mjc.Anchor("right")]
  cable = mjc.Cable(name="cable", route=route, axial=mjc.Axial(stiffness=100.0, pretension=3.0))
  model, data, views = build.compiled(spec, cable)
  return model, data, views["cable"]


def test_contact_beyond_the_end_is_reported_and_recovers():
  model, data, view = sliding_cable(0.05)
  exact = 2 * np.sqrt(0.16 - 0.01) + 0.1 * (np.pi - 2 * np.arccos(0.25))
  for y in np.concatenate([np.linspace(0, 0.12, 25), np.linspace(0.12, 0, 25)]):
    data.mocap_pos[0] = (0, y, 0)
    mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    if y < 0.049:
      assert build.is_valid(view), y
      assert view.length == pytest.approx(exact, rel=1e-9)
      assert view.overrun[0] == 0
    elif y > 0.052:
      # how far the contact lies beyond the end
      assert view.overrun[0] == pytest.approx(y - 0.05, abs=1e-9), y


def test_a_long_cylinder_is_not_reported():
  model, data, view = sliding_cable(1.0)
  for y in np.linspace(0, 0.12, 25):
    data.mocap_pos[0] = (0, y, 0)
    mujoco.mj_step(model, data)
    assert build.is_valid(view) and view.overrun[0] == 0


def test_a_cable_dragged_past_the_end_leaves_the_cylinder():
  """It was wrapped and valid 0.4 m past the end."""
  model, data, view = sliding_cable(0.05, endless=False)
  for y in np.linspace(0, 0.45, 91):
    data.mocap_pos[0] = (0, y, 0)
    mujoco.mj_step(model, data)
    on = y <= 0.05
    assert view.status == (mjc.SolveStatus.VALID if on else mjc.SolveStatus.DERAILED), y
    assert view.touching[0] == on
    assert view.source_tension > 0 or view.slack > 0
  assert view.length == pytest.approx(0.8, rel=1e-12)
  # away from the post, and over it again
  for z in [*np.linspace(0, 0.2, 20), *np.linspace(0.2, 0, 20)]:
    data.mocap_pos[0] = (0, 0.45 * (z < 0.15), z)
    mujoco.mj_step(model, data)
