"""The finger experiment: the static solver, and a quick run."""

import json
from argparse import Namespace

import numpy as np
import pytest

from experiments.finger import run as finger


def test_static_solver_meets_the_paper_at_one_friction():
  for (flexion, force), mu in zip(finger.PAPER, (0.0, finger.HIGH), strict=True):
    rest = finger.equilibrium(mu)
    # one friction for two printed numbers: to the four and the three digits that the paper prints
    assert np.rad2deg(rest.angles.sum()) == pytest.approx(flexion, rel=1e-3)
    assert rest.tensions[-1] == pytest.approx(force, rel=2e-3)


def test_force_at_the_tip_is_the_capstan_law_of_the_flexion():
  for mu in (0.1, 0.2, 0.3):
    rest = finger.equilibrium(mu)
    law = 0.395 * np.exp(-mu * rest.angles.sum())
    # the joints are solved to 1e-14, a product of seven factors is off by some 1e-15
    assert rest.tensions[-1] == pytest.approx(law, rel=1e-9)


def test_more_friction_less_of_everything():
  rests = [finger.equilibrium(mu) for mu in finger.FRICTIONS]
  assert (np.diff([rest.angles.sum() for rest in rests]) < 0).all()
  assert (np.diff([rest.tensions[-1] for rest in rests]) < 0).all()


def test_quick_run(tmp_path):
  assert finger.main(Namespace(quick=True, out=tmp_path, docs=False)) == 0
  found = json.loads((tmp_path / "finger.json").read_text())
  low, high = found["rows"]
  assert {"mu", "flexion_deg", "internal_force_N"} <= set(low)
  # the finger still moves a little when it is read, as in the paper: its targets, 3 % and 5 %
  assert low["flexion_deg"] == pytest.approx(269.3, rel=0.03)
  assert high["flexion_deg"] == pytest.approx(214.3, rel=0.03)
  assert low["internal_force_N"] == pytest.approx(0.395, rel=0.05)
  assert high["internal_force_N"] == pytest.approx(0.183, rel=0.05)


@pytest.mark.slow
def test_whole_sweep(tmp_path):
  assert finger.main(Namespace(quick=False, out=tmp_path, docs=False)) == 0
