"""(12): what every kind of take-up means, on a straight cable of length 1 + x.

Judge: arithmetic. Tolerance 1e-12 relative.
"""

import mujoco
import numpy as np
import pytest
from oracles import build
from oracles.straight import cart, law

import mujocable as mjc

KAPPA = 2000.0


def test_a_length_command_shortens_the_rest_length():
  model, data, view = cart(
    stiffness=KAPPA, transition=0.0, take_up=mjc.LengthCommand(range=(-0.05, 0.1))
  )
  for u in (0.0, 0.03, 0.1, -0.02):
    data.ctrl[0] = u
    mujoco.mj_forward(model, data)
    assert view.take_up == pytest.approx(u, abs=1e-15)
    assert view.rest_length == pytest.approx(1 - u, rel=1e-14)
    assert view.source_tension == pytest.approx(KAPPA * max(0.0, u), rel=1e-12)


def test_a_command_beyond_its_range_is_clamped():
  model, data, view = cart(
    stiffness=KAPPA, transition=0.0, take_up=mjc.LengthCommand(range=(0.0, 0.1))
  )
  assert model.actuator("cable").ctrlrange == pytest.approx([0.0, 0.1])
  data.ctrl[0] = 5.0
  mujoco.mj_forward(model, data)
  assert view.take_up == pytest.approx(0.1, rel=1e-14)
  data.ctrl[0] = -5.0
  mujoco.mj_forward(model, data)
  assert view.take_up == 0.0


def test_a_spool_angle_takes_in_radius_times_angle():
  model, data, view = cart(
    stiffness=KAPPA, transition=0.0, take_up=mjc.SpoolAngle(radius=0.02, range=(-3.0, 50.0))
  )
  data.ctrl[0] = 2.5
  mujoco.mj_forward(model, data)
  assert view.take_up == pytest.approx(0.05, rel=1e-14)
  assert view.source_tension == pytest.approx(KAPPA * 0.05, rel=1e-12)


def test_a_spool_rate_is_integrated_in_the_state():
  model, data, view = cart(
    stiffness=1.0, transition=0.0, take_up=mjc.SpoolRate(radius=0.02, range=(-3.0, 3.0))
  )
  model.dof_damping[:] = 100.0  # keep the cart where it is
  for step in range(200):
    data.ctrl[0] = 2.0 if step < 100 else -1.0
    mujoco.mj_step(model, data)
  mujoco.mj_forward(model, data)
  want = 0.02 * (2.0 * 100 - 1.0 * 100) * model.opt.timestep
  assert view.take_up == pytest.approx(want, rel=1e-10)


def test_a_spool_joint_takes_in_by_its_turning_and_feels_the_reaction():
  model, data, view = cart(
    stiffness=KAPPA, transition=0.0, take_up=mjc.SpoolJoint(joint="spool", radius=0.03)
  )
  spool = model.joint("spool")
  data.qpos[spool.qposadr[0]] = 7.5  # more than a turn
  mujoco.mj_forward(model, data)
  assert view.take_up == pytest.approx(0.225, rel=1e-14)
  assert view.source_tension == pytest.approx(KAPPA * 0.225, rel=1e-12)
  assert view.load[spool.dofadr[0]] == pytest.approx(-KAPPA * 0.225 * 0.03, rel=1e-12)
  assert data.qfrc_passive[spool.dofadr[0]] == pytest.approx(-KAPPA * 0.225 * 0.03, rel=1e-12)


@pytest.mark.parametrize("limit", [np.inf, 8.0])
def test_a_tension_command_is_the_source_tension(limit):
  options = {} if np.isinf(limit) else {"max_tension": limit}
  model, data, view = cart(take_up=mjc.TensionCommand(range=(0.0, 20.0)), **options)
  for u in (0.0, 3.0, 12.0, 50.0, -4.0):
    data.ctrl[0] = u
    mujoco.mj_forward(model, data)
    want = min(max(u, 0.0), 20.0, limit)
    assert view.source_tension == pytest.approx(want, rel=1e-14)
    assert view.load[0] == pytest.approx(-want, rel=1e-12, abs=0)


def test_a_motor_lag_follows_the_first_order_response():
  """Exact discretization: act approaches u as 1 - exp(-t / lag) at any step size."""
  for h in (1e-3, 1e-2):
    model, data, view = cart(
      stiffness=1.0, transition=0.0, take_up=mjc.LengthCommand(range=(0.0, 0.1), lag=0.05)
    )
    model.opt.timestep = h
    model.dof_damping[:] = 100.0
    data.ctrl[0] = 0.08
    for _ in range(round(0.1 / h)):
      mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    assert view.take_up == pytest.approx(0.08 * (1 - np.exp(-2)), rel=1e-9)


@pytest.mark.parametrize(("timestep", "error"), [(1e-2, 2e-5), (5e-3, 1.3e-6), (0.1, 0.4)])
def test_a_motor_lag_is_as_good_as_the_integrator(timestep, error):
  """Of fourth order under RK4; and where a step is longer than the lag it follows all the same."""
  model, data, view = cart(
    stiffness=1.0, transition=0.0, take_up=mjc.LengthCommand(range=(0.0, 0.1), lag=0.05)
  )
  model.opt.timestep, model.opt.integrator = timestep, mujoco.mjtIntegrator.mjINT_RK4
  model.dof_damping[:] = 10.0
  data.ctrl[0] = 0.08
  for _ in range(round(0.1 / timestep)):
    mujoco.mj_step(model, data)
  mujoco.mj_forward(model, data)
  assert view.take_up == pytest.approx(0.08 * (1 - np.exp(-2)), rel=error)


def test_a_rate_limit_bounds_the_take_up_speed():
  model, data, view = cart(
    stiffness=1.0,
    transition=0.0,
    take_up=mjc.LengthCommand(range=(0.0, 0.1), lag=0.01, rate_limit=0.05),
  )
  model.dof_damping[:] = 100.0
  data.ctrl[0] = 0.1
  before, fastest = 0.0, 0.0
  for _ in range(3000):
    mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    fastest = max(fastest, (view.take_up - before) / model.opt.timestep)
    before = view.take_up
  assert fastest == pytest.approx(0.05, rel=1e-9)
  assert before == pytest.approx(0.1, rel=1e-6)


def test_a_lagging_motor_counts_in_the_stretch_rate():
  model, data, view = cart(
    stiffness=KAPPA,
    damping=10.0,
    transition=1e-4,
    pretension_offset=4e-3,
    take_up=mjc.LengthCommand(range=(0.0, 0.1), lag=0.05),
  )
  data.act[0], data.ctrl[0] = 0.02, 0.03
  mujoco.mj_forward(model, data)
  base = law(24e-3, 0.0, KAPPA, 0.0, 1e-4)
  speed = (view.source_tension - base) / 10.0
  # (u - act) / lag, or its exact-lag mean over one step: within h / lag of each other
  assert speed == pytest.approx(0.01 / 0.05, rel=1.1 * model.opt.timestep / 0.05)


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "RK4"])
@pytest.mark.parametrize("take_up", [mjc.SpoolRate(0.5, None), mjc.LengthCommand(None, lag=0.1)])
def test_a_motor_at_the_end_of_its_range_stands_still(take_up, integrator):
  """What MuJoCo cuts off its activation neither takes in nor is damped."""
  spec = mujoco.MjSpec.from_string(f"""<mujoco><option integrator="{integrator}" gravity="0 0 0"/>
    <worldbody><site name="a"/><body pos="1 0 0">
      <joint type="slide" axis="1 0 0" stiffness="100" damping="20"/><geom size=".02" mass="1"/>
      <site name="b"/></body></worldbody></mujoco>""")
  route, axial = [mjc.Anchor("a"), mjc.Anchor("b")], mjc.Axial(stiffness=1e3, damping=50.0)
  mjc.add_cable(spec, mjc.Cable("cable", route, axial, take_up=take_up))
  motor, end = spec.actuator("cable"), 0.1
  motor.actlimited, motor.actrange = mujoco.mjtLimited.mjLIMITED_TRUE, [-end, end]
  model = spec.compile()
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)["cable"]
  data.ctrl[0] = 3.0
  mujoco.mj_step(model, data, nstep=2000)
  assert data.act[0] == end
  taken = end * (0.5 if isinstance(take_up, mjc.SpoolRate) else 1.0)
  assert view.take_up == taken and view.take_up_rate == 0
  assert view.source_tension == pytest.approx(taken * 1e3 * 100 / 1100, rel=1e-6)


def test_a_drum_that_is_both_wrap_and_take_up_is_refused():
  """Counted twice it creates energy (public code does): refused with a message, or resolved."""
  spec = build.new_spec()
  drum = build.body(spec.worldbody, "drum")
  drum.add_joint(name="axle", type=build.HINGE, axis=(0, 1, 0))
  build.cylinder(drum, "barrel", (0, 0, 0), 0.05, axis=(0, 1, 0), half_length=0.1)
  build.site(drum, "knot", (-0.05, 0, 0))
  build.site(spec.worldbody, "top", (0, 0, 0.1))
  load = build.body(spec.worldbody, "load", pos=(0.3, 0, 0.05))
  load.add_joint(name="x", type=build.SLIDE, axis=(1, 0, 0))
  build.site(load, "hook", (0, 0, 0))
  cable = mjc.Cable(
    name="hoist",
    route=[mjc.Anchor("knot"), mjc.Wrap("barrel", side="top"), mjc.Anchor("hook")],
    axial=mjc.Axial(stiffness=1000.0, pretension=5.0),
    take_up=mjc.SpoolJoint(joint="axle", radius=0.05),
  )
  try:
    model, _, views = build.compiled(spec, cable)
  except ValueError as refusal:
    message = str(refusal)
    assert "hoist" in message and ("axle" in message or "barrel" in message or "knot" in message)
    return
  # resolved instead: the reaction on the drum may be T r once, not twice
  torque = abs(views["hoist"].load[model.joint("axle").dofadr[0]])
  assert torque == pytest.approx(views["hoist"].source_tension * 0.05, rel=1e-9)


@pytest.mark.parametrize("angle", [0.7, -1.1])
def test_antagonists_share_a_spool_that_winds_one_and_unwinds_the_other(angle):
  """A pulley between two cables on one spool, +r and -r: it turns by r / R of the spool's angle."""
  radius, wheel, length = 0.01, 0.04, 0.3
  spec = build.new_spec(gravity=(0, 0, 0))
  spool = build.body(spec.worldbody, "spool", inertia=1e-3)
  spool.add_joint(name="spool", type=build.HINGE, axis=(0, 1, 0))
  pulley = build.body(spec.worldbody, "pulley", pos=(length, 0, 0), inertia=1e-4)
  pulley.add_joint(name="pulley", type=build.HINGE, axis=(0, -1, 0), damping=0.02)
  build.cylinder(pulley, "rim", (0, 0, 0), wheel, axis=(0, 1, 0), half_length=0.02)
  cables = []
  for name, sign in (("upper", 1), ("lower", -1)):
    build.site(spec.worldbody, f"{name}:spool", (0, 0, sign * wheel))
    build.site(spec.worldbody, f"{name}:side", (length, 0, 2 * sign * wheel))
    build.site(pulley, f"{name}:knot", (wheel, 0, 0))
    cables.append(
      mjc.Cable(
        name=name,
        route=[
          mjc.Anchor(f"{name}:spool"),
          mjc.Wrap("rim", side=f"{name}:side"),
          mjc.Anchor(f"{name}:knot"),
        ],
        axial=mjc.Axial(stiffness=KAPPA, pretension=5.0),
        take_up=mjc.SpoolJoint("spool", sign * radius),
      )
    )
  model, data, views = build.compiled(spec, *cables)
  sides = [np.sign(views[name].load[1]) for name in ("upper", "lower")]
  assert sides == [1, -1], "the upper cable turns the pulley one way, the lower the other"
  data.qpos[0] = angle
  for _ in range(4000):
    data.qpos[0], data.qvel[0] = angle, 0.0  # held by hand
    mujoco.mj_step(model, data)
  mujoco.mj_forward(model, data)
  upper, lower = views["upper"], views["lower"]
  assert (upper.take_up, lower.take_up) == pytest.approx((radius * angle, -radius * angle))
  assert data.qpos[1] == pytest.approx(radius / wheel * angle, abs=1e-6)
  assert upper.source_tension == pytest.approx(5.0, rel=1e-4)
  # turned on alone, the spool feels the difference of both: stiffness 2 kappa r^2
  data.qpos[0] += 0.01
  mujoco.mj_forward(model, data)
  reaction = upper.load[0] + lower.load[0]
  assert reaction == pytest.approx(-2 * KAPPA * radius**2 * 0.01, rel=1e-3)


HAND_WRITTEN = """<mujoco><option timestep=".002"/>
  <extension><plugin plugin="mujocable.cable"><instance name="c">
    <config key="route" value="anchor a; eyelet e; anchor h"/>
    <config key="take_up" value="tension"/></instance></plugin></extension>
  <worldbody><site name="a" pos="-.5 0 2"/><site name="e" pos="0 0 2"/>
    <body><joint name="pulled" type="slide" axis="0 0 1"/><geom size=".05" mass="1"/>
      <site name="h"/></body>
    <body pos="1 0 0"><joint name="pushed" type="slide" axis="0 0 1"/><geom size=".05" mass="1"/>
    </body></worldbody>
  <tendon><spatial name="t"><site site="e"/><site site="h"/></spatial></tendon>
  <actuator><plugin name="c" plugin="mujocable.cable" instance="c" {actuator}/>
    <motor name="m" joint="pushed" {motor}/></actuator>
  <sensor><plugin name="c" plugin="mujocable.cable" instance="c"/></sensor></mujoco>"""


@pytest.mark.parametrize("interpolation", ["zoh", "linear"])
@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "RK4"])
def test_a_delayed_command_comes_when_that_of_a_motor_comes(integrator, interpolation):
  late = f'delay="0.1" nsample="60" interp="{interpolation}"'
  carried = f'site="h" gear="0 0 0 0 0 0" {late}'
  model = mujoco.MjModel.from_xml_string(HAND_WRITTEN.format(actuator=carried, motor=late))
  model.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)["c"]
  for k in range(100):
    data.ctrl[:] = 20 + 5 * np.sin(0.1 * k)
    mujoco.mj_step(model, data)
    # under RK4 what MuJoCo shows is of the last of its evaluations
    if integrator != "RK4":
      assert view.source_tension == pytest.approx(data.actuator_force[1], rel=1e-12)
    assert data.qpos[0] == pytest.approx(data.qpos[1], rel=1e-9)
  assert view.source_tension > 10


@pytest.mark.parametrize(
  ("actuator", "accepted"),
  [
    ('site="h" gear="0 0 0 0 0 0" forcelimited="true" forcerange="0 5"', "max_tension"),
    ('tendon="t" gear="-1" damping="3"', "damping of the cable"),
    ('tendon="t" gear="-1" armature="3"', "armature of the joint"),
    ('tendon="t" gear="-1" actearly="true"', 'actearly="false"'),
  ],
)
def test_what_would_change_the_pull_behind_the_cable_is_refused(actuator, accepted):
  with pytest.raises(ValueError, match=rf"cable 'c': actuator 'c': .*{accepted}"):
    mujoco.MjModel.from_xml_string(HAND_WRITTEN.format(actuator=actuator, motor=""))
