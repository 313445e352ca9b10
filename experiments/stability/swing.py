"""Swing: the light tip of a tentacle between short, taut segments."""

import mujoco
import numpy as np

from experiments.progress import bar
from experiments.robots.results import Check, table
from mujocable.models import spirob

STEPS = (1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 1e-4)  # [s]
PULL, RAMP, REST = 8.0, 0.4, 2.0  # [N] within [s], then held for [s]
DRIVES = {"cable": "tension", "native": "native"}


def pulled(drive: str, timestep: float) -> tuple[float, float]:
  """Kinetic energy [J] and angle of the last joint [rad] after the pull has been held."""
  spec = spirob.build(spirob.Spirob(drive=drive))
  spec.option.timestep = timestep
  model = spec.compile()
  data = mujoco.MjData(model)
  for part in np.linspace(0.04, 1, 25):
    data.ctrl[0] = part * PULL
    mujoco.mj_step(model, data, nstep=round(RAMP / 25 / timestep))
  mujoco.mj_step(model, data, nstep=round(REST / timestep))
  mujoco.mj_energyVel(model, data)
  return float(data.energy[1]), float(data.qpos[-1])


def sweep(steps=STEPS) -> list[dict]:
  """One row per step: energy and last joint, of cables and of native tendons."""
  rows = []
  with bar("tentacle", len(steps)) as progress:
    for timestep in steps:
      progress.start(f"{1e3 * timestep:g} ms")
      row = {"timestep": timestep}
      for kind, drive in DRIVES.items():
        row[f"{kind}_energy"], row[f"{kind}_angle"] = pulled(drive, timestep)
      rows.append(row)
      progress.done()
  return rows


def checks(rows: list[dict]) -> list[Check]:
  """What must hold."""
  energy = max(row["cable_energy"] for row in rows)
  apart = max(abs(row["cable_angle"] - rows[-1]["native_angle"]) for row in rows)
  return [
    Check("energy of a tentacle at rest", energy, 1e-15, "J"),
    Check("its last joint from that of short steps", apart, 1e-6, "rad"),
  ]


def text(rows: list[dict]) -> list[str]:
  """Tables of the page."""
  intro = (
    f"The arm of 18 joints (`mujocable.models.spirob`), one cable pulled with {PULL:g} N and held "
    f"for {REST:g} s: kinetic energy that is left, and where the last joint is."
  )
  lines = [
    (
      f"{1e3 * row['timestep']:g} ms",
      *(f"{row[f'{kind}_energy']:.0e} J, {row[f'{kind}_angle']:.4f} rad" for kind in DRIVES),
    )
    for row in rows
  ]
  return [intro, table(("step", "cable", "native tendon"), lines)]
