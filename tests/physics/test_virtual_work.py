"""(18): without friction Q = -T G^T and Q.v = -T Ldot; and Q is what MuJoCo really applies.

Judge: the gradient (itself checked by finite differences) and MuJoCo's own force sums in a model
without any other passive or actuator force. Tolerance 1e-12 relative (theory section 9).
"""

import mujoco
import numpy as np
import pytest
from oracles import articulated, build

import mujocable as mjc

ELASTIC = {"stiffness": 500.0, "damping": 2.0, "pretension": 20.0}
CABLES = {
  "passive": ELASTIC,
  "length": ELASTIC | {"take_up": mjc.LengthCommand(range=(-0.1, 0.1))},
  "spool_rate": ELASTIC | {"take_up": mjc.SpoolRate(radius=0.02, range=(-5.0, 5.0))},
  "tension": {
    "stiffness": None,
    "damping": 0.0,
    "pretension": None,
    "take_up": mjc.TensionCommand(range=(0.0, 100.0)),
  },
}
COMMANDS = {"length": 0.01, "spool_rate": 2.0, "tension": 33.0}


def loaded(seed, kind, **options):
  s = articulated.scene(seed, **options, **CABLES[kind])
  articulated.shake(s, np.random.default_rng(seed[0]))
  if s.model.nu:
    s.data.ctrl[:] = COMMANDS[kind]
    mujoco.mj_forward(s.model, s.data)
  assert build.is_valid(s.view)
  assert s.view.source_tension > 1.0
  return s


@pytest.mark.parametrize("kind", CABLES)
@pytest.mark.parametrize("spans", [(0,), (1, 1), (3,), (2, 1)], ids=str)
@pytest.mark.parametrize("seed", range(5))
def test_load_is_minus_tension_times_gradient(seed, spans, kind):
  s = loaded([seed, 9, *spans], kind, spans=spans)
  tension = s.view.source_tension
  size = tension * np.abs(s.view.jacobian).max()
  assert np.abs(s.view.load + tension * s.view.jacobian).max() < 1e-12 * size
  power = s.view.load @ s.data.qvel
  terms = np.abs(s.view.load * s.data.qvel).sum()
  assert abs(power + tension * s.view.length_rate) < 1e-12 * terms


@pytest.mark.parametrize("friction", [0.0, 0.3])
@pytest.mark.parametrize("kind", CABLES)
@pytest.mark.parametrize("seed", range(3))
def test_load_is_the_force_mujoco_applies(seed, kind, friction):
  s = loaded([seed, 10], kind, spans=(1, 2), friction=friction)
  applied = s.data.qfrc_passive + s.data.qfrc_actuator
  assert np.abs(applied - s.view.load).max() < 1e-12 * np.abs(s.view.load).max()


@pytest.mark.parametrize("kind", ["length", "spool_rate", "tension"])
def test_the_actuator_force_is_the_source_tension(kind):
  """The command is an ordinary MuJoCo actuator whose force can be read."""
  s = loaded([1, 13], kind, spans=(1, 1))
  assert s.model.actuator(0).name == "cable"
  assert s.data.actuator_force[0] == pytest.approx(s.view.source_tension, rel=1e-14)
