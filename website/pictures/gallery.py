"""Gallery: one picture of every model, at work."""

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path

import mujoco
import numpy as np

import mujocable.models
from mujocable.models import capstan, finger, hand, spirob, winch
from mujocable.viewer import offscreen, plots

_SIZE = 720, 480  # [pixels]

Pose = Callable[[mujoco.MjModel, mujoco.MjData], None]


def names() -> list[str]:
  """Every model of the package."""
  folder = Path(mujocable.models.__file__).parent
  return sorted(file.parent.name for file in folder.glob("*/model.py"))


def draw(folder: Path) -> Iterator[Path]:
  """Draws every model into a folder."""
  if offscreen.switch_on() is None:
    raise SystemExit(offscreen.why_not())
  for name in names():
    path = folder / f"{name}.png"
    plots.write_picture(path, picture(name))
    yield path


def picture(name: str, width: int = _SIZE[0], height: int = _SIZE[1]) -> np.ndarray:
  """One model at work, uint8, shape (height, width, 3)."""
  package = importlib.import_module(f"mujocable.models.{name}")
  spec = package.build()
  spec.visual.global_.offwidth, spec.visual.global_.offheight = width, height
  model = spec.compile()
  data = mujoco.MjData(model)
  POSES.get(name, _rest)(model, data)
  state = offscreen.snapshot(model, data)
  camera = getattr(package, "CAMERA", -1)
  return next(offscreen.frames(model, [state], camera, width, height))


# ------------------------------------ what each one does before it is drawn


def _run(model: mujoco.MjModel, data: mujoco.MjData, command: np.ndarray, time: float) -> None:
  """Goes from no command to this one and holds it."""
  while data.time < time:
    data.ctrl[:] = min(1.0, 1.5 * data.time / time) * np.asarray(command)
    mujoco.mj_step(model, data)


def _rest(model: mujoco.MjModel, data: mujoco.MjData) -> None:
  while data.time < 0.3:
    mujoco.mj_step(model, data)


def _winch(model: mujoco.MjModel, data: mujoco.MjData) -> None:
  _run(model, data, np.array([0.7 * model.actuator_ctrlrange[0, 1]]), 2.0)
  winch.turn_drum(model, data)


def _capstan(model: mujoco.MjModel, data: mujoco.MjData) -> None:
  capstan.wind(data, 2)
  data.ctrl[:] = 0.5 * model.actuator_ctrlrange[:, 1]
  mujoco.mj_forward(model, data)


def _finger(model: mujoco.MjModel, data: mujoco.MjData) -> None:
  command = np.zeros(model.nu)
  flexor, extensor = (model.actuator(n).id for n in (finger.FLEXOR, finger.EXTENSOR))
  command[[flexor, extensor]] = finger.command(0.03)
  _run(model, data, command, 1.5)


def _hand(model: mujoco.MjModel, data: mujoco.MjData) -> None:
  _run(model, data, hand.command(hand.Hand(), 0.6), 1.0)


def _spirob(model: mujoco.MjModel, data: mujoco.MjData) -> None:
  pulled, released = spirob.cable_names(spirob.Spirob())
  command = np.zeros(model.nu)
  command[model.actuator(pulled).id], command[model.actuator(released).id] = 0.09, -0.2
  _run(model, data, command, 2.0)


def _share(part: float, time: float) -> Pose:
  """A part of every command, held."""

  def pose(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    low, high = model.actuator_ctrlrange.T
    _run(model, data, low + part * (high - low), time)

  return pose


def _exosuit(model: mujoco.MjModel, data: mujoco.MjData) -> None:
  low, high = model.actuator("lift").ctrlrange
  data.ctrl[:] = low + 0.25 * (high - low)
  mujoco.mj_step(model, data, nstep=1500)


def _muscle_arm(model: mujoco.MjModel, data: mujoco.MjData) -> None:
  command = np.full(model.nu, 0.02)
  for name in ("front_deltoid", "brachialis"):
    command[model.actuator(name).id] = 0.25
  _run(model, data, command, 1.0)


POSES: dict[str, Pose] = {
  "adaptive_hand": _share(0.5, 1.0),
  "capstan": _capstan,
  "exosuit": _exosuit,
  "finger": _finger,
  "hand": _hand,
  "muscle_arm": _muscle_arm,
  "soft_foot": _share(0.5, 1.0),
  "spirob": _spirob,
  "tendon_finger": _share(0.5, 1.0),
  "winch": _winch,
}
