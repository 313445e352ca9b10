"""A wound drum and a sheave in one span: the commonest winch, solved jointly and exactly.

Judge: planar tangents in closed form (a belt that begins on the drum); a rise along parallel axes
unrolls into the same plane. Length 1e-9 relative, wrap angle 1e-8 (tolerances of the issue).
"""

import itertools

import mujoco
import numpy as np
import pytest
from oracles import build
from oracles.belt import tangent

import mujocable as mjc

DRUM, SHEAVE = 0.05, 0.08
AXLE = (0.7, 0.2)  # of the sheave, (x, z); the drum turns about the origin
HOOK = (0.85, -0.6)


def winch(rise, source, scale=1.0, sheaves=1):
  """Drum about +y with its knot at the left, over the top to the sheave(s), down to the hook."""
  spec = build.new_spec(gravity=(0, 0, 0))
  drum = build.body(spec.worldbody, "drum")
  drum.add_joint(name="axle", type=build.HINGE, axis=(0, 1, 0))
  build.cylinder(drum, "barrel", (0, 0, 0), DRUM * scale, axis=(0, 1, 0), half_length=2 * scale)
  build.site(drum, "knot", (-DRUM * scale, 0, 0))
  build.site(spec.worldbody, "over_drum", (0, 0, 2 * DRUM * scale))
  route = [mjc.Anchor("knot"), mjc.Wrap("barrel", side="over_drum")]
  for k in range(sheaves):
    at = np.array([AXLE[0] + 0.3 * k, 0, AXLE[1] - 0.06 * k * k]) * scale
    build.cylinder(
      spec.worldbody, f"sheave{k}", at, SHEAVE * scale, axis=(0, 1, 0), half_length=2 * scale
    )
    build.site(spec.worldbody, f"over{k}", at + np.array([0, 0, 2 * SHEAVE * scale]))
    route.append(mjc.Wrap(f"sheave{k}", side=f"over{k}"))
  hook = np.array([HOOK[0] + 0.3 * (sheaves - 1), rise, HOOK[1]]) * scale
  build.site(spec.worldbody, "hook", hook)
  route.append(mjc.Anchor("hook"))
  if source == "hook":
    route.reverse()
  cable = mjc.Cable(name="hoist", route=route, axial=mjc.Axial(stiffness=100.0))
  return build.compiled(spec, cable)


def closed_form(angle, rise, sheaves):
  """Length and wrap angles (drum first) with the drum turned by `angle` about +y."""
  # signed circles in the (x, z) plane; over the top from left to right is clockwise: sign -1
  circles = [((0.0, 0.0), DRUM, -1.0)]
  circles += [((AXLE[0] + 0.3 * k, AXLE[1] - 0.06 * k * k), SHEAVE, -1.0) for k in range(sheaves)]
  end = (HOOK[0] + 0.3 * (sheaves - 1), HOOK[1])
  nodes = [*circles, (end, 0.0, 1.0)]
  lines = [tangent(*nodes[i], *nodes[i + 1]) for i in range(len(circles))]
  leaving = np.arctan2(lines[0][0][1], lines[0][0][0])
  wounds = [np.pi - angle - leaving]
  for one, two in itertools.pairwise(lines):
    e, f = one[2], two[2]
    wounds.append(-np.arctan2(e[0] * f[1] - e[1] * f[0], e @ f))
  radii = [circle[1] for circle in circles]
  flat = sum(line[3] for line in lines) + sum(r * w for r, w in zip(radii, wounds, strict=True))
  total = np.hypot(flat, rise)
  return total, np.array(wounds) * flat / total


@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e3])
@pytest.mark.parametrize("sheaves", [1, 2, 3])
@pytest.mark.parametrize("source", ["drum", "hook"])
@pytest.mark.parametrize("rise", [0.0, 0.1])
def test_winding_over_a_sheave_is_exact(rise, source, sheaves, scale):
  model, data, views = winch(rise, source, scale, sheaves)
  view = views["hoist"]
  turns = np.concatenate([np.linspace(0, -10 * np.pi, 151), np.linspace(-10 * np.pi, 0.3, 151)])
  for angle in turns:
    build.settle(model, data, [angle])
    length, wraps = closed_form(angle, rise, sheaves)
    assert build.is_valid(view), (angle, view.status, view.smoothness)
    assert view.length == pytest.approx(length * scale, rel=1e-9), angle
    got = np.asarray(view.wrap_angle)
    assert np.abs((got if source == "drum" else got[::-1]) - wraps).max() < 1e-8, angle


def test_the_reaction_on_the_drum_is_tension_times_radius():
  model, data, views = winch(0.0, "drum")
  for angle in np.linspace(0, -4 * np.pi, 41):
    data.qpos[0] = angle
    mujoco.mj_forward(model, data)
    view = views["hoist"]
    assert view.load[0] == pytest.approx(view.source_tension * DRUM, rel=1e-12, abs=1e-15)
