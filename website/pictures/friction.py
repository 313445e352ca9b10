"""Friction: loops and holding of cables that remember, beside the sliding law."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np
from matplotlib.figure import Figure

import mujocable as mjc
from mujocable.models import bowden_elbow
from mujocable.viewer.plots import COLORS
from website.pictures.concepts import figure_of

_BLUE, _RED, _GREEN = COLORS[0], COLORS[1], COLORS[2]


def draw(folder: Path) -> Iterator[Path]:
  """Draws every picture of the page into a folder."""
  for make in (loops, hold, grip, sheath):
    path = folder / f"{make.__name__}.png"
    make().savefig(path, dpi=110)
    yield path


# ------------------------------------ a spring behind a bend

_BEND = """
<mujoco><option timestep="{step}" gravity="0 0 0" integrator="implicitfast"/><worldbody>
  <site name="motor" pos="-.2 0 -.02"/> <site name="side" pos=".04 0 0"/>
  <geom name="post" type="cylinder" size=".02 .01" euler="90 0 0"/>
  <body pos="-.2 0 .02"><joint name="tip" type="slide" axis="1 0 0" stiffness="1000" damping="5"/>
    <geom size=".01" mass=".05"/><site name="tip"/></body>
</worldbody></mujoco>"""


def _bend(friction: float | mjc.Sliding) -> mjc.Cable:
  route = [mjc.Anchor("motor"), mjc.Wrap("post", side="side"), mjc.Anchor("tip")]
  take_up = mjc.LengthCommand(range=(-1.0, 1.0))
  law = mjc.Axial(stiffness=2000.0, damping=2.0)
  return mjc.Cable("cable", route, law, friction=friction, take_up=take_up)


def _driven(cable: mjc.Cable, targets: list[float], speed: float, step: float = 1e-3) -> np.ndarray:
  """Rows of take-up [m], tension at the motor and at the tip [N], way of the tip [m]."""
  spec = mujoco.MjSpec.from_string(_BEND.format(step=step))
  mjc.add_cable(spec, cable)
  model = spec.compile()
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)["cable"]
  rows = []
  for target in targets:
    start = float(data.ctrl[0])
    count = max(1, round(abs(target - start) / speed / step))
    for k in range(count):
      data.ctrl[0] = start + (target - start) * (k + 1) / count
      mujoco.mj_step(model, data)
      rows.append((view.take_up, view.tension[0], view.tension[-1], float(data.qpos[0])))
  return np.array(rows)


def loops() -> Figure:
  """Tension and way over the take-up: with memory at two speeds, and the sliding law."""
  figure, axes = figure_of(1, 3, (11, 3.6))
  way = [0.03, 0.01, 0.03, 0.02, 0.024, 0.02, 0.03, 0.01]
  for color, width, speed in ((_BLUE, 3.0, 0.002), (_GREEN, 1.2, 0.02)):
    rows = _driven(_bend(0.2), way, speed)
    label = f"with memory, {1e3 * speed:.0f} mm/s"
    axes[0].plot(1e3 * rows[:, 0], rows[:, 1], color=color, linewidth=width, label=label)
    axes[1].plot(1e3 * rows[:, 0], 1e3 * rows[:, 3], color=color, linewidth=width)
  for color, speed in ((_RED, 0.002), (COLORS[3], 0.02)):
    rows = _driven(_bend(mjc.Sliding(0.2)), way, speed, 2.5e-4)
    label = f"sliding law, {1e3 * speed:.0f} mm/s"
    axes[2].plot(1e3 * rows[:, 0], rows[:, 1], color=color, label=label)
  for ax, title in zip(
    axes, ("at the motor [N]", "way of the tip [mm]", "at the motor [N]"), strict=True
  ):
    ax.set(xlabel="taken in [mm]", title=title)
    ax.grid(alpha=0.3)
  axes[0].legend(frameon=False)
  axes[2].legend(frameon=False)
  return figure


# ------------------------------------ weights over a sheave

_WEIGHTS = """
<mujoco><option timestep="0.002"/><worldbody>
  <site name="over" pos="0 0 1.3"/>
  <body pos="0 0 1"><joint name="wheel" axis="0 1 0" armature="0.05"/>
    <geom name="post" type="cylinder" size=".1 .05" euler="90 0 0" mass=".1"/></body>
  <body pos="-.1 0 .2"><joint type="slide" axis="0 0 1"/><geom size=".03" mass="1"/>
    <site name="left"/></body>
  <body pos=".1 0 .2"><joint name="b" type="slide" axis="0 0 1"/><geom size=".03" mass="1.5"/>
    <site name="right"/></body>
</worldbody><equality><joint name="brake" joint1="wheel"/></equality></mujoco>"""


def hold() -> Figure:
  """A braked sheave holds 1.5 kg against 1 kg; then the brake is opened."""
  figure, (left, right) = figure_of(1, 2, (10, 3.4))
  route = [mjc.Anchor("left"), mjc.Wrap("post", side="over"), mjc.Anchor("right")]
  cable = mjc.Cable(
    "cable", route, mjc.Axial(stiffness=2e4, damping=40.0, pretension=9.81), friction=0.3
  )
  for color, law in ((_BLUE, 0.3), (_RED, mjc.Sliding(0.3))):
    spec = mujoco.MjSpec.from_string(_WEIGHTS)
    mjc.add_cable(spec, replace(cable, friction=law))
    model = spec.compile()
    data = mujoco.MjData(model)
    view = mjc.bind(model, data)["cable"]
    rows = []
    while data.time < 4.3:
      data.eq_active[0] = data.time < 4.0
      mujoco.mj_step(model, data)
      rows.append((data.time, 1e3 * float(data.joint("b").qpos[0]), *view.tension))
    time, sunk, first, last = np.transpose(rows)
    words = "sliding law" if isinstance(law, mjc.Sliding) else "with memory"
    left.plot(time, sunk, color=color, label=words)
    right.plot(time, last / first, color=color, label=words)
  left.set(xlabel="time [s]", title="height of the heavier weight [mm]", ylim=(-40, 5))
  right.set(xlabel="time [s]", title="ratio of the tensions", ylim=(0.9, 2.7))
  right.axhline(np.exp(0.3 * np.pi), color="gray", linestyle=":", label="exp(0.3 x half a turn)")
  for ax in (left, right):
    ax.grid(alpha=0.3)
    ax.legend(frameon=False)
  return figure


# ------------------------------------ a tip that grips


def grip() -> Figure:
  """Close on an object that stands in the way, then let cable out: how much grip stays."""
  figure, (ax,) = figure_of(1, 1, (6.4, 3.6))
  for color, friction in zip(COLORS, (0.0, 0.1, 0.2, 0.4), strict=False):
    # the tip meets the object after 5 mm, as a hard limit of its joint
    spec = mujoco.MjSpec.from_string(_BEND.format(step=1e-3))
    joint = spec.joint("tip")
    joint.stiffness = [50.0, 0.0, 0.0]
    joint.limited = mujoco.mjtLimited.mjLIMITED_TRUE
    joint.range = [-1.0, 0.005]
    joint.solref_limit = [0.002, 1.0]
    mjc.add_cable(spec, _bend(friction))
    model = spec.compile()
    data = mujoco.MjData(model)
    view = mjc.bind(model, data)["cable"]
    rows = []
    for start, stop in ((0.0, 0.02), (0.02, 0.0)):
      for part in np.linspace(0, 1, 5001):
        data.ctrl[0] = start + part * (stop - start)
        mujoco.mj_step(model, data)
        rows.append((1e3 * view.take_up, view.tension[-1] - 50.0 * float(data.qpos[0])))
    taken, force = np.transpose(rows)
    ax.plot(taken, np.maximum(force, 0), color=color, label=f"friction {friction:g}")
  ax.set(xlabel="taken in [mm]", title="grip on an object behind a bend of 180° [N]")
  ax.grid(alpha=0.3)
  ax.legend(frameon=False)
  return figure


# ------------------------------------ an elbow behind a sheath


def elbow_loop(shoulder: float, travel: float = 0.05, seconds: float = 4.0) -> np.ndarray:
  """Draws cable in and lets it out: elbow [rad], tension of motor and elbow [N], bend [rad]."""
  model = bowden_elbow.build().compile()
  data = mujoco.MjData(model)
  flexor = mjc.bind(model, data)[bowden_elbow.CABLE]
  data.joint("shoulder").qpos[0] = data.actuator("shoulder").ctrl[0] = shoulder
  mujoco.mj_step(model, data, nstep=round(1.0 / model.opt.timestep))
  rows, steps = [], round(seconds / model.opt.timestep)
  for k in range(2 * steps):
    data.ctrl[flexor.command] = travel * (1 - abs(k / steps - 1))
    mujoco.mj_step(model, data)
    bend = float(flexor.wrap_angle[:2].sum())
    rows.append((data.joint("elbow").qpos[0], flexor.tension[0], flexor.tension[2], bend))
  return np.array(rows)


def sheath() -> Figure:
  """The motor's tension over the angle of the elbow, in two postures of the shoulder."""
  figure, (ax,) = figure_of(1, 1, (6.4, 3.6))
  for color, shoulder, words in ((_BLUE, 0.0, "arm hangs"), (_RED, np.pi / 2, "arm raised")):
    rows = elbow_loop(shoulder)
    late = rows[len(rows) // 2 * 3 // 4]
    bend, arrives = np.rad2deg(late[3]), late[2] / late[1]
    label = f"{words}: bend {bend:.0f} degrees, {arrives:.0%} arrive"
    ax.plot(np.rad2deg(rows[:, 0]), rows[:, 1], color=color, label=label)
    ax.plot(np.rad2deg(rows[:, 0]), rows[:, 2], color=color, linestyle=":", linewidth=1.2)
  ax.set(xlabel="elbow [degrees]", ylabel="tension [N]", title="motor (line), elbow (dots)")
  ax.grid(alpha=0.3)
  ax.legend(frameon=False)
  return figure
