"""Conversion of bodies: a row tells what became of a model, judged by the model itself."""

import mujoco

from experiments.conversion import run
from mujocable.models import tendon_finger

STRAP = """
<mujoco>
  <worldbody>
    <site name="wall" pos="-.2 0 .1"/>
    <body> <joint axis="0 1 0" range="-60 60"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/> <site name="tip" pos=".3 0 .03"/>
    </body>
  </worldbody>
  <tendon>
    <spatial name="good"> <site site="wall"/> <site site="tip"/> </spatial>
    <spatial name="yields" springlength="0 .3" stiffness="9" springyield=".1">
      <site site="wall"/> <site site="tip"/> </spatial>
  </tendon>
  <actuator> <motor tendon="good" gear="-1" ctrlrange="0 3"/> </actuator>
</mujoco>
"""


def test_a_row_counts_what_was_refused_and_compares_the_rest():
  row = run.row("strap", mujoco.MjSpec.from_string(STRAP))
  assert (row["tendons"], row["converted"], row["refusals"]) == (2, 1, {"yields": 1})
  # one straight span: rounding is all that the two differ by
  assert row["length_m"] < 1e-12 and row["arm_m"] < 1e-12 and row["differing"] == 0
  assert row["apart"] < 1e-12 and row["chaos"] < 1e-12
  report = run.summarize([row])
  assert "1 of 2 spatial tendons became cables. Refused: yields 1." in report.text[0]
  assert [check.met for check in report.checks] == [True, True, False]


def test_two_runs_part_where_the_model_is_another():
  """The trajectory is a judge: a cable that rubs is not the native tendon."""
  native = tendon_finger.native().compile()
  apart, chaos = run._travel(native, tendon_finger.build().compile())
  # chosen: what friction changes is far above what a rounding error at the start grows to
  assert apart > 1e-3 and chaos < 1e-6
  assert run._travel(native, native)[0] == 0.0
