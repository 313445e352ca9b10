"""Hoist: a small machine whose parameters are known, and what one would measure on it."""

import csv
from pathlib import Path

import mujoco
import numpy as np

import mujocable as mjc
from mujocable.study.motion import Rows
from mujocable.study.simulate import simulate

MASS, RADIUS, DRAG = 2.0, 0.1, 30.0  # of the load [kg]; of the post [m]; on the load [N s/m]
TRUTH = {"rope.friction": 0.23, "rope.stiffness": 4000.0, "rope.lag": 0.05}
WRONG = {"rope.friction": 0.05, "rope.stiffness": 12000.0, "rope.lag": 0.02}
NOISE = {"rope.tension[0]": 0.3, "qpos.lift": 2e-4}  # [N], [m]

_SCENE = f"""
<mujoco>
  <option timestep="0.001" integrator="implicitfast"/>
  <worldbody>
    <site name="motor" pos="-.6 0 0"/>
    <site name="over" pos="0 0 .5"/>
    <site name="first" pos="-.5 0 .1"/> <site name="second" pos="-.49 0 .09"/>
    <geom name="post" type="cylinder" size="{RADIUS} .05" euler="90 0 0"/>
    <body pos=".1 0 -1">
      <joint name="lift" type="slide" axis="0 0 1" damping="{DRAG}"/>
      <geom size=".05" mass="{MASS}"/>
      <site name="hook"/>
    </body>
  </worldbody>
</mujoco>"""


def build(values: dict[str, float], eyelets: int = 0) -> mujoco.MjSpec:
  """A load behind a post, lifted by a motor that lags; with so many eyelets before the post."""
  spec = mujoco.MjSpec.from_string(_SCENE)
  eyes = [mjc.Eyelet(name) for name in ("first", "second")[:eyelets]]
  route = [mjc.Anchor("motor"), *eyes, mjc.Wrap("post", side="over"), mjc.Anchor("hook")]
  cable = mjc.Cable(
    "rope",
    route,
    mjc.Axial(stiffness=values["rope.stiffness"], damping=40.0, pretension=MASS * 9.81),
    friction=values["rope.friction"],
    take_up=mjc.LengthCommand(range=(-1.0, 1.0), lag=values["rope.lag"]),
  )
  mjc.add_cable(spec, cable)
  return spec


def measure(spec: mujoco.MjSpec, path: Path, seed: int, duration: float = 0.8) -> None:
  """Writes what sensors with white noise would show, 100 rows per second."""
  random = np.random.default_rng(seed)
  time = np.arange(0, duration + 1e-9, 0.01)
  command = Rows(time, 0.03 * (1 - np.cos(2 * np.pi * time / 0.4))[:, None])
  found = simulate(spec.compile(), command, duration, rate=100).recording
  with path.open("w", newline="", encoding="utf-8") as file:
    writer = csv.writer(file)
    writer.writerow(["time", "rope", *NOISE])
    columns = [
      found[name] + noise * random.normal(size=len(found)) for name, noise in NOISE.items()
    ]
    writer.writerows(zip(time, command.values[:, 0], *columns, strict=True))
