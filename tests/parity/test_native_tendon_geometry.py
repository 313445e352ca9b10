"""Frictionless cables against MuJoCo's own spatial tendons: length and moment arms.

Judge: native tendons over the same sites, wraps and side sites (exact closed forms up to half a
turn). Tolerance 1e-9 relative from theory section 9; the moment arm on the size of the arm.
"""

import mujoco
import numpy as np
import pytest
from oracles import build

import mujocable as mjc


def twin(rng, kind, planar):
  """A two-link arm with a wrap between a world site and a site on the last link, both ways."""
  spec = build.new_spec()
  world = spec.worldbody
  upper = build.body(world, "upper", pos=(0, 0, 0), com=(0.05, 0.02, -0.03))
  lower = build.body(upper, "lower", pos=(0.35, 0, 0), com=(0.02, -0.04, 0.05))
  axes = [(0, 1, 0), (0, 1, 0)] if planar else [rng.normal(size=3), rng.normal(size=3)]
  upper.add_joint(name="shoulder", type=build.HINGE, axis=axes[0] / np.linalg.norm(axes[0]))
  if planar:
    lower.add_joint(name="elbow", type=build.HINGE, axis=axes[1])
  else:
    lower.add_joint(name="elbow", type=build.BALL)
  radius = rng.uniform(0.03, 0.08)
  spread = 0.0 if planar else 0.04
  build.site(world, "start", (rng.uniform(-0.1, 0.0), rng.uniform(-1, 1) * spread, 0.1))
  build.site(upper, "guide", (0.12, rng.uniform(-1, 1) * spread, rng.uniform(0.08, 0.11)))
  build.site(lower, "end", (0.2, rng.uniform(-1, 1) * spread, rng.uniform(-0.02, 0.05)))
  center = np.array([0.35 + rng.uniform(-0.02, 0.02), 0, rng.uniform(-0.01, 0.02)])
  if kind == "sphere":
    build.sphere(upper, "wrap", center, radius)
  else:
    axis = (0, 1, 0) if planar else (rng.normal() * 0.3, 1, rng.normal() * 0.3)
    build.cylinder(upper, "wrap", center, radius, axis=axis, half_length=0.3)
  build.site(upper, "side", center + np.array([0, 0, 1.6 * radius]))
  tendon = spec.add_tendon(name="native")
  tendon.wrap_site("start")
  tendon.wrap_site("guide")
  tendon.wrap_geom("wrap", "side")
  tendon.wrap_site("end")
  cable = mjc.Cable(
    name="cable",
    route=[
      mjc.Anchor("start"),
      mjc.Eyelet("guide"),
      mjc.Wrap("wrap", side="side"),
      mjc.Anchor("end"),
    ],
    axial=mjc.Axial(stiffness=10.0),
  )
  return build.compiled(spec, cable)


@pytest.mark.parametrize("planar", [True, False], ids=["planar", "spatial"])
@pytest.mark.parametrize("kind", ["sphere", "cylinder"])
@pytest.mark.parametrize("seed", range(12))
def test_length_and_moment_arms_equal_the_native_tendon(kind, planar, seed):
  rng = np.random.default_rng([seed, planar, kind == "sphere"])
  model, data, views = twin(rng, kind, planar)
  view = views["cable"]
  touched = 0
  for _ in range(40):
    mujoco.mj_resetData(model, data)
    step = rng.uniform(-1, 1, model.nv) * (0.9 if planar else 0.5)
    mujoco.mj_integratePos(model, data.qpos, step, 1.0)
    mujoco.mj_forward(model, data)
    assert build.is_valid(view)
    touched += int(np.asarray(view.touching, bool)[-1])
    assert view.length == pytest.approx(data.ten_length[0], rel=1e-9)
    native = build.tendon_jacobian(model, data)
    assert np.abs(view.jacobian - native).max() < 1e-9 * max(1.0, np.abs(native).max())
    data.qvel[:] = rng.normal(size=model.nv)
    mujoco.mj_forward(model, data)
    assert view.length_rate == pytest.approx(data.ten_velocity[0], rel=1e-9, abs=1e-10)
  assert touched > 5  # the scene does exercise the wrap
