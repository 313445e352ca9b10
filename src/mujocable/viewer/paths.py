"""Paths: what the engine draws of the cables, as colored pieces, for a viewer of another kind."""

from dataclasses import dataclass

import mujoco
import numpy as np

from mujocable.runtime.view import Cables
from mujocable.viewer.palette import SLACK

_ROUND = (int(mujoco.mjtGeom.mjGEOM_CAPSULE), int(mujoco.mjtGeom.mjGEOM_CYLINDER))


@dataclass(frozen=True)
class Pieces:
  """Straight pieces: ends (n, 2, 3) [m, world], rgba (n, 4) in 0..1, slack (n,)."""

  ends: np.ndarray
  rgba: np.ndarray
  slack: np.ndarray


class Painter:
  """Asks the engine to draw the cables (and native tendons) of a model, and nothing else."""

  def __init__(self, model: mujoco.MjModel, most: int = 20_000):
    self._model = model
    self._scene = mujoco.MjvScene(model, maxgeom=most)
    self._option = mujoco.MjvOption()
    self._option.flags[:] = 0
    self._option.flags[mujoco.mjtVisFlag.mjVIS_TENDON] = 1
    self._option.geomgroup[:] = self._option.sitegroup[:] = 0
    self._camera = mujoco.MjvCamera()

  def pieces(self, data: mujoco.MjData) -> Pieces:
    """What is drawn of the present results."""
    everything = int(mujoco.mjtCatBit.mjCAT_ALL)
    mujoco.mjv_updateScene(
      self._model, data, self._option, None, self._camera, everything, self._scene
    )
    drawn = [g for g in self._scene.geoms[: self._scene.ngeom] if g.type in _ROUND]
    drawn = [g for g in drawn if g.rgba[3] > 0]
    if not drawn:
      return Pieces(np.zeros((0, 2, 3)), np.zeros((0, 4)), np.zeros(0, bool))
    center = np.array([g.pos for g in drawn], float)
    axis = np.array([g.mat for g in drawn], float).reshape(-1, 3, 3)[:, :, 2]
    half = np.array([g.size[2] for g in drawn], float)[:, None] * axis
    rgba = np.array([g.rgba for g in drawn], float)
    slack = np.all(np.isclose(rgba, SLACK, atol=1e-6), axis=1)
    return Pieces(np.stack([center - half, center + half], axis=1), rgba, slack)


def dashes(pieces: Pieces, length: float) -> Pieces:
  """The same with every slack piece cut into dashes of this length [m]; at most 200 a piece."""
  taut, loose = ~pieces.slack, pieces.ends[pieces.slack]
  run = loose[:, 1] - loose[:, 0]
  counts = np.clip(np.linalg.norm(run, axis=1) / (2 * length), 1, 200).astype(int)
  piece = np.repeat(np.arange(len(loose)), counts)
  # dash k of n: from 2 k to 2 k + 1 of the 2 n - 1 equal parts of its piece
  first = 2 * (np.arange(len(piece)) - np.repeat(np.cumsum(counts) - counts, counts))
  cuts = np.stack([first, first + 1], axis=1) / (2 * counts[piece] - 1)[:, None]
  cut = loose[piece, 0][:, None] + cuts[:, :, None] * run[piece][:, None]
  return Pieces(
    np.concatenate([pieces.ends[taut], cut]),
    np.concatenate([pieces.rgba[taut], pieces.rgba[pieces.slack][piece]]),
    np.concatenate([np.zeros(taut.sum(), bool), np.ones(len(cut), bool)]),
  )


def contact_points(cables: Cables) -> np.ndarray:
  """Where cables meet and leave what they touch [m, world], shape (n, 3)."""
  points = [np.concatenate([cable.entry, cable.exit]) for cable in cables.values()]
  found = np.concatenate(points) if points else np.zeros((0, 3))
  return found[~np.isnan(found).any(axis=1)]


def sliding_points(cables: Cables) -> np.ndarray:
  """Whether the cable slides with friction at each of the `contact_points`, bool, shape (n,)."""
  slides = [np.zeros(0, bool)]
  for cable in cables.values():
    rubs = ~cable.stuck & (cable.cone > 0)
    slides += [rubs[~np.isnan(ends).any(axis=1)] for ends in (cable.entry, cable.exit)]
  return np.concatenate(slides)
