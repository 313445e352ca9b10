"""Designs: confirmed by trying everything, independent of who ran what; sizes by closed forms."""

import json
import math

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from experiments.answers import designs
from mujocable.errors import CableError
from mujocable.models import finger
from mujocable.study.motion import Rows, smooth
from mujocable.study.simulate import simulate

pytest.importorskip("optuna")


@pytest.mark.parametrize("name", designs.PROBLEMS)
def test_a_bad_routing_becomes_one_that_trying_everything_confirms(name):
  problem = designs.PROBLEMS[name]()
  result = designs.search(problem, trials=24 if name == "finger" else 60)
  (goal,) = problem.goals
  best, _ = designs.exhaustive(problem, 4)
  assert result.best is not None and result.best.feasible
  assert result.best.measures[goal] > 0.98 * best
  assert result.best.measures[goal] > 1.3 * result.given.measures[goal]
  # the model that is written does what is said
  again = designs.exhaustive(
    designs.Problem(
      problem.spec,
      {k: (v, v) for k, v in result.best.values.items()},
      problem.goals,
      problem.limits,
      problem.motion,
      problem.duration,
    ),
    1,
  )
  assert again[0] == pytest.approx(result.best.measures[goal], rel=1e-12)


def two_goals(**more):
  return mjc.design(
    finger.build(finger.Finger(friction=0.1)),
    vary={"site:flexor:*_mcp.y": (0.005, 0.012), "flexor.friction": (0.0, 0.3)},
    goals={"joint:mcp.travel": "maximize", "flexor.peak_tension": "minimize"},
    motion=Rows(np.array([0.0, 0.3]), np.array([[0.0, 0.0], [0.008, -0.008]])),
    duration=0.3,
    trials=24,
    **more,
  )


def test_a_front_is_not_beaten_and_does_not_depend_on_the_workers(tmp_path):
  result = two_goals()
  assert len(result.front) > 1
  for one in result.front:
    for other in result.points:
      better = (
        other.measures["joint:mcp.travel"] > one.measures["joint:mcp.travel"],
        other.measures["flexor.peak_tension"] < one.measures["flexor.peak_tension"],
      )
      assert not (other.feasible and all(better))
  assert two_goals(workers=2, folder=tmp_path).to_dict() == result.to_dict()
  assert two_goals(folder=tmp_path, resume=True).to_dict() == result.to_dict()


def test_limits_that_nothing_keeps_are_said():
  result = mjc.design(
    finger.build(),
    vary={"site:flexor:*_mcp.y": (0.005, 0.012)},
    goals={"flexor.efficiency": "maximize"},
    limits={"flexor.bend_radius": (0.0, 1.0), "joint:mcp.travel": (5.0, 6.0)},
    duration=0.1,
    trials=3,
  )
  assert result.best is None and "None of 3 designs keeps the limits" in result.verdict


LEVER = """
<mujoco>
  <option timestep="0.001" integrator="implicitfast" gravity="0 0 0"/>
  <worldbody>
    <site name="motor" pos="0 0 .4"/>
    <body>
      <joint name="hinge" axis="0 -1 0"/>
      <geom type="capsule" size=".01" fromto="0 0 0 .3 0 0" mass=".3"/>
      <site name="tied" pos=".2 0 0"/> <site name="tip" pos=".3 0 0"/>
    </body>
    <body pos="1 0 0"> <joint name="ball" type="ball"/> <geom size=".1"/> </body>
  </worldbody>
  <keyframe> <key name="up" qpos="0.6 1 0 0 0"/> </keyframe>
</mujoco>
"""


def lever():
  spec = mujoco.MjSpec.from_string(LEVER)
  ends = [mjc.Anchor("motor"), mjc.Anchor("tied")]
  mjc.add_cable(spec, mjc.Cable("pull", ends, take_up=mjc.TensionCommand(range=(0.0, 10.0))))
  return spec


@pytest.mark.parametrize(("keyframe", "angle"), [(None, 0.0), (0, 0.6)])
def test_a_site_is_held_where_the_run_begins(keyframe, angle):
  """Its force has the moment of the pull about the hinge, at home and at a keyframe."""
  result = mjc.design(
    lever(),
    vary={"site:motor.x": (-0.1, 0.1)},
    goals={"site:tip.force": "maximize"},
    motion="ramp",
    duration=1.0,
    keyframe=keyframe,
    trials=1,
  )
  tied, motor = 0.2 * np.array([math.cos(angle), math.sin(angle)]), np.array([0.0, 0.4])
  pull = 10.0 * (motor - tied) / np.linalg.norm(motor - tied)
  moment = tied[0] * pull[1] - tied[1] * pull[0]
  assert result.given.measures["site:tip.force"] == pytest.approx(moment / 0.3, rel=0.02)


def test_a_resumed_design_has_the_limits_that_it_had(tmp_path):
  """Which designs are asked for depends on them, and the journal knows them by their number."""
  first = {"limits": {"flexor.peak_tension": (0.0, 50.0)}, "folder": tmp_path}
  two_goals(**first)
  two_goals(**first, resume=True)
  with pytest.raises(CableError, match="holds the points of another study"):
    two_goals(limits={"flexor.peak_tension": (0.0, 5.0)}, folder=tmp_path, resume=True)


def test_the_travel_of_a_ball_joint_is_no_number():
  asked = {"vary": {"site:motor.x": (0.0, 0.1)}, "goals": {"joint:ball.travel": "maximize"}}
  with pytest.raises(CableError, match="accepted: hinges and slides"):
    mjc.design(lever(), **asked)


@pytest.mark.parametrize(
  ("change", "message"),
  [
    ({"vary": {}}, "nothing varies"),
    ({"vary": {"flexor.friction": (1.0, 0.0)}}, "must vary from low to high"),
    ({"vary": {"flexor.friction": 0.1}}, "must vary from low to high, got 0.1"),
    ({"vary": {"flexor.friction": ("0", "x")}}, "must vary from low to high"),
    ({"vary": ["flexor.friction"]}, "vary must be a dict"),
    ({"goals": {}}, "no goal is given"),
    ({"goals": ["flexor.lost"]}, "goals must be a dict"),
    ({"goals": {"flexor.efficiency": "best"}}, "must be 'maximize' or 'minimize'"),
    ({"goals": {"flexor.efficency": "maximize"}}, "did you mean 'efficiency'"),
    ({"goals": {"flexr.lost": "minimize"}}, "no cable 'flexr' in this model; did you mean"),
    ({"goals": {"site:tp.travel": "maximize"}}, "no site 'tp'"),
    ({"goals": {"site:tip.speed": "maximize"}}, "a site has no 'speed'; accepted: travel, force"),
    ({"limits": {"flexor.lost": (1.0, 0.0)}}, "must be low < high"),
    ({"limits": {"flexor.lost": 0.1}}, "must be low < high, got 0.1"),
    ({"trials": 0}, "trials must be at least 1"),
    ({"trials": 2.5}, "trials must be at least 1"),
    ({"keyframe": 3}, "a study: keyframe 3 is not in this model"),
  ],
)
def test_bad_questions_are_refused(change, message):
  asked = {
    "vary": {"flexor.friction": (0.0, 0.3)},
    "goals": {"flexor.efficiency": "maximize"},
    "duration": 0.05,
  }
  with pytest.raises(CableError, match=message):
    mjc.design(finger.build(), **(asked | change))


# ---- sizing --------------------------------------------------------------------------------------


def lift(mass=3.0, friction=0.2, height=0.4, lasts=1.0):
  """A load lifted over a fixed post along a smooth step."""
  spec = mujoco.MjSpec.from_string(f"""
  <mujoco><option timestep="0.0005" integrator="implicitfast"/>
    <worldbody>
      <site name="motor" pos="-.6 0 0"/> <site name="over" pos="0 0 .5"/>
      <geom name="post" type="cylinder" size=".1 .05" euler="90 0 0"/>
      <body pos=".1 0 -1"><joint type="slide" axis="0 0 1"/><geom size=".05" mass="{mass}"/>
        <site name="hook"/></body>
    </worldbody></mujoco>""")
  route = [mjc.Anchor("motor"), mjc.Wrap("post", side="over"), mjc.Anchor("hook")]
  cable = mjc.Cable(
    "rope",
    route,
    mjc.Axial(stiffness=2e5, damping=400.0, pretension=mass * 9.81),
    friction=friction,
    take_up=mjc.LengthCommand(range=(0.0, 1.0)),
  )
  mjc.add_cable(spec, cable)
  model = spec.compile()
  time = np.linspace(0, 1.5, 3001)
  run = simulate(model, Rows(time, height * smooth((time - 0.2) / lasts)[:, None]), 1.5, rate=10)
  angle = mjc.bind(model, mujoco.MjData(model))["rope"]
  return run, angle


def test_the_motor_of_a_lift_is_that_of_the_closed_form():
  """m (g + a) exp(mu phi) r and v / r, of the step without a jerk."""
  mass, mu, height, lasts, spool = 3.0, 0.2, 0.4, 1.0, 0.04
  run, _ = lift(mass, mu, height, lasts)
  turn = run.recording["rope.wrap_angle[0]"][0]
  fastest = 10 / math.sqrt(3) * height / lasts**2  # acceleration of the smooth step
  found = mjc.sizing(run.accounts["rope"], spool=spool, material="steel 7x19", safety=5)
  assert found.torque == pytest.approx(
    mass * (9.81 + fastest) * math.exp(mu * turn) * spool, rel=1e-2
  )
  assert found.speed == pytest.approx(1.875 * height / lasts / spool, rel=1e-3)
  assert found.turns == pytest.approx(height / (2 * math.pi * spool), rel=1e-3)
  # the thinnest that is safe: the next one down is not
  from mujocable.catalogue import material
  from mujocable.study.sizing import DIAMETERS

  thinner = DIAMETERS[DIAMETERS.index(found.diameter) - 1]
  assert found.safety >= 5
  assert material("steel 7x19", thinner).max_tension < 5 * found.tension


def test_the_spools_that_a_motor_can_drive():
  run, _ = lift()
  account = run.accounts["rope"]
  low, high = mjc.sizing(account, spool=0.04, motor=(2.0, 30.0)).spools
  assert low == pytest.approx(account.peak_rate / 30.0)
  assert high == pytest.approx(2.0 / account.peak_tension)
  with pytest.raises(CableError, match=r"no 'dyneema braid' up to 12\.7 mm holds"):
    mjc.sizing(account, spool=0.04, material="dyneema braid", safety=1e6)
  with pytest.raises(CableError, match="spool must be"):
    mjc.sizing(account, spool=0.0)
  with pytest.raises(CableError, match="motor must be 2 numbers, got 3"):
    mjc.sizing(account, spool=0.04, motor=3)  # pyright: ignore
  with pytest.raises(CableError, match="account must be that of a cable"):
    mjc.sizing(run.accounts, spool=0.04)  # pyright: ignore


# ---- the verb ------------------------------------------------------------------------------------


def test_the_verb_reads_a_study_and_writes_everything(tmp_path, monkeypatch, capsys):
  from mujocable.cli.__main__ import main

  monkeypatch.chdir(tmp_path)
  (tmp_path / "study.toml").write_text("""
model = "finger"
motion = "ramp"
duration = 0.1
trials = 4
[vary]
"site:flexor:*_mcp.y" = [0.005, 0.012]
[goals]
"flexor.efficiency" = "maximize"
[sizing]
cable = "flexor"
spool = 0.005
""")
  assert main(["design", "study.toml", "--json", "--workers", "1"]) == 0
  data = json.loads(capsys.readouterr().out)
  assert data["best"]["feasible"] and data["sizing"]["torque"] > 0
  folder = tmp_path / "out" / "design"
  assert {"design.xml", "design.json", "report.html"} <= {p.name for p in folder.iterdir()}
  model = mujoco.MjModel.from_xml_path(str(folder / "design.xml"))
  want = data["best"]["values"]["site:flexor:*_mcp.y"]
  assert model.site("flexor:before_mcp").pos[1] == pytest.approx(want, rel=1e-5)
  page = (folder / "report.html").read_text()
  assert page.index("within all limits") < page.index("<table")


@pytest.mark.parametrize(
  ("text", "message"),
  [
    ("model = ", "Invalid value"),
    ("modl = 'finger'", "no key 'modl'; accepted: .* did you mean 'model'"),
    ("duration = 1", "the key 'model' is missing"),
    ("model = 3", "model has the wrong type"),
    ("model = 'finger'", "neither .vary. nor .sizing. is there"),
    ("model = 'finger'\n[vary]\nx = 3", "must be .low, high., got 3"),
    ("model = 'finger'\n[sizing]\ncable = 'flexor'", "sizing needs 'spool'"),
    ("model = 'finger'\n[sizing]\nspol = 1", "sizing has no key 'spol'"),
  ],
)
def test_bad_files_are_refused(text, message, tmp_path, capsys):
  import re

  from mujocable.cli.__main__ import main

  (tmp_path / "study.toml").write_text(text)
  assert main(["design", str(tmp_path / "study.toml")]) == 2
  assert re.search(message, capsys.readouterr().err.replace("\n", " "))
