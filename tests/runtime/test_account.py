"""Sums over all steps: judged by closed forms, by MuJoCo's own energy, and by themselves."""

import math

import mujoco
import pytest

import mujocable as mjc
from mujocable.runtime.account import Follower
from mujocable.spec.keys import laws

MASS, GRAVITY, MU = 2.0, 9.81, 0.2
MOTOR = mjc.LengthCommand(range=(-1.0, 1.0))

HOIST = f"""
<mujoco>
  <option timestep="0.0005" gravity="0 0 -{GRAVITY}" integrator="implicitfast"/>
  <worldbody>
    <site name="motor" pos="-.6 0 0"/>
    <site name="over" pos="0 0 .5"/>
    <geom name="post" type="cylinder" size=".1 .05" euler="90 0 0"/>
    <body pos=".1 0 -1">
      <joint name="lift" type="slide" axis="0 0 1"/>
      <geom size=".05" mass="{MASS}"/>
      <site name="hook"/>
    </body>
  </worldbody>
</mujoco>
"""


def hoist(friction=MU, take_up=MOTOR, **more):
  """A load behind a fixed post, a quarter turn: motor, post, hook."""
  spec = mujoco.MjSpec.from_string(HOIST)
  given = dict(stiffness=2e4, damping=100.0, friction=friction, pretension=MASS * GRAVITY) | more
  route = [mjc.Anchor("motor"), mjc.Wrap("post", side="over"), mjc.Anchor("hook")]
  mjc.add_cable(spec, mjc.Cable("rope", route, **laws(take_up=take_up, **given)))
  model = spec.compile()
  return model, mujoco.MjData(model)


def follow(model, data, command, duration):
  """Steps along command(time); returns the follower."""
  mujoco.mj_forward(model, data)
  followed = Follower(model, data)
  for step in range(round(duration / model.opt.timestep)):
    data.ctrl[:] = command(step * model.opt.timestep)
    mujoco.mj_step(model, data)
    followed.step()
  return followed


def ramp(speed, soft=0.2):
  """Constant speed after a soft start."""
  return lambda t: speed * (t - soft / 2) if t > soft else speed * t * t / (2 * soft)


@pytest.mark.parametrize("speed", [0.2, -0.2])
def test_efficiency_is_the_capstan_ratio_while_all_slides(speed):
  """Closed form: lifting and lowering over a post both keep exp(-mu phi) of what goes in."""
  model, data = hoist()
  account = follow(model, data, ramp(speed), 2.0).finish()["rope"]
  angle = mjc.bind(model, data)["rope"].wrap_angle[0]
  assert account.efficiency == pytest.approx(math.exp(-MU * angle), rel=5e-3)
  assert account.friction["post"] == pytest.approx(account.lost) and account.worst == "post"


def test_the_account_closes_with_the_energy_of_the_load():
  """Judge: m g h and m v^2 / 2 of the load."""
  model, data = hoist()
  followed = follow(model, data, ramp(0.3), 1.5)
  account = followed.finish()["rope"]
  mechanical = MASS * (GRAVITY * data.qpos[0] + data.qvel[0] ** 2 / 2)
  assert account.body_work == pytest.approx(mechanical, rel=2e-3)
  spent = account.body_work + account.stored + account.lost + account.damping + account.residual
  assert account.motor_work == pytest.approx(spent, rel=1e-12)
  assert account.closes < 2e-3


def test_what_does_not_close_shrinks_with_the_step():
  residuals = []
  for timestep in (2e-3, 1e-3, 5e-4):
    model, data = hoist()
    model.opt.timestep = timestep
    residuals.append(follow(model, data, ramp(0.3), 1.0).finish()["rope"].closes)
  assert residuals[1] < 0.7 * residuals[0] and residuals[2] < 0.7 * residuals[1]


@pytest.mark.parametrize("rate", ["stretch", "length"])
def test_a_damper_that_leaves_no_tension_takes_what_the_stretch_gives_up(rate):
  """Closed form: let out faster than the damper lets go, a cable loses k e^2 / 2 to no motor; with
  a damper of the length the motor gets all of that."""
  spec = mujoco.MjSpec()
  spec.option.timestep = 5e-5
  for x in range(2):
    spec.worldbody.add_site(name=f"end{x}", pos=[x, 0, 0])
  axial = mjc.Axial(stiffness=1000.0, damping=1000.0, damping_rate=rate, pretension=50.0)
  route = [mjc.Anchor("end0"), mjc.Anchor("end1")]
  mjc.add_cable(spec, mjc.Cable("rope", route, axial, take_up=MOTOR))
  model = spec.compile()
  followed = follow(model, mujoco.MjData(model), lambda t: max(-0.05, -0.1 * t), 0.6)
  account = followed.finish()["rope"]
  assert account.stored == pytest.approx(-0.5 * 1000 * 0.05**2, rel=1e-6)
  lost, given = (account.damping, account.motor_work)[:: 1 if rate == "stretch" else -1]
  assert abs(lost) == pytest.approx(-account.stored, rel=1e-3)
  assert abs(given) < 1e-3 and abs(account.residual) < 1e-3


def test_without_friction_nothing_is_rubbed_off():
  model, data = hoist(friction=0.0, damping=0.0)
  account = follow(model, data, ramp(0.2), 1.0).finish()["rope"]
  assert account.lost == 0 and account.worst == "" and account.efficiency == 1
  assert account.peak_tension >= MASS * GRAVITY


def test_a_peak_of_one_step_is_seen():
  """Judge: the view, read after every step."""
  model, data = hoist()
  view = mjc.bind(model, data)["rope"]
  seen = []

  def command(t):
    seen.append(view.source_tension)  # of the step before
    return 0.004 if 0.1 < t < 0.101 else 0.0

  account = follow(model, data, command, 0.3).finish()["rope"]
  assert account.peak_tension == max(seen) > 2 * MASS * GRAVITY
  assert account.peak_time == pytest.approx(0.1, abs=2e-3)


def test_a_passive_cable_takes_from_one_body_and_gives_to_the_other():
  from mujocable.models import atwood

  model = atwood.build().compile()
  data = mujoco.MjData(model)
  account = follow(model, data, lambda t: 0.0, 0.3).finish()["rope"]
  assert account.motor_work == 0 and account.work_in > account.work_out > 0
  assert 0 < account.efficiency < 1


def test_the_cut_between_pieces_leaves_no_trace():
  """Sums over 700 steps (three pieces) equal those of 700 steps read by hand."""
  model, data = hoist()
  view = mjc.bind(model, data)["rope"]
  mujoco.mj_forward(model, data)
  followed, heat, before = Follower(model, data), 0.0, view.take_up
  tension = []
  for step in range(700):
    data.ctrl[:] = ramp(0.3)(step * model.opt.timestep)
    mujoco.mj_step(model, data)
    followed.step()
    heat += model.opt.timestep * view.dissipation.sum()
    tension.append(view.source_tension)
  account = followed.finish()["rope"]
  assert account.steps == 700 and account.peak_tension == max(tension)
  assert account.lost == pytest.approx(heat, rel=1e-12)
  assert account.stroke == pytest.approx(view.take_up - before, rel=1e-12)


def test_a_limit_is_said_and_the_account_closes_beyond_it():
  model, data = hoist(friction=0.0, max_tension=1.2 * MASS * GRAVITY)
  followed = follow(model, data, ramp(3.0, 0.05), 0.3)
  account = followed.finish()["rope"]
  (trouble,) = followed.troubles()
  assert trouble.kind == "saturated" and "23.54 N" in trouble.text
  assert account.saturated > 0.3 and account.closes < 5e-3
  assert account.peak_tension == pytest.approx(1.2 * MASS * GRAVITY)


def test_a_load_that_outruns_its_cable_flies_and_one_that_is_let_down_does_not():
  model, data = hoist(friction=0.0)
  thrown = follow(model, data, lambda t: 0.3 * min(t / 0.1, 1.0), 0.3)
  assert [one.kind for one in thrown.troubles()] == ["flies"]
  model, data = hoist(friction=0.0)
  # faster than it can fall: the slack was paid out
  dropped = follow(model, data, lambda t: -0.5 * min(t / 0.05, 1.0), 0.2)
  assert dropped.troubles() == () and dropped.finish()["rope"].max_slack > 0.1


def test_divergence_is_said():
  model, data = hoist()
  mujoco.mj_forward(model, data)
  followed = Follower(model, data)
  data.qvel[0] = 1e12
  with pytest.MonkeyPatch.context() as patch:
    patch.setattr("sys.stderr", None)
    mujoco.mj_step(model, data)
  followed.step()
  assert any(one.kind == "diverged" for one in followed.troubles())


def test_a_cable_written_without_a_sensor_is_observed():
  """The model of a study has a sensor for every cable; what it adds up to is the same."""
  from mujocable.study.observed import observed

  xml = """
  <mujoco>
    <extension><plugin plugin="mujocable.cable"><instance name="rope">
      <config key="route" value="anchor a; eyelet b; anchor c"/>
      <config key="stiffness" value="500"/> <config key="friction" value="0.2"/>
      <config key="pretension" value="30"/>
    </instance></plugin></extension>
    <worldbody>
      <site name="a"/> <site name="b" pos="1 0 0"/>
      <body pos="1 0 -1">{}<joint type="slide" axis="0 0 1"/><geom size=".1" mass="2"/>
        <site name="c"/></body>
    </worldbody>
    {}
  </mujoco>"""
  sensor = '<sensor><plugin name="rope" plugin="mujocable.cable" instance="rope"/></sensor>'
  # an instance must be used by something: here by a body
  user = '<plugin plugin="mujocable.cable" instance="rope"/>'
  found = []
  for parts in (("", sensor), (user, "")):
    model = observed(mujoco.MjSpec.from_string(xml.format(*parts))).compile()
    found.append(follow(model, mujoco.MjData(model), lambda t: [], 0.2).finish()["rope"])
  assert found[0] == found[1]
  assert found[0].body_work > 0 > found[0].stored


def test_a_motor_that_gives_a_tension_takes_in_the_way_of_its_load():
  """Closed form: the load rises with (T - m g) / m."""
  pull, seconds = 30.0, 0.5
  model, data = hoist(friction=0.0, take_up=mjc.TensionCommand(range=(0.0, 50.0)))
  account = follow(model, data, lambda t: pull, seconds).finish()["rope"]
  rate = (pull / MASS - GRAVITY) * seconds
  assert account.stroke == pytest.approx(data.qpos[0])
  assert account.stroke == pytest.approx(rate * seconds / 2, rel=2e-3)
  assert account.peak_rate == pytest.approx(rate, rel=2e-3)
  assert account.peak_power == pytest.approx(pull * rate, rel=2e-3)


SPRING = """
<mujoco>
  <option timestep="0.0005" gravity="0 0 0" integrator="implicitfast"/>
  <worldbody>
    <site name="motor" pos="-.3 0 .05"/> <site name="over" pos="0 0 .1"/>
    <geom name="post" type="cylinder" size=".05 .05" euler="90 0 0"/>
    <body pos=".05 0 -.3">
      <joint type="slide" axis="0 0 1" stiffness="2000" damping="20"/>
      <geom size=".03" mass=".5" contype="0"/> <site name="hook"/>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize("friction", [0.0, 0.2])
@pytest.mark.parametrize("axial", [mjc.Axial(stiffness=2e3), mjc.Axial(EA=1e3)])
@pytest.mark.parametrize(
  ("take_up", "most"),
  [(mjc.LengthCommand(range=(0.0, 0.2)), 0.2), (mjc.TensionCommand(range=(0.0, 200.0)), 200.0)],
)
def test_what_a_stretchy_cable_keeps_came_from_its_motor(take_up, most, axial, friction):
  """A tenth of its length stretched, against a spring: no part of the work is left open."""
  spec = mujoco.MjSpec.from_string(SPRING)
  route = [mjc.Anchor("motor"), mjc.Wrap("post", side="over"), mjc.Anchor("hook")]
  mjc.add_cable(spec, mjc.Cable("rope", route, axial, friction=friction, take_up=take_up))
  model = spec.compile()
  data = mujoco.MjData(model)
  pull = follow(model, data, lambda t: most / 2 * (1 - math.cos(math.pi * t)), 1.0)
  account = pull.finish()["rope"]
  assert account.stored > 0.2 * account.work_in
  assert account.closes < 3e-3
  # what was taken in: the way of the load, and the stretch
  view = pull.views["rope"]
  home = view.home_length - view.segment_rest.sum()
  assert account.stroke == pytest.approx(home, rel=1e-3)


@pytest.mark.parametrize("friction", [0.0, 0.2])
@pytest.mark.parametrize("law", [{"stiffness": 3e3}, {"EA": 1.5e3}])
def test_what_a_limit_let_pass_is_kept_with_friction_and_without(law, friction):
  """Taken in ten times as far as the limit stretches it: it would all come back."""
  spec = mujoco.MjSpec.from_string(SPRING)
  route = [mjc.Anchor("motor"), mjc.Wrap("post", side="over"), mjc.Anchor("hook")]
  motor, axial = mjc.LengthCommand(range=(0.0, 0.3)), mjc.Axial(max_tension=60.0, **law)
  mjc.add_cable(spec, mjc.Cable("rope", route, axial, friction=friction, take_up=motor))
  model = spec.compile()
  data = mujoco.MjData(model)
  turns = follow(model, data, lambda t: 0.15 * (1 - math.cos(math.pi * t)), 1.0)
  account = turns.finish()["rope"]
  assert account.saturated > 0.5 and account.stored > 0.9 * account.work_in
  assert account.closes < 2e-3


@pytest.mark.parametrize("mass", [0.5, 0.005])
@pytest.mark.parametrize("step", [2e-3, 1e-4])
def test_a_given_tension_has_the_capstan_efficiency_at_every_step(step, mass):
  """Pieces between contacts are then as soft as the step wants: what they rub is not counted."""
  xml = SPRING.replace("0.0005", str(step)).replace('mass=".5"', f'mass="{mass}"')
  spec = mujoco.MjSpec.from_string(xml)
  route = [mjc.Anchor("motor"), mjc.Wrap("post", side="over"), mjc.Anchor("hook")]
  motor = mjc.TensionCommand(range=(0.0, 100.0))
  mjc.add_cable(spec, mjc.Cable("rope", route, friction=MU, take_up=motor))
  model = spec.compile()
  data = mujoco.MjData(model)
  pull = follow(model, data, lambda t: 50 * (1 - math.cos(math.pi * t)), 1.0)
  account = pull.finish()["rope"]
  assert account.efficiency == pytest.approx(math.exp(-MU * math.pi / 2), rel=1e-2)
  assert account.lost == pytest.approx(account.motor_work - account.body_work, rel=1e-9)


def test_a_spool_on_a_joint_gives_power():
  """Closed form: at the end of the ramp the load takes m (g + a) v."""
  spec = mujoco.MjSpec.from_string(HOIST)
  spool = spec.worldbody.add_body(name="spool", pos=[-1, 0, 0])
  spool.add_joint(name="spool", axis=[0, 1, 0], armature=10.0)
  spool.add_geom(size=[0.02, 0, 0], mass=0.1)
  route = [mjc.Anchor("motor"), mjc.Wrap("post", side="over"), mjc.Anchor("hook")]
  axial = mjc.Axial(stiffness=2e4, damping=100.0, pretension=MASS * GRAVITY)
  mjc.add_cable(
    spec, mjc.Cable("rope", route, axial, take_up=mjc.SpoolJoint(joint="spool", radius=0.02))
  )
  model = spec.compile()
  data = mujoco.MjData(model)
  spin, speed = model.joint("spool").dofadr[0], 0.2
  mujoco.mj_forward(model, data)
  followed = Follower(model, data)
  for step in range(2000):
    data.qvel[spin] = min(1.0, step / 500) * speed / 0.02
    mujoco.mj_step(model, data)
    followed.step()
  account = followed.finish()["rope"]
  assert account.motor_work == 0  # of a body, in the sum of all energies
  assert account.closes < 1e-2
  pull = MASS * (GRAVITY + speed / 0.25)
  assert account.peak_power == pytest.approx(pull * speed, rel=0.01)
