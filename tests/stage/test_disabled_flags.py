"""Disabled features: a cable keeps MuJoCo's rules, never crashes and never pushes old forces.

- spring and damper both disabled: MuJoCo calls no passive force plugin; a passive cable then
  applies nothing, and its length stays readable;
- actuation disabled (or the actuator's group): a commanded cable applies nothing;
- sensors disabled: the trajectory is the same.
"""

import mujoco
import numpy as np
import pytest
from oracles import build, subjects, workshop
from oracles.straight import cart

import mujocable as mjc

SPRING = mujoco.mjtDisableBit.mjDSBL_SPRING
DAMPER = mujoco.mjtDisableBit.mjDSBL_DAMPER
ACTUATION = mujoco.mjtDisableBit.mjDSBL_ACTUATION
SENSOR = mujoco.mjtDisableBit.mjDSBL_SENSOR


def test_a_passive_cable_rests_when_springs_and_dampers_are_both_off():
  model, data, view = cart(stiffness=1000.0, pretension=10.0)
  model.opt.disableflags |= int(SPRING) | int(DAMPER)
  mujoco.mj_resetData(model, data)
  for _ in range(10):
    mujoco.mj_step(model, data)
  assert np.all(data.qfrc_passive == 0) and np.all(data.qpos == 0)
  model.opt.disableflags = 0
  mujoco.mj_forward(model, data)
  assert view.source_tension == pytest.approx(10.0, rel=1e-9)


@pytest.mark.parametrize("flag", [SPRING, DAMPER])
def test_one_of_the_two_flags_does_not_crash(flag):
  model = workshop.spec_of().compile()
  model.opt.disableflags |= int(flag)
  data = mujoco.MjData(model)
  workshop.run(model, data, 0, 200)
  assert np.all(np.isfinite(data.qpos))


def test_the_whole_workshop_runs_with_passive_forces_off():
  model = workshop.spec_of().compile()
  model.opt.disableflags |= int(SPRING) | int(DAMPER)
  runs = []
  for _ in range(2):
    data = mujoco.MjData(model)
    workshop.run(model, data, 0, 200)
    runs.append(workshop.state_of(model, data))
    assert np.all(np.isfinite(data.qpos))
    assert np.all(data.qfrc_passive == 0)
  assert np.array_equal(*runs)


@pytest.mark.parametrize(
  "take_up",
  [
    mjc.LengthCommand(range=(0.0, 0.1)),
    mjc.TensionCommand(range=(0.0, 20.0)),
    mjc.SpoolRate(radius=0.02, range=(-5.0, 5.0)),
    mjc.LengthCommand(range=(0.0, 0.1), lag=0.02),
  ],
  ids=["length", "tension", "spool_rate", "lag"],
)
@pytest.mark.parametrize("way", ["flag", "group"])
def test_disabled_actuation_means_no_force(take_up, way):
  options = {} if isinstance(take_up, mjc.TensionCommand) else {"stiffness": 500.0}
  model, data, view = cart(take_up=take_up, **options)
  data.ctrl[0] = 0.05 if not isinstance(take_up, mjc.TensionCommand) else 10.0
  for _ in range(5):
    mujoco.mj_step(model, data)
  if way == "flag":
    model.opt.disableflags |= int(ACTUATION)
  else:
    model.opt.disableactuator |= 1 << int(model.actuator_group[0])
  data.qvel[:] = 0
  mujoco.mj_forward(model, data)
  assert np.all(data.qfrc_actuator == 0) and np.all(data.qfrc_passive == 0)
  assert np.all(data.qacc == 0)
  before = data.qpos.copy()
  for _ in range(5):
    mujoco.mj_step(model, data)
  assert np.array_equal(data.qpos, before)
  model.opt.disableflags, model.opt.disableactuator = 0, 0
  mujoco.mj_forward(model, data)
  assert build.is_valid(view)


@pytest.mark.parametrize("integrator", ["implicitfast", "rk4"])
def test_disabled_sensors_do_not_change_the_motion(integrator):
  model = workshop.spec_of(integrator).compile()
  runs = []
  for flags in (0, int(SENSOR)):
    model.opt.disableflags = flags
    data = mujoco.MjData(model)
    workshop.run(model, data, 0, 300)
    runs.append(workshop.state_of(model, data))
  assert np.array_equal(*runs)


# ---- every flag ----------------------------------------------------------------------------------

SILENCING = {SPRING, DAMPER, ACTUATION}
OTHERS = [flag for flag in mujoco.mjtDisableBit.__members__.values() if flag not in SILENCING]
ENABLED = list(mujoco.mjtEnableBit.__members__.values())


def bits(flags):
  return [flag for flag in flags if flag.name.startswith(("mjDSBL", "mjENBL"))]


def loads(model, state):
  data = workshop.restored(model, state)
  mujoco.mj_forward(model, data)
  return {name: view.load for name, view in mjc.bind(model, data).items()}


@pytest.mark.parametrize("subject", subjects.ALL, ids=lambda s: s.name)
def test_no_other_flag_touches_a_cable(subject):
  """Loads at one state, bit for bit, with each flag of MuJoCo by itself; and it runs on."""
  # the one integrator that all flags accept; an implicit tension would feel what they switch off
  discrete = mujoco.mj_version() >= 3016000
  model = subject.compile_explicit("discrete" if discrete else "implicitfast")
  if mujoco.mj_version() < 4000000:  # there its flag ipc wants this solver
    model.opt.solver = mujoco.mjtSolver.mjSOL_CG
  data = mujoco.MjData(model)
  subject.run(model, data, 0, 120)
  state = workshop.state_of(model, data)
  want = loads(model, state)
  assert any(np.any(load != 0) for load in want.values())
  for field, flags in (("disableflags", bits(OTHERS)), ("enableflags", bits(ENABLED))):
    assert flags
    for flag in flags:
      setattr(model.opt, field, int(flag))
      for name, load in loads(model, state).items():
        assert np.array_equal(load, want[name]), (flag, name)
      data = workshop.restored(model, state)
      subject.run(model, data, 120, 150)
      assert np.all(np.isfinite(data.qpos)) and not any(w.number for w in data.warning), flag
    setattr(model.opt, field, 0)


@pytest.mark.parametrize("subject", subjects.ALL, ids=lambda s: s.name)
def test_silencing_flags_silence_their_kind_alone(subject):
  model = subject.compile_explicit()
  data = mujoco.MjData(model)
  subject.run(model, data, 0, 120)
  state = workshop.state_of(model, data)
  want = loads(model, state)
  commanded = {n for n, view in mjc.bind(model, data).items() if view.actuator is not None}
  passive = set(want) - commanded
  for flags, silent in (
    (int(SPRING), set()),
    (int(DAMPER), set()),
    (int(SPRING) | int(DAMPER), passive),
    (int(ACTUATION), commanded),
    (int(SPRING) | int(DAMPER) | int(ACTUATION), commanded | passive),
  ):
    model.opt.disableflags = flags
    for name, load in loads(model, state).items():
      assert np.array_equal(load, 0 * load if name in silent else want[name]), (flags, name)


def test_an_unclamped_command_is_obeyed_beyond_its_range():
  model, data, view = cart(take_up=mjc.TensionCommand(range=(0.0, 20.0)))
  for flags, tension in ((0, 20.0), (int(mujoco.mjtDisableBit.mjDSBL_CLAMPCTRL), 50.0)):
    model.opt.disableflags = flags
    data.ctrl[0] = 50.0
    mujoco.mj_forward(model, data)
    assert view.source_tension == tension


@pytest.mark.parametrize("integrator", ["implicitfast", "rk4"])
def test_a_restore_with_actuation_off_has_the_same_bits(integrator):
  """What a switched-off cable remembers follows from its pose, not from an older record."""
  model = workshop.spec_of(integrator).compile()
  data = mujoco.MjData(model)
  workshop.run(model, data, 0, 100)
  model.opt.disableflags |= int(ACTUATION)
  again = workshop.restored(model, workshop.state_of(model, data))
  for one in (data, again):
    workshop.run(model, one, 100, 150)
  assert workshop.same(model, data, again)
  hoist = mjc.bind(model, data)["hoist"]
  assert hoist.source_tension == 0.0
  assert hoist.stretch == pytest.approx(hoist.length - hoist.rest_length, abs=1e-12)
