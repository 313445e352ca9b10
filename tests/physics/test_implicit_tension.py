"""Implicit tension: stiff cables on light links at long steps.

Judges: weight over stiffness for a hanging link; the spring law at rest where contacts, limits and
equalities hold the link; MuJoCo's own stiff tendon under integrator="discrete"; brute-force
differences; bits for everything that must not change a motion.
"""

import itertools

import mujoco
import numpy as np
import pytest
from oracles import transitions, workshop

import mujocable as mjc
from mujocable.spec.keys import laws

# (cables take "discrete" from MuJoCo 3.16 on)
INTEGRATORS = ["Euler", "implicitfast", "discrete"][: 3 if mujoco.mj_version() >= 3016000 else 2]
GRID = list(itertools.product((1e-3, 1e-2), (1e3, 1e5, 1e7), (5e-4, 2e-3, 1e-2)))
HARD = [(1e-3, 1e3, 1e-3), (1e-3, 1e5, 1e-2), (1e-3, 1e7, 2e-3), (1e-2, 1e7, 1e-2)]
HEAD = '<mujoco><option timestep="{}" integrator="{}" tolerance="1e-12" iterations="200"/>'


def rig(xml, cables, timestep=2e-3, integrator="Euler"):
  """A world with cables; returns model, data, views."""
  spec = mujoco.MjSpec.from_string(HEAD.format(timestep, integrator) + xml + "</mujoco>")
  for cable in cables:
    mjc.add_cable(spec, cable)
  model = spec.compile()
  data = mujoco.MjData(model)
  return model, data, mjc.bind(model, data)


def straight(name="c", begin="a", end="b", commanded=False, **options):
  take_up = mjc.LengthCommand(range=(-1, 1)) if commanded else None
  return mjc.Cable(name, [mjc.Anchor(begin), mjc.Anchor(end)], **laws(take_up=take_up, **options))


def hanging(mass, stiffness, timestep, integrator, drop=0.0, commanded=False, **options):
  """A link on a slide below its cable; it starts `drop` above where the cable is straight."""
  xml = f"""<worldbody><site name="a" pos="0 0 1"/>
    <body><joint name="z" type="slide" axis="0 0 1"/><geom size=".02" mass="{mass}"/>
      <site name="b"/></body></worldbody>"""
  damping = 0.2 * np.sqrt(stiffness * mass)  # a tenth of critical
  cable = straight(commanded=commanded, stiffness=stiffness, damping=damping, **options)
  model, data, views = rig(xml, [cable], timestep, integrator)
  data.qpos[0] = drop
  return model, data, views["c"]


@pytest.mark.parametrize("commanded", [False, True])
@pytest.mark.parametrize("integrator", [*INTEGRATORS, "implicit"])
def test_a_light_link_hangs_at_weight_over_stiffness(integrator, commanded):
  """Dropped 1 cm, caught, at rest: no step is too long, no cable too stiff."""
  for mass, stiffness, timestep in GRID:
    model, data, view = hanging(mass, stiffness, timestep, integrator, 0.01, commanded)
    fastest, least = 0.0, 0.0
    for _ in range(round(3.0 / timestep)):
      mujoco.mj_step(model, data)
      fastest, least = max(fastest, abs(data.qvel[0])), min(least, view.source_tension)
    case = (mass, stiffness, timestep)
    assert fastest < 1.2 * np.sqrt(2 * 9.81 * 0.01) + 9.81 * timestep, case  # nothing gains energy
    assert least >= 0, case
    # 1e-6, and the rounding of a length of 1 m over the stretch
    want = mass * 9.81 / stiffness
    assert abs(-data.qpos[0] - want) <= 1e-6 * want + 2e-16, case


HELD = {
  "floor": """<worldbody><geom type="plane" size="1 1 .1"/><site name="a" pos="0 0 -.5"/>
    <body pos="0 0 .02"><freejoint/><geom size=".02" mass="{mass}"/><site name="b"/></body>
    </worldbody>""",
  "limit": """<worldbody><site name="a" pos="0 .1 0"/>
    <body><joint axis="0 0 1" limited="true" range="-20 -1" damping="1e-3"/>
      <geom type="capsule" fromto="0 0 0 .1 0 0" size=".005" mass="{mass}"/>
      <site name="b" pos=".1 0 0"/></body></worldbody>""",
  "equality": """<worldbody><site name="a" pos="0 0 .3"/>
    <body><joint name="z" type="slide" axis="0 0 1"/><geom size=".02" mass="{mass}"/>
      <site name="b"/></body></worldbody><equality><joint joint1="z"/></equality>""",
}


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize(
  ("held", "cone"),
  # only on the floor there is a contact, and so a cone
  [("floor", "pyramidal"), ("floor", "elliptic"), ("limit", None), ("equality", None)],
)
def test_a_link_that_is_held_carries_the_whole_tension(held, integrator, cone):
  """A light link pulled against a floor, a stop, an equality: at rest T = kappa e."""
  for commanded, (mass, stiffness, timestep) in itertools.product((False, True), HARD):
    pretension = {"floor": 50.0, "limit": 2.0, "equality": 1.0}[held]
    cable = straight(
      commanded=commanded,
      stiffness=stiffness,
      damping=0.2 * np.sqrt(stiffness * mass),
      pretension=pretension,
    )
    model, data, views = rig(HELD[held].format(mass=mass), [cable], timestep, integrator)
    model.opt.cone = int(cone == "elliptic")
    for _ in range(round(2.0 / timestep)):
      mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    case = (commanded, mass, stiffness, timestep)
    assert np.abs(data.qvel).max() < 1e-6, case
    spring = max(0.0, stiffness * views["c"].stretch)
    # what MuJoCo's solver leaves of the acceleration, times h^2 kappa
    left = 1e-6 * spring + 1e-9 * stiffness * timestep**2
    assert abs(views["c"].source_tension - spring) <= left, case


def test_cables_of_one_model_are_solved_together():
  """Six stiff cables on three dofs of a light ball: where they rest, every one obeys its law."""
  mass, stiffness = 2e-3, 1e6
  ends = [np.array([np.cos(k), np.sin(k), 0.6 * (-1) ** k]) for k in range(6)]
  sites = "".join(f'<site name="a{k}" pos="{x} {y} {z}"/>' for k, (x, y, z) in enumerate(ends))
  slides = "".join(
    f'<joint type="slide" axis="{a}" damping=".2"/>' for a in ("1 0 0", "0 1 0", "0 0 1")
  )
  xml = f"""<worldbody>{sites}<body>{slides}<geom size=".02" mass="{mass}"/><site name="b"/></body>
    </worldbody>"""
  cables = [
    straight(
      f"c{k}", f"a{k}", commanded=k % 2 == 0, stiffness=stiffness, damping=2.0, pretension=3.0
    )
    for k in range(6)
  ]
  for integrator in INTEGRATORS:
    model, data, views = rig(xml, cables, 5e-3, integrator)
    for _ in range(2000):
      mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    assert np.abs(data.qvel).max() < 1e-9
    total = np.array([0, 0, -9.81 * mass])
    for k, end in enumerate(ends):
      view = views[f"c{k}"]
      pull = max(0.0, stiffness * view.stretch)
      # stretch is known to 1e-16 m
      assert view.source_tension == pytest.approx(pull, rel=1e-6, abs=1e-9)
      total += pull * (end - data.qpos) / np.linalg.norm(end - data.qpos)
    assert np.abs(total).max() < 1e-7


def test_soft_cables_stay_explicit_bit_for_bit():
  ends = {}
  for integration in ("auto", "explicit"):
    model, data, _ = hanging(0.1, 1e3, 1e-3, "Euler", 0.01, integration=integration)
    for _ in range(1000):
      mujoco.mj_step(model, data)
    ends[integration] = np.concatenate([data.qpos, data.qvel, data.sensordata])
  assert np.array_equal(ends["auto"], ends["explicit"])


@pytest.mark.parametrize("integrator", [*INTEGRATORS, "implicit"])
def test_errors_shrink_at_the_order_of_the_integrator(integrator):
  """A light link sinks in oil until its cable holds it, against the closed form: order one.

  The oil makes the motion slow beside a step for which the cable is stiff.
  """
  mass, stiffness, oil = 1e-3, 1e3, 5.0
  rest = -mass * 9.81 / stiffness
  slow = max(np.roots([mass, oil, stiffness]))  # of mass z'' + oil z' + stiffness (z - rest) = 0

  def error(timestep, integration="auto"):
    model, data, _ = hanging(mass, stiffness, timestep, integrator, integration=integration)
    model.dof_damping[0], worst = oil, 0.0
    mjc.bind(model, data)["c"].damping = 0.0
    data.qvel[0] = -rest * slow
    while data.time < 0.02:
      mujoco.mj_step(model, data)
      worst = max(worst, abs(data.qpos[0] - rest * -np.expm1(slow * data.time)))
    return worst

  # h^2 kappa / m = 4, 1 and 1/4: solved with the motion at the first, explicit at the last
  errors = [error(h) for h in (2e-3, 1e-3, 5e-4)]
  assert errors[0] > errors[1] > errors[2]
  assert 0.7 < np.log2(errors[0] / errors[2]) / 2 < 1.3
  # where the step resolves it, it is the explicit motion; discrete takes every spring at its end
  assert (error(1e-4) == error(1e-4, "explicit")) == (integrator != "discrete")


def entangled(integrator="implicitfast"):
  """Stiff passive and commanded cables, a motor, friction, a floor, and a command to obey."""
  xml = """<worldbody><geom type="plane" size="2 2 .1"/>
    <site name="a" pos="0 0 .6"/><site name="g" pos=".2 0 .5"/><site name="s" pos=".6 0 .5"/>
    <body name="p" pos=".3 0 .2"><freejoint/><geom type="box" size=".03 .02 .04" mass=".02"/>
      <site name="b" pos="0 0 .04"/><site name="e" pos=".03 0 0"/></body>
    <body pos=".25 .02 .05"><freejoint/><geom size=".04" mass=".02"/></body>
    <body pos="0 .4 .3"><joint name="j" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .2 0 0"
      size=".01" mass=".01"/><site name="t" pos=".2 0 0"/></body></worldbody>
    <actuator><motor joint="j"/></actuator>"""
  guided = [mjc.Anchor("a"), mjc.Eyelet("g"), mjc.Anchor("b")]
  cables = [
    mjc.Cable(
      "hoist", guided, mjc.Axial(stiffness=1e5), friction=0.2, take_up=mjc.LengthCommand((-1, 1))
    ),
    straight("guy", "s", "e", stiffness=2e5, damping=5.0),
    straight("stay", "s", "t", stiffness=1e5),
  ]
  model, data, views = rig(xml, cables, 4e-3, integrator)
  model.opt.tolerance = 1e-15
  return model, data, views


def command(model, data, step):
  data.ctrl[:] = 0.02 * np.sin(0.1 * step), 0.05 * np.cos(0.07 * step)


@pytest.mark.parametrize("integrator", [*INTEGRATORS, "implicit"])
def test_nothing_but_a_step_changes_a_motion(integrator):
  """Extra mj_forward, mj_step1 and mj_step2 with the command between, a copy, stages skipped."""
  runs = []
  for way in ("step", "forward", "halves", "copy", "skip"):
    model, data, views = entangled(integrator)
    stiff = 0
    for step in range(150):
      command(model, data, step)
      if way == "forward":
        mujoco.mj_forward(model, data)
        mujoco.mj_forward(model, data)
      if way == "copy" and step % 7 == 0:
        twin = mujoco.MjData(model)
        mujoco.mj_copyData(twin, model, data)
        data = twin
        views = mjc.bind(model, data)
      if way == "halves":
        wanted = data.ctrl.copy()
        data.ctrl[:] = 0.3
        mujoco.mj_step1(model, data)
        data.ctrl[:] = wanted
        mujoco.mj_step2(model, data)
      elif way == "skip":
        wanted = data.ctrl.copy()
        data.ctrl[:] = -0.2
        mujoco.mj_forward(model, data)
        data.ctrl[:] = wanted
        mujoco.mj_forwardSkip(model, data, int(mujoco.mjtStage.mjSTAGE_VEL), 1)
        result = data.qacc.copy()
        mujoco.mj_step(model, data)
        assert np.array_equal(result, data.qacc)
      else:
        mujoco.mj_step(model, data)
      stiff += sum(view.source_tension > 0 for view in views.values())
    runs.append(np.concatenate([data.qpos, data.qvel]))
    assert stiff > 100 and np.all(np.isfinite(runs[-1]))
  assert all(np.array_equal(run, runs[0]) for run in runs[1:])


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_transition_derivatives_match_differences_of_steps(integrator):
  model, data, _ = entangled(integrator)
  for step in range(40):
    command(model, data, step)
    mujoco.mj_step(model, data)
  state = workshop.state_of(model, data)
  a, b, _, _ = transitions.by_mujoco(model, data)
  want_a, want_b, _, _ = transitions.brute_force(model, state)
  for got, want in ((a, want_a), (b, want_b)):
    assert np.all(np.abs(got - want).max(axis=0) <= 1e-5 * (1 + np.abs(want).max(axis=0)))
  assert np.abs(b).max() > 1e-3


@pytest.mark.parametrize("commanded", [False, True])
@pytest.mark.parametrize(("stiffness", "damping"), [(1e4, 5.0), (1e5, 0.0), (1e6, 0.0)])
def test_under_discrete_a_straight_cable_is_the_native_tendon(stiffness, damping, commanded):
  """A box swings on it, hits a ball and the floor: 500 steps of 5 ms, at most 1e-10 apart."""
  xml = """<worldbody><geom type="plane" size="2 2 .1"/><site name="a" pos="0 0 .6"/>
    <body pos=".3 0 .3"><freejoint/><geom type="box" size=".03 .02 .04" mass=".02"/>
      <site name="b" pos="0 0 .04"/></body>
    <body pos=".25 .02 .1"><freejoint/><geom size=".03" mass=".02"/></body></worldbody>"""
  home = float(np.hypot(0.3, 0.26))
  spring = f"""<tendon><spatial stiffness="{stiffness}" damping="{damping}"
    springlength="0 {home!r}"><site site="a"/><site site="b"/></spatial></tendon>"""
  native, there, _ = rig(xml + spring, [], 5e-3, "discrete")
  cable = straight(commanded=commanded, stiffness=stiffness, damping=damping, home_length=home)
  model, here, _ = rig(xml, [cable], 5e-3, "discrete")
  touching = 0
  for _ in range(500):
    mujoco.mj_step(native, there)
    mujoco.mj_step(model, here)
    touching += here.ncon > 0
    assert np.abs(here.qpos - there.qpos).max() <= 1e-10
    assert np.abs(here.qvel - there.qvel).max() <= 1e-10
  assert touching > 300


def test_a_spool_joint_feels_the_implicit_tension():
  """A stiff cable between a light drum and a light load: both accelerate as one."""
  xml = """<worldbody><site name="a" pos="0 0 1"/>
    <body pos="1 0 1"><joint name="drum" axis="0 1 0"/><geom type="cylinder" size=".05 .01"
      mass=".01" euler="90 0 0"/></body>
    <body><joint name="z" type="slide" axis="0 0 1"/><geom size=".02" mass=".01"/>
      <site name="b"/></body></worldbody>"""
  take_up = mjc.SpoolJoint(joint="drum", radius=0.05)
  cable = mjc.Cable(
    "c", [mjc.Anchor("a"), mjc.Anchor("b")], mjc.Axial(stiffness=1e6), take_up=take_up
  )
  for integrator in INTEGRATORS:
    model, data, views = rig(xml, [cable], 5e-3, integrator)
    for _ in range(100):
      mujoco.mj_step(model, data)
    # the weight drives load and drum: a = g m / (m + I / r^2), I = m r^2 / 2
    speed = -9.81 / 1.5 * data.time
    assert data.qvel[1] == pytest.approx(speed, rel=1e-6)
    assert data.qvel[0] == pytest.approx(speed / 0.05, rel=1e-6)
    assert views["c"].source_tension == pytest.approx(0.01 * 9.81 / 3, rel=1e-4)


@pytest.mark.parametrize("friction", [0.0, 0.2])
def test_a_damper_of_the_length_does_not_feel_the_spool(friction):
  """The ends stand still: the spool swings on the spring alone, for three hundred turns."""
  xml = """<worldbody><site name="a"/><site name="g" pos=".6 0 0"/><site name="b" pos=".6 0 .4"/>
    <body pos="0 0 -1"><joint name="drum" axis="0 1 0" armature="1e-4"/>
      <geom size=".01" mass="1e-3"/></body></worldbody>"""
  axial = mjc.Axial(stiffness=1e4, damping=100.0, damping_rate="length", pretension=50.0)
  route = [mjc.Anchor("a"), mjc.Eyelet("g"), mjc.Anchor("b")]
  spool = mjc.SpoolJoint(joint="drum", radius=0.05)
  cable = mjc.Cable("c", route, axial, take_up=spool, friction=friction)
  step = 1e-3
  model, data, views = rig(xml, [cable], step)
  data.qpos[0] = 1e-3
  data.qfrc_applied[0] = 0.05 * 50.0
  inertia = 1e-4 + 0.4 * 1e-3 * 0.01**2
  angle = []
  for _ in range(4000):
    mujoco.mj_step(model, data)
    angle.append(data.qpos[0])
  assert views["c"].solves > 0
  # where the guide holds, only the first of the two pieces is felt
  stiffness = 1e4 / (0.6 if friction else 1)
  turn = 2 * np.arctan(step * 0.05 * np.sqrt(stiffness / inertia) / 2)  # of Newmark's rule
  turns = np.count_nonzero(np.diff(np.sign(angle))) / 2
  assert turns == pytest.approx(4000 * turn / (2 * np.pi), rel=0.01)
  assert np.abs(angle[-400:]).max() == pytest.approx(np.abs(angle[:400]).max(), rel=0.02)


def test_a_spool_that_carries_an_end_is_one_dof():
  """A slide that gives the end half a meter of cable for every meter: it feels a quarter of the
  stiffness, which the step resolves, so the amplitude stays."""
  xml = """<worldbody><site name="a"/><body pos="1 0 0">
    <joint name="x" type="slide" axis="1 0 0"/><geom size=".02" mass="1"/><site name="b"/></body>
    </worldbody><option gravity="0 0 0"/>"""
  spool = mjc.SpoolJoint(joint="x", radius=-0.5)
  step = 1e-2
  axial = mjc.Axial(stiffness=5 / step**2, pretension=100.0)
  cable = mjc.Cable("c", [mjc.Anchor("a"), mjc.Anchor("b")], axial, take_up=spool)
  model, data, views = rig(xml, [cable], step)
  data.qfrc_applied[0], data.qpos[0] = 50.0, 1e-4
  x = []
  for _ in range(1000):
    mujoco.mj_step(model, data)
    x.append(data.qpos[0])
  assert views["c"].solves > 0
  assert np.abs(x[-100:]).max() == pytest.approx(np.abs(x[:100]).max(), rel=1e-3)


def test_rk4_is_explicit():
  ends = {}
  for integration in ("auto", "explicit"):
    model, data, view = hanging(1e-2, 1e4, 5e-4, "RK4", 0.0, integration=integration)
    for _ in range(200):
      mujoco.mj_step(model, data)
    ends[integration] = data.qpos[0], view.source_tension
  assert ends["auto"] == ends["explicit"]


def test_friction_keeps_its_ratio_on_a_stiff_cable():
  """Over two eyelets: tensions in the Capstan ratio at every step, a light load, a long step."""
  xml = """<worldbody><site name="a"/><site name="e" pos=".3 0 0"/><site name="f" pos=".5 0 .1"/>
    <body pos=".6 0 -.3"><joint type="slide" axis="0 0 1"/><geom size=".02" mass=".005"/>
      <site name="b"/></body></worldbody>"""
  route = [mjc.Anchor("a"), mjc.Eyelet("e"), mjc.Eyelet("f"), mjc.Anchor("b")]
  for mode, integrator in itertools.product(("forward", "reverse", "velocity"), INTEGRATORS):
    cable = mjc.Cable(
      "c",
      route,
      mjc.Axial(stiffness=1e6),
      friction=mjc.Sliding(0.4, mode=mode),
      take_up=mjc.LengthCommand((-1, 1)),
    )
    model, data, views = rig(xml, [cable], 1e-2, integrator)
    view = views["c"]
    for step in range(300):
      data.ctrl[0] = 0.05 * np.sin(0.05 * step)
      mujoco.mj_step(model, data)
      assert abs(data.qvel[0]) < 2 and np.all(view.tension >= 0)
      sign = {"forward": -1, "reverse": 1}.get(mode, np.tanh(view.slip_rate / 0.01))
      if view.source_tension > 0:
        ratio = view.tension[1:] / view.tension[:-1]
        assert ratio == pytest.approx(np.exp(sign * 0.4 * view.wrap_angle), rel=1e-12)


def test_cables_that_share_no_body_are_solved_apart():
  """Working memory of a step grows in proportion to the limbs, and each moves the same."""
  used, ends = [], []
  for limbs in (50, 100, 200):
    bodies = "".join(
      f"""<site name="a{i}" pos="{i} 0 1"/><site name="g{i}" pos="{i} .1 .5"/>
      <body pos="{i} 0 0"><joint axis="1 0 0"/><joint axis="0 1 0"/><joint axis="0 0 1"/>
        <geom type="capsule" fromto="0 0 0 0 0 .3" size=".01" mass=".01"/>
        <site name="b{i}" pos="0 .02 .3"/></body>"""
      for i in range(limbs)
    )
    pairs = [(start, i) for i in range(limbs) for start in "ag"]
    cables = [straight(f"{s}{i}", f"{s}{i}", f"b{i}", stiffness=1e6) for s, i in pairs]
    model, data, views = rig(f"<worldbody>{bodies}</worldbody>", cables, 5e-3)
    data.qvel[2::3] = 1.0
    for _ in range(20):
      mujoco.mj_step(model, data)
    assert all(view.source_tension >= 0 for view in views.values())
    used.append(data.maxuse_stack)
    ends.append(data.qpos[:12].copy())
  # one dense system over all of them would need four times as much more
  assert used[2] - used[1] < 2.1 * (used[1] - used[0])
  assert ends[0] == pytest.approx(ends[1], rel=1e-9, abs=1e-12)
  assert np.ptp(ends[0]) > 1e-3


# a motor does not push before it is known to
@pytest.mark.parametrize(("by", "slack"), [("joint", 1e-3), ("body", 1e-3), ("motor", 0.5)])
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_slack_cable_gives_back_no_more_than_what_stretched_it(integrator, by, slack):
  """200 N move 100 g by 0.2 m in the first step, in 20 ms; and no cable throws it back faster."""
  force, mass, stiffness = 200.0, 0.1, 1e5
  xml = f"""<worldbody><site name="a"/><body pos="1 0 0"><joint name="x" type="slide" axis="1 0 0"/>
    <geom size=".01" mass="{mass}"/><site name="b"/></body></worldbody>
    <actuator><motor joint="x"/></actuator>"""
  cable = straight(stiffness=stiffness, home_length=1 + slack)
  model, data, _ = rig(xml, [cable], 1e-2, integrator)
  model.opt.gravity = 0
  work = 0.0
  for step in range(10):
    push = force if step < 3 else 0.0
    data.ctrl = push * (by == "motor")
    data.qfrc_applied = push * (by == "joint")
    data.xfrc_applied[1, 0] = push * (by == "body")
    before = data.qpos[0]
    mujoco.mj_step(model, data)
    work += push * (data.qpos[0] - before)
    stretch = max(0.0, data.qpos[0] - slack)
    energy = 0.5 * mass * data.qvel[0] ** 2 + 0.5 * stiffness * stretch**2
    assert energy <= work + 1e-9, step
