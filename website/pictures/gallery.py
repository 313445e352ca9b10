"""Gallery: every model as a short loop, and three of them side by side for the front page.

Each camera of a model keeps its direction; it is moved and zoomed until the robot fills the frame.
"""

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path

import mujoco
import numpy as np

import mujocable.models
from mujocable.models import capstan, finger, hand, spirob, winch
from mujocable.runtime.view import bind
from mujocable.viewer import offscreen

SIZE = 480, 360  # [pixels]
FPS = 12
FRONT = ("winch", "hand", "spirob")  # on the front page
# shares of the frame: the robot, and its shift to make room for a legend
_FILLED, _LIFTED = 0.8, 0.08

Command = Callable[[mujoco.MjModel], np.ndarray]


def _winch(model: mujoco.MjModel) -> np.ndarray:
  return 0.7 * model.actuator_ctrlrange[:, 1]


def _capstan(model: mujoco.MjModel) -> np.ndarray:
  # what holds the load with half a turn and two more around the bollard, by Capstan's law
  p = capstan.Capstan()
  return np.array([p.load * p.gravity * np.exp(-p.friction * 5 * np.pi)])


def _finger(model: mujoco.MjModel) -> np.ndarray:
  command = np.zeros(model.nu)
  ends = [model.actuator(n).id for n in (finger.FLEXOR, finger.EXTENSOR)]
  command[ends] = finger.command(0.03)
  return command


def _hand(model: mujoco.MjModel) -> np.ndarray:
  return hand.command(hand.Hand(), 0.6)


def _rolling_joint(model: mujoco.MjModel) -> np.ndarray:
  command = np.zeros(model.nu)
  command[model.actuator("flexor").id], command[model.actuator("extensor").id] = 0.01, -0.01
  return command


def _spirob(model: mujoco.MjModel) -> np.ndarray:
  pulled, released = spirob.cable_names(spirob.Spirob())
  command = np.zeros(model.nu)
  command[model.actuator(pulled).id], command[model.actuator(released).id] = 0.09, -0.2
  return command


def _share(part: float) -> Command:
  """A part of every command."""
  return lambda model: part * model.actuator_ctrlrange[:, 1]


def _muscle_arm(model: mujoco.MjModel) -> np.ndarray:
  command = np.full(model.nu, 0.02)
  for name in ("front_deltoid", "brachialis"):
    command[model.actuator(name).id] = 0.25
  return command


# name -> the command at the height of the loop, and how long the loop lasts [s]
LOOPS: dict[str, tuple[Command | None, float]] = {
  "adaptive_hand": (_share(0.5), 2.0),
  "atwood": (None, 0.7),
  "capstan": (_capstan, 2.0),
  "exosuit": (_share(0.25), 3.0),
  "finger": (_finger, 3.0),
  "hand": (_hand, 3.0),
  "muscle_arm": (_muscle_arm, 2.0),
  "rolling_joint": (_rolling_joint, 3.0),
  "soft_foot": (_share(0.5), 2.0),
  "spirob": (_spirob, 4.0),
  "tendon_finger": (_share(0.5), 2.0),
  "tensegrity": (None, 1.5),
  "winch": (_winch, 5.0),
}


def names() -> list[str]:
  """Every model of the package."""
  folder = Path(mujocable.models.__file__).parent
  return sorted(file.parent.name for file in folder.glob("*/model.py"))


def draw(folder: Path) -> Iterator[Path]:
  """Every model as a moving picture, and the three of the front page beside each other."""
  if offscreen.switch_on() is None:
    raise SystemExit(offscreen.why_not())
  loops = {}
  for name in names():
    loops[name] = pictures(name)
    path = folder / f"{name}.webp"
    write(path, loops[name])
    yield path
  path = folder / "front.webp"
  longest = max(len(loops[name]) for name in FRONT)
  rows = [[loops[n][i * len(loops[n]) // longest] for n in FRONT] for i in range(longest)]
  write(path, [np.hstack(row) for row in rows])
  yield path


def pictures(name: str, width: int = SIZE[0], height: int = SIZE[1]) -> list[np.ndarray]:
  """One loop of a model, with the legend of its tensions."""
  package = importlib.import_module(f"mujocable.models.{name}")
  spec = package.build()
  spec.visual.global_.offwidth, spec.visual.global_.offheight = width, height
  model = spec.compile()
  states = move(model, name)
  camera = getattr(package, "CAMERA", None)
  if camera is not None:
    fit(model, camera, states, width / height)
  view = camera or offscreen.framing(model, states)
  return list(offscreen.frames(model, states, view, width, height, True))


def move(model: mujoco.MjModel, name: str) -> list[np.ndarray]:
  """Snapshots of one loop: the command comes and goes as half a wave."""
  command, lasts = LOOPS.get(name, (None, 2.0))
  data = mujoco.MjData(model)
  if name == "capstan":
    capstan.wind(data, 2)
  if name == "tensegrity":  # nothing drives it: a push
    data.qvel[:] = np.random.default_rng(1).normal(size=model.nv)
  goal = np.zeros(model.nu) if command is None else command(model)
  states = []
  for frame in range(round(lasts * FPS)):
    while data.time < frame / FPS:
      wave = np.cos(2 * np.pi * data.time / lasts)
      # (a load that hangs is never let go: a little more, a little less)
      data.ctrl[:] = (1 - 0.2 * wave if name == "capstan" else 0.5 - 0.5 * wave) * goal
      mujoco.mj_step(model, data)
    if name == "winch":
      winch.turn_drum(model, data)
    mujoco.mj_forward(model, data)
    states.append(offscreen.snapshot(model, data))
  return states


def fit(model: mujoco.MjModel, camera: str, states: list[np.ndarray], aspect: float) -> None:
  """Moves and zooms a fixed camera of a model until robot and cables fill the frame."""
  index = model.camera(camera).id
  ground = (int(mujoco.mjtGeom.mjGEOM_PLANE), int(mujoco.mjtGeom.mjGEOM_HFIELD))
  shown = ~np.isin(model.geom_type, ground)
  signs = np.array(np.meshgrid(*[(-1, 1)] * 3)).reshape(3, 8).T
  cloud = []
  for state in states[:: max(1, len(states) // 12)]:
    data = offscreen.restore(model, state)
    turned = data.geom_xmat.reshape(-1, 3, 3)[shown]
    corners = model.geom_aabb[shown, None, :3] + signs * model.geom_aabb[shown, None, 3:]
    cloud.append(data.geom_xpos[shown, None] + np.einsum("gij,gkj->gki", turned, corners))
    cloud += [view.points[None] for view in bind(model, data).values()]
  points = np.concatenate([part.reshape(-1, 3) for part in cloud])
  axes = data.cam_xmat[index].reshape(3, 3)
  place = data.cam_xpos[index].copy()
  for _ in range(5):
    x, y, z = ((points - place) @ axes).T
    u, v = x / -z, y / -z
    middle = (u.min() + u.max()) / 2, (v.min() + v.max()) / 2
    depth = float(np.median(-z))
    place += depth * (axes[:, 0] * middle[0] + axes[:, 1] * middle[1])
  half = max(np.ptp(v) / 2, np.ptp(u) / 2 / aspect) / _FILLED
  place -= 2 * half * _LIFTED * depth * axes[:, 1]
  model.cam_fovy[index] = np.rad2deg(2 * np.arctan(half))
  model.cam_pos[index] += place - data.cam_xpos[index]  # cameras of the world


def write(path: Path, frames: list[np.ndarray]) -> None:
  """An animated WebP that loops."""
  from PIL import Image

  first, *rest = [Image.fromarray(frame) for frame in frames]
  wait = round(1000 / FPS)
  first.save(path, save_all=True, append_images=rest, duration=wait, loop=0, quality=60, method=6)
