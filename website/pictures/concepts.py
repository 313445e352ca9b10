"""Concepts: drawings of solved cables; every line and number comes from the engine."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Circle

import mujocable as mjc
from mujocable.viewer.plots import COLORS

_BLUE, _RED, _GREEN = COLORS[0], COLORS[1], COLORS[2]
_GRAY, _DARK = "#b0bec5", "#37474f"


def draw(folder: Path) -> Iterator[Path]:
  """Draws every concept into a folder."""
  for make in (route_and_path, touch_and_lift, axial_law, friction, windings, sides):
    path = folder / f"{make.__name__}.png"
    make().savefig(path, dpi=110)
    yield path


# ------------------------------------ the scenes


def _plane(posts: str, bodies: str = "", sites: str = "") -> mujoco.MjSpec:
  """A scene in the x-z plane, seen from the front: posts are cylinders along y."""
  return mujoco.MjSpec.from_string(f"""
    <mujoco><option gravity="0 0 0"/>
      <default><geom type="cylinder" euler="90 0 0" contype="0" conaffinity="0"/></default>
      <worldbody>{posts}{sites}{bodies}</worldbody></mujoco>""")


def _solved(
  spec: mujoco.MjSpec, cable: mjc.Cable, **positions
) -> tuple[mujoco.MjData, mjc.CableView]:
  """The cable in its scene, with joints and commands set by name."""
  mjc.add_cable(spec, cable)
  model = spec.compile()
  data = mujoco.MjData(model)
  for name, value in positions.items():
    if name == "ctrl":
      data.ctrl[:] = value
    else:
      data.joint(name).qpos = value
  mujoco.mj_forward(model, data)
  view = mjc.bind(model, data)[cable.name]
  return data, view


_BODY = '<body name="{name}" pos="{pos}"><joint name="{name}" type="slide" axis="{axis}"/>' + (
  '<geom type="sphere" size=".02" mass="1"/><site name="{name}"/></body>'
)


def _guided() -> tuple[mujoco.MjSpec, mjc.Cable]:
  """Anchor, eyelet, wrap, anchor."""
  spec = _plane(
    posts='<geom name="drum" size=".25 .1" pos="1.2 0 .35"/><site name="over" pos="1.2 0 .8"/>',
    sites='<site name="source" pos="0 0 0"/><site name="eye" pos=".55 0 .5"/>',
    bodies=_BODY.format(name="end", pos="1.9 0 -.1", axis="1 0 0"),
  )
  route = [
    mjc.Anchor("source"),
    mjc.Eyelet("eye"),
    mjc.Wrap("drum", side="over"),
    mjc.Anchor("end"),
  ]
  take_up = mjc.TensionCommand(range=(0.0, 200.0))
  return spec, mjc.Cable("cable", route, mjc.Axial(EA=2e4), friction=0.2, take_up=take_up)


def _move(data: mujoco.MjData, way: float) -> None:
  """Leads the end of the guided cable along [m], slowly; its friction remembers that."""
  start = float(data.joint("end").qpos[0])
  for part in np.linspace(0, 1, 101):
    data.joint("end").qpos = start + part * way
    data.qvel[:] = 0
    mujoco.mj_step(data.model, data)
  data.joint("end").qpos = start + way
  data.qvel[:] = 0
  mujoco.mj_forward(data.model, data)


# ------------------------------------ the drawings


def route_and_path() -> Figure:
  """What the author writes, and what the solver finds."""
  figure, (left, right) = figure_of(1, 2, (10, 3.8))
  spec, cable = _guided()
  data, view = _solved(spec, cable, end=0.01, ctrl=100.0)
  _move(data, -0.01)
  for ax, title in ((left, "route: what is written"), (right, "path: what is solved")):
    _scene(ax, title)
    ax.add_patch(Circle((1.2, 0.35), 0.25, color=_GRAY))
  spots = {"Anchor": (0, 0), "Eyelet": (0.55, 0.5), "Wrap": (1.2, 0.35), "Anchor ": (1.9, -0.1)}
  for (name, (x, z)), dy in zip(spots.items(), (-0.12, 0.1, -0.02, -0.12), strict=True):
    if name != "Wrap":
      left.plot(x, z, "o", color=_DARK)
    left.text(*(x, z + dy), name, ha="center", color=_DARK)
  left.plot(1.2, 0.8, "x", color=_RED)
  left.text(*(1.2, 0.86), "side", ha="center", color=_RED)
  left.text(*(0, -0.25), "source", ha="center", style="italic", color=_DARK)
  left.text(*(1.9, -0.35), "distal end", ha="center", style="italic", color=_DARK)
  points = view.points
  right.plot(points[:, 0], points[:, 2], color=_BLUE, linewidth=2.2)
  for i, (entry, exit_) in enumerate(zip(view.entry, view.exit, strict=True)):
    right.plot(*entry[[0, 2]], "o", color=_RED)
    right.plot(*exit_[[0, 2]], "o", color=_RED)
    angle = f"contact {i}: {np.rad2deg(view.wrap_angle[i]):.0f}°"
    right.text(*(entry[0] - 0.1, entry[2] + 0.1 + 0.08 * i), angle, ha="center", color=_RED)
  ends = [points[0], *view.entry], [*view.exit, points[-1]]
  for i, (start, stop) in enumerate(zip(*ends, strict=True)):
    text = f"{view.tension[i]:.1f} N"
    at = (start + stop)[[0, 2]] / 2 + ((0.06, -0.12), (-0.02, -0.12), (0.08, 0.0))[i]
    right.text(*at, text, ha="left", color=_BLUE)
  return figure


def touch_and_lift() -> Figure:
  """One end rises until the cable leaves the post: length and wrap angle stay continuous."""
  figure, axes = figure_of(1, 3, (10, 3.2))
  spec = _plane(
    posts='<geom name="post" size=".25 .1" pos="1 0 0"/><site name="over" pos="1 0 .5"/>',
    sites='<site name="source" pos="0 0 0"/>',
    bodies=_BODY.format(name="end", pos="2 0 0", axis="0 0 1"),
  )
  route = [mjc.Anchor("source"), mjc.Wrap("post", side="over"), mjc.Anchor("end")]
  data, view = _solved(spec, mjc.Cable("cable", route, mjc.Axial(stiffness=1000.0)))
  _scene(axes[0], "the end rises")
  axes[0].add_patch(Circle((1, 0), 0.25, color=_GRAY))
  heights = np.linspace(-0.2, 1.0, 121)
  rows = []
  for height in heights:
    data.joint("end").qpos = height
    mujoco.mj_forward(data.model, data)
    rows.append((view.length, np.rad2deg(view.wrap_angle[0]), bool(view.touching[0])))
    if np.isclose(height, [-0.2, 0.3, 0.8]).any():
      points = view.points
      color = _BLUE if view.touching[0] else _GREEN
      axes[0].plot(points[:, 0], points[:, 2], color=color, linewidth=1.8)
  length, angle, touching = (np.array(column) for column in zip(*rows, strict=True))
  for ax, values, label in ((axes[1], length, "length [m]"), (axes[2], angle, "wrap angle [deg]")):
    ax.plot(heights[touching], values[touching], color=_BLUE, label="touching")
    ax.plot(heights[~touching], values[~touching], color=_GREEN, label="lifted")
    ax.set(xlabel="height of the end [m]", title=label)
    ax.grid(alpha=0.3)
    ax.legend(frameon=False)
  return figure


def axial_law() -> Figure:
  """Tension over stretch: pull-only, with transition, reserve and a limit."""
  figure, (ax,) = figure_of(1, 1, (6.4, 3.4))
  route = [mjc.Anchor("source"), mjc.Anchor("end")]
  base = mjc.Axial(stiffness=2000.0, home_length=1.0)
  cases = {
    "plain": base,
    "transition 10 mm": replace(base, transition=0.01),
    "reserve 10 mm": replace(base, reserve=0.01),
    "max_tension 40 N": replace(base, max_tension=40.0),
  }
  stretches = np.linspace(-0.02, 0.04, 241)
  for color, (label, law) in zip(COLORS, cases.items(), strict=False):
    spec = _plane(
      posts="",
      sites='<site name="source" pos="0 0 0"/>',
      bodies=_BODY.format(name="end", pos="1 0 0", axis="1 0 0"),
    )
    data, view = _solved(spec, mjc.Cable("cable", route, law))
    tensions = []
    for stretch in stretches:
      data.joint("end").qpos = stretch
      mujoco.mj_forward(data.model, data)
      tensions.append(view.source_tension)
    ax.plot(1e3 * stretches, tensions, color=color, label=label)
  ax.set(xlabel="length - home length [mm]", ylabel="tension [N]", title="stiffness 2000 N/m")
  ax.grid(alpha=0.3)
  ax.legend(frameon=False)
  return figure


def friction() -> Figure:
  """Tension along the cable: hauled in, held, let out."""
  figure, (left, right) = figure_of(1, 2, (10, 3.4))
  spec, cable = _guided()
  data, view = _solved(spec, cable, end=0.01, ctrl=100.0)
  _scene(left, "the motor pulls with 100 N")
  left.add_patch(Circle((1.2, 0.35), 0.25, color=_GRAY))
  left.plot(view.points[:, 0], view.points[:, 2], color=_BLUE, linewidth=2)
  left.text(*(0, -0.14), "motor", ha="center", color=_DARK)
  left.text(*(1.9, -0.26), "load", ha="center", color=_DARK)
  for color, way, words in (
    (_BLUE, -0.01, "hauled in: the load gets less"),
    (_GREEN, 0.0015, "a little back: the guides hold"),
    (_RED, 0.01, "pulled out: the load pulls harder"),
  ):
    _move(data, way)
    turned = np.concatenate([[0], np.cumsum(view.wrap_angle)])
    edges = np.rad2deg([*turned, turned[-1] + 0.3])
    right.stairs(view.tension, edges, baseline=None, color=color, label=words, linewidth=2)
  right.set(xlabel="turned so far [deg]", ylabel="tension [N]", title="friction 0.2")
  right.grid(alpha=0.3)
  right.set_ylim(60, 190)
  right.legend(frameon=False, loc="upper left")
  return figure


def windings() -> Figure:
  """A drum that winds: turns are counted; a native tendon loses them after half a turn."""
  figure, (ax,) = figure_of(1, 1, (6.4, 3.4))
  spec = mujoco.MjSpec.from_string("""
    <mujoco><option gravity="0 0 0"/><worldbody>
      <site name="source" pos="-1 0 .1"/><site name="side" pos="0 0 .2"/>
      <body><joint name="drum" axis="0 1 0"/>
        <geom name="drum" type="cylinder" euler="90 0 0" size=".1 .05"/>
        <site name="end" pos="0 0 .1001"/></body>
    </worldbody><tendon><spatial name="native"><site site="source"/>
      <geom geom="drum" sidesite="side"/><site site="end"/></spatial></tendon></mujoco>""")
  route = [mjc.Anchor("source"), mjc.Wrap("drum", side="side"), mjc.Anchor("end")]
  data, view = _solved(spec, mjc.Cable("cable", route, mjc.Axial(stiffness=1000.0)))
  angles = np.linspace(0, 4 * np.pi, 721)
  cable, native = [], []
  for angle in angles:
    data.joint("drum").qpos = angle
    mujoco.mj_step(data.model, data)  # a step, so that the turns are remembered
    data.qvel[:] = 0
    cable.append(view.length)
    native.append(data.ten_length[0])
  ax.plot(angles / 2 / np.pi, cable, color=_BLUE, label="cable", linewidth=2)
  ax.plot(angles / 2 / np.pi, native, color=_RED, label="native tendon", linewidth=1.4)
  ax.set(xlabel="turns of the drum", ylabel="length [m]", title="an end clamped to a drum")
  ax.grid(alpha=0.3)
  ax.legend(frameon=False)
  return figure


def sides() -> Figure:
  """The side says which way round."""
  figure, axes = figure_of(1, 2, (8, 2.6))
  for ax, side, z in ((axes[0], "above", 0.5), (axes[1], "below", -0.5)):
    spec = _plane(
      posts='<geom name="post" size=".25 .1" pos="1 0 0"/>',
      sites=f'<site name="source" pos="0 0 0"/><site name="hint" pos="1 0 {z}"/>',
      bodies=_BODY.format(name="end", pos="2 0 0", axis="0 0 1"),
    )
    route = [mjc.Anchor("source"), mjc.Wrap("post", side="hint"), mjc.Anchor("end")]
    _, view = _solved(spec, mjc.Cable("cable", route, mjc.Axial(stiffness=1000.0)))
    _scene(ax, f"side site {side}")
    ax.add_patch(Circle((1, 0), 0.25, color=_GRAY))
    ax.plot(view.points[:, 0], view.points[:, 2], color=_BLUE, linewidth=2)
    ax.plot(1, z, "x", color=_RED)
  return figure


# ------------------------------------ axes


def figure_of(rows: int, columns: int, size: tuple[float, float]):
  """A figure with plain axes, as an array."""
  figure = Figure(figsize=size, layout="constrained")
  FigureCanvasAgg(figure)
  axes = np.atleast_1d(figure.subplots(rows, columns))
  for ax in axes:
    ax.spines[["top", "right"]].set_visible(False)
  return figure, axes


def _scene(ax, title: str) -> None:
  ax.set_title(title)
  ax.set_aspect("equal")
  ax.set(xlim=(-0.3, 2.5), ylim=(-0.6, 1.0))
  ax.set_axis_off()
