"""Motion: what the actuators are told over time: a preset that fits the machine, or a CSV file."""

from mujocable.study.motion.preset import Command, Motion, preset, stepwise, table
from mujocable.study.motion.reach import commanded, fitted
from mujocable.study.motion.rows import Rows, from_csv, read_table
from mujocable.study.motion.shapes import PRESETS, smooth

__all__ = [
  "PRESETS",
  "Command",
  "Motion",
  "Rows",
  "commanded",
  "fitted",
  "from_csv",
  "preset",
  "read_table",
  "smooth",
  "stepwise",
  "table",
]
