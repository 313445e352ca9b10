"""Friction: a light sheave under a taut cable, and an arm of many rough holes, at long steps."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import mujoco
import numpy as np

import mujocable as mjc
from experiments.progress import bar
from experiments.robots.results import Check, table
from mujocable.models import spirob

FRICTIONS = (0.1, 0.3, 0.6)
RADIUS, SHEAVE, PAYLOAD = 0.02, 1e-3, 0.5  # [m], [kg], [kg]
STIFFNESS, GRAVITY = 2e4, 9.81  # [N/m], [m/s^2]
MOVING, RESTING = 1.0, 4.0  # [s]: a vibration that the step resolves takes its time
WINCH = 0.1  # amplitude [m], once a second
KINDS = ("auto", "explicit")

WORLD = """<mujoco><option timestep="{}" integrator="{}"/><worldbody>
  <site name="motor" pos="-.22 0 .35"/><site name="hint" pos=".03 0 .4"/>
  <body pos="0 0 .3"><joint axis="0 1 0"/>
    <geom name="rim" type="cylinder" size="{} .01" euler="90 0 0" mass="{}" contype="0"
      conaffinity="0"/></body>
  <body pos="{} 0 -.3"><joint type="slide" axis="0 0 1"/><geom size=".02" mass="{}"/>
    <site name="hook"/></body></worldbody></mujoco>"""


def sweep(
  integrators: Sequence[str], frictions: Sequence[float], steps: Sequence[float]
) -> list[dict]:
  """One row per integrator, friction and step: for each kind what `hoist` found."""
  rows = []
  cases = list(itertools.product(integrators, frictions, steps))
  with bar("friction", len(cases)) as progress:
    for integrator, friction, timestep in cases:
      progress.start(f"{integrator} {friction:g} {timestep:g} s")
      row = {"integrator": integrator, "friction": friction, "timestep": timestep}
      for kind in KINDS:
        row[f"{kind}_error"], row[f"{kind}_least_loss"] = hoist(
          kind, friction, timestep, integrator
        )
      rows.append(row)
      progress.done()
  return rows


def hoist(kind: str, friction: float, timestep: float, integrator: str) -> tuple[float, float]:
  """A winch moves a payload over the sheave, then rests: error of the tensions, least loss.

  nan where the rim was ever faster than its cable could have made it, by more than a tenth.
  """
  text = WORLD.format(timestep, integrator, RADIUS, SHEAVE, RADIUS, PAYLOAD)
  spec = mujoco.MjSpec.from_string(text)
  cable = mjc.Cable(
    "c",
    [mjc.Anchor("motor"), mjc.Wrap("rim", side="hint"), mjc.Anchor("hook")],
    mjc.Axial(
      stiffness=STIFFNESS,
      damping=0.1 * float(np.sqrt(STIFFNESS * PAYLOAD)),
      pretension=PAYLOAD * GRAVITY,
    ),
    friction=friction,
    take_up=mjc.LengthCommand(range=(-1, 1)),
    integration=kind,
  )
  mjc.add_cable(spec, cable)
  model = spec.compile()
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)["c"]
  fastest, least = 0.0, np.inf
  for step in range(round((MOVING + RESTING) / timestep)):
    time = min(step * timestep, MOVING)
    data.ctrl[0] = 0.5 * WINCH * (1 - np.cos(2 * np.pi * time / MOVING))
    mujoco.mj_step(model, data)
    # the cable at the sheave is no faster than the winch and the payload together
    winch = np.pi * WINCH / MOVING
    fastest = max(fastest, winch, winch + abs(float(data.qvel[1])))
    least = min(least, float(view.dissipation[0]))
    if not abs(RADIUS * data.qvel[0]) < 1.1 * fastest or data.warning.number.any():
      return np.nan, least
  # both sides carry the payload; what is locked within the arc may stretch it a little more or less
  want = PAYLOAD * GRAVITY
  return float(np.abs(view.tension - want).max()) / want, least


def arm() -> dict:
  """The arm of three cables, 114 holes with friction 0.3, at its own step: fastest joint."""
  found: dict = {"friction": 0.3}
  for kind in KINDS:
    spec = spirob.build(spirob.Spirob(cables=3, friction=0.3))
    for plugin in spec.plugins:
      plugin.config = {**plugin.config, "integration": kind}
    model = spec.compile()
    data = mujoco.MjData(model)
    found["timestep"], found["holes"] = model.opt.timestep, 3 * 38
    fastest = 0.0
    for _ in range(1000):
      wave = np.sin(8 * data.time + 0.7 * np.arange(3))
      data.ctrl[:] = 0.03 * wave * min(1.0, data.time / 0.05)
      mujoco.mj_step(model, data)
      fastest = max(fastest, float(np.abs(data.qvel).max()))
      if data.warning.number.any():
        fastest = np.inf
        break
    found[kind] = fastest
  return found


def checks(rows: list[dict], found: dict) -> list[Check]:
  """What must hold."""
  errors = [row["auto_error"] for row in rows]
  return [
    Check("sheaves that are stable", float(np.sum(np.isfinite(errors))), len(rows), "", least=True),
    Check("tension at rest over a sheave, relative", float(np.nanmax(errors)), 1e-6),
    Check("least loss at a sheave", min(row["auto_least_loss"] for row in rows), 0.0, "W", True),
    Check("fastest joint of the rough arm", found["auto"], 100.0, "rad/s"),
  ]


def text(rows: list[dict], found: dict) -> list[str]:
  """Tables of the page."""
  frictions = sorted({row["friction"] for row in rows})
  steps = sorted({row["timestep"] for row in rows})
  intro = (
    f"A winch moves a payload of {PAYLOAD:g} kg over a free sheave of {1e3 * SHEAVE:g} g and "
    f"{1e3 * RADIUS:g} mm, then stops (cable of {STIFFNESS:.0e} N/m). Stable: "
    "the rim is never a tenth faster than the cable. Cable, explicit cable:"
  )
  lines = []
  for integrator in dict.fromkeys(row["integrator"] for row in rows):
    for friction in frictions:
      cells = [f"{integrator}, friction {friction:g}"]
      for step in steps:
        key = {"integrator": integrator, "friction": friction, "timestep": step}
        row = next(row for row in rows if key.items() <= row.items())
        cells.append(" ".join("yes" if np.isfinite(row[f"{k}_error"]) else "-" for k in KINDS))
      lines.append(cells)
  head = ("integrator, friction", *(f"{1e3 * step:g} ms" for step in steps))
  thrown = found["explicit"]
  explicit = "MuJoCo stops it" if np.isinf(thrown) else f"up to {thrown:.3g} rad/s"
  closing = (
    f"A spiral arm of three cables, {found['holes']} holes with friction {found['friction']:g}, at "
    f"its own step of {1e3 * found['timestep']:g} ms: its joints turn with up to "
    f"{found['auto']:.3g} rad/s; with explicit cables {explicit}."
  )
  return [intro, table(head, lines), closing]
