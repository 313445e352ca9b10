"""A commanded tension without stiffness, over surfaces that rub: no energy, no creep, no jump.

The string of such a cable does not stretch, so all that its motor gives is in the masses that it
pulls, or in the heat of what slips.
"""

import mujoco
import numpy as np
import pytest

import mujocable as mjc

GRAVITY, RADIUS, LOAD = 9.81, 0.05, 1.0


def built(spec, route, friction):
  law = mjc.TensionCommand(range=(0, 1000))
  mjc.add_cable(spec, mjc.Cable("hoist", route, mjc.Axial(), friction=friction, take_up=law))
  model = spec.compile()
  data = mujoco.MjData(model)
  return model, data, mjc.bind(model, data)["hoist"]


def wheel(name, mass, inertia, at="0 0 0", frictionloss=0.0):
  return f"""<body pos="{at}"><joint name="{name}" axis="0 1 0" frictionloss="{frictionloss}"/>
    <inertial pos="0 0 0" mass="{mass}" diaginertia="{inertia} {inertia} {inertia}"/>
    <geom name="{name}" type="cylinder" size="{RADIUS} .01" euler="90 0 0" contype="0"
      conaffinity="0"/></body>"""


def over_a_sheave(mass, pull, timestep, friction=0.4, integrator="implicitfast", frictionloss=0.0):
  """A motor to the left pulls a weight up over a sheave that turns freely: a hoop."""
  spec = mujoco.MjSpec.from_string(f"""<mujoco>
    <option timestep="{timestep}" integrator="{integrator}"/><worldbody>
      <site name="motor" pos="-2 0 {RADIUS}"/><site name="top" pos="0 0 {2 * RADIUS}"/>
      {wheel("rim", mass, mass * RADIUS**2, frictionloss=frictionloss)}
      <body pos="{RADIUS} 0 -9"><joint type="slide" axis="0 0 1"/>
        <geom size=".01" mass="{LOAD}"/><site name="hook"/></body>
    </worldbody></mujoco>""")
  route = [mjc.Anchor("motor"), mjc.Wrap("rim", side="top"), mjc.Anchor("hook")]
  model, data, view = built(spec, route, friction)
  data.ctrl[0] = pull
  return model, data, view


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "RK4"])
@pytest.mark.parametrize("timestep", [2e-3, 5e-4])
@pytest.mark.parametrize("mass", [0.005, 0.05, 0.5])
def test_a_wheel_comes_to_rest_on_its_string(mass, timestep, integrator):
  """Within the cone nothing slips: weight and wheel go as over a rope, and nothing is heated."""
  model, data, view = over_a_sheave(mass, 1.2 * LOAD * GRAVITY, timestep, integrator=integrator)
  heat = 0.0
  for _ in range(round(1 / timestep)):
    mujoco.mj_step(model, data)
    heat += timestep * view.dissipation[0]
  force = 0.2 * LOAD * GRAVITY
  acceleration = force / (LOAD + mass)
  # the first steps stretch the pieces at the contact until they carry the wheel
  assert data.qvel[1] == pytest.approx(acceleration, rel=1e-5)
  assert view.tension[1] == pytest.approx(LOAD * (GRAVITY + acceleration), rel=1e-5)
  assert -RADIUS * data.qvel[0] == pytest.approx(data.qvel[1], rel=1e-5)
  # positions are those of the first order in the step
  assert data.qpos[1] == pytest.approx(acceleration / 2, rel=1.2 * timestep)
  assert heat < 1e-5 * force * data.qpos[1]


@pytest.mark.parametrize("integrator", ["implicitfast", "RK4"])
@pytest.mark.parametrize("timestep", [2e-3, 5e-4])
@pytest.mark.parametrize("mass", [0.005, 0.05, 0.5, 5.0])
def test_a_tackle_moves_by_the_energy_of_its_motor(mass, timestep, integrator):
  """Two sheaves, one of them in the block that is lifted; the string ends at the ceiling."""
  inertia = mass * RADIUS**2 / 2
  spec = mujoco.MjSpec.from_string(f"""<mujoco>
    <option timestep="{timestep}" integrator="{integrator}"/><worldbody>
      <site name="motor" pos="-1 0 {RADIUS}"/><site name="top" pos="0 0 .2"/>
      <site name="ceiling" pos="{3 * RADIUS} 0 0"/>{wheel("upper", mass, inertia)}
      <body pos="{2 * RADIUS} 0 -4"><joint name="lift" type="slide" axis="0 0 1"/>
        <geom size=".01" mass="{LOAD}"/><site name="bottom" pos="0 0 -.2"/>
        {wheel("lower", mass, inertia)}</body>
    </worldbody></mujoco>""")
  route = [
    mjc.Anchor("motor"), mjc.Wrap("upper", side="top"), mjc.Wrap("lower", side="bottom"),
    mjc.Anchor("ceiling"),
  ]  # fmt: skip
  model, data, view = built(spec, route, 0.5)
  weight = (LOAD + mass) * GRAVITY
  data.ctrl[0] = 0.6 * weight
  heat = 0.0
  for _ in range(round(1 / timestep)):
    mujoco.mj_step(model, data)
    heat += timestep * view.dissipation.sum()
  # the upper sheave turns twice as fast as the lower one
  acceleration = 0.2 * weight / (LOAD + mass + 4 * mass / 2 + mass / 2)
  speed = data.joint("lift").qvel[0]
  assert speed == pytest.approx(acceleration, rel=1e-4)
  # of what the first steps stretch, some may slip
  assert heat < 1e-4 * 0.6 * weight * 2 * acceleration / 2


def test_vibration_does_not_overcome_the_bearing():
  """A bearing that holds a wheel holds it as well where the pull trembles."""
  crept = []
  for tremble in (0.0, 0.6):
    model, data, _ = over_a_sheave(0.5, 0.0, 2e-3, frictionloss=0.075)
    model.dof_damping[1] = 2
    for k in range(1000):
      data.ctrl[0] = LOAD * GRAVITY + 0.5 + tremble * np.sin(1.7 * k)
      mujoco.mj_step(model, data)
    crept.append(data.qpos[1])
  # MuJoCo's own bearing is soft, and lets it creep
  assert crept[1] == pytest.approx(crept[0], rel=1e-2)


@pytest.mark.parametrize("timestep", [1e-3, 2e-4])
def test_tension_stays_where_a_surface_lets_go_or_touches(timestep):
  """Behind an eyelet a post is pressed to the string, and leaves it."""
  spec = mujoco.MjSpec.from_string(f"""<mujoco>
    <option timestep="{timestep}" gravity="0 0 0"/><worldbody>
      <site name="motor" pos="-1 0 -1"/><site name="eyelet" pos="-1 0 0"/>
      <site name="above" pos="0 0 2"/><site name="hook" pos="1 0 0"/>
      <body mocap="true" name="post" pos="0 0 -.08"><geom name="post" type="cylinder"
        size=".1 .05" euler="90 0 0"/></body>
    </worldbody></mujoco>""")
  route = [
    mjc.Anchor("motor"), mjc.Eyelet("eyelet"), mjc.Wrap("post", side="above"), mjc.Anchor("hook"),
  ]  # fmt: skip
  model, data, view = built(spec, route, 0.5)
  data.ctrl[0] = 10.0
  before, jumps, tensions = None, [], []
  for k in range(round(2 / timestep)):
    # slowly: the string has no stiffness but what the step can follow
    data.mocap_pos[0, 2] = -0.08 + 0.05 * np.sin(2 * np.pi * k * timestep)
    mujoco.mj_step(model, data)
    now = bool(view.touching[1]), view.tension[1:].copy()
    if before is not None and before[0] != now[0]:
      # the sum of both would be twice as much
      jumps.append(np.abs(now[1] - before[1].mean()).max() / before[1].mean())
    before = now
    tensions.append(now[1])
  assert len(jumps) == 4
  assert max(jumps) < 200 * timestep
  # the contact lets go from within its cone: both ends of it are then alike
  assert np.min(tensions) > 10 / np.exp(0.5 * (np.pi / 2 + 0.3))


@pytest.mark.parametrize("cables", [1, 5])  # five through guides are a bundle
@pytest.mark.parametrize("guide", ["post", "ring"])
@pytest.mark.parametrize("finer", [0.5, 0.9, 2.0])
def test_what_hangs_on_friction_does_not_feel_another_step(cables, guide, finer):
  """How stiff the pieces are follows from the step; the tension that they hold does not."""
  side = range(cables)
  motors = "".join(f'<site name="m{i}" pos="-2 {i} .05"/>' for i in side)
  rings = "".join(f'<site name="ring{i}" pos=".05 {i} .05"/>' for i in side)
  posts = "".join(
    f'<geom name="post{i}" type="cylinder" size=".05 .1" pos="0 {i} 0" euler="90 0 0"/>'
    for i in side
  )
  weights = "".join(
    f"""<body pos=".05 {i} -1"><joint name="z{i}" type="slide" axis="0 0 1" damping="1"/>
      <geom size=".01" mass="{LOAD}"/><site name="hook{i}"/></body>"""
    for i in side
  )
  spec = mujoco.MjSpec.from_string(f"""<mujoco><option timestep="2e-3"/>
    <worldbody>{motors}{rings}{posts}{weights}</worldbody></mujoco>""")
  law = mjc.TensionCommand(range=(0, 1000))
  for i in side:
    over = mjc.Eyelet(f"ring{i}") if guide == "ring" else mjc.Wrap(f"post{i}", side=(0, 1, 0))
    route = [mjc.Anchor(f"m{i}"), over, mjc.Anchor(f"hook{i}")]
    mjc.add_cable(spec, mjc.Cable(f"c{i}", route, mjc.Axial(), friction=0.4, take_up=law))
  model = spec.compile()
  data = mujoco.MjData(model)
  views = mjc.bind(model, data)
  weight = LOAD * GRAVITY
  data.ctrl[:] = 1.1 * weight
  for _ in range(2000):
    mujoco.mj_step(model, data)
  model.opt.timestep /= finer
  for _ in range(20):
    mujoco.mj_step(model, data)
    for view in views.values():
      assert view.stuck[0] and view.tension[1] == pytest.approx(weight, rel=1e-6)
