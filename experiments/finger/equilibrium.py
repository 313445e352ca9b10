"""Equilibrium: the finger at rest under a limited pull, from the equations alone, by scipy.

Nothing here knows the simulator or its models. The flexor runs through points; a coupling lengthens
by its pulley's radius at one joint and shortens like a chord at the next.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

import numpy as np
from scipy.optimize import root

from experiments.robots.statics import Joint

Three = tuple[float, float, float]


@dataclass(frozen=True)
class Chain:
  """The finger: joints from the palm; (y, z) with y palmar and z toward the tip [m]."""

  lengths: Three  # of the phalanges [m]
  offsets: Three  # of the flexor's guides [m]
  guides: Three  # how far before and behind the joint they are [m]
  stiffness: Three  # [N m/rad]
  stop: float  # [rad]
  coupling_stiffness: float = 0.0  # [N/m]
  coupling_slack: float = 0.0  # [m]
  coupling_pulley: float = 0.0  # [m]
  coupling_offset: float = 0.0  # [m]
  coupling_guide: float = 1.0  # [m]

  def flexor(self) -> list[Joint]:
    """The guides around every joint."""
    # direction of the cable on the palm, on each phalanx, and behind the last guide
    along = [(0.0, 1.0)]
    for i in range(2):
      apart = self.lengths[i] - self.guides[i] - self.guides[i + 1]
      along.append((self.offsets[i + 1] - self.offsets[i], apart))
    along.append((0.0, 1.0))
    return [
      Joint(
        stiffness=k,
        leave=(offset, -guide),
        enter=(offset, guide),
        before=along[i],
        behind=along[i + 1],
      )
      for i, (k, offset, guide) in enumerate(
        zip(self.stiffness, self.offsets, self.guides, strict=True)
      )
    ]

  def chord(self) -> Joint:
    """The palmar side of a coupling."""
    offset, guide = self.coupling_offset, self.coupling_guide
    return Joint(0.0, (offset, -guide), (offset, guide), (0.0, 1.0), (0.0, 1.0))


@dataclass(frozen=True)
class Rest:
  """The finger at rest."""

  angles: np.ndarray  # [rad]
  tensions: np.ndarray  # of the flexor: source, across each joint, behind the last guide [N]
  couplings: (
    np.ndarray
  )  # tension of: mcp before pip, pip before mcp, pip before dip, dip before pip


def solve(chain: Chain, source: float, friction: float) -> Rest:
  """Equilibrium of joints with stops at a source tension [N]."""
  flexor, chord, unit = chain.flexor(), chain.chord(), max(chain.stiffness)

  def pulls(angles: Sequence[float]) -> tuple[np.ndarray, list[float]]:
    tension, tensions, torque = source, [source], np.zeros(3)
    for i, joint in enumerate(flexor):
      _, arm, leave, enter = joint.span(angles[i])
      tension *= exp(-friction * leave)
      tensions.append(tension)
      torque[i] = tension * arm - joint.stiffness * angles[i]
      tension *= exp(-friction * enter)
    return torque, [*tensions, tension]

  def couple(angles: Sequence[float], torque: np.ndarray) -> list[float]:
    tensions = []
    for first in (0, 1):
      for dorsal, palmar in ((first, first + 1), (first + 1, first)):
        length, arm, _, _ = chord.span(angles[palmar])
        longer = chain.coupling_pulley * angles[dorsal] + length - chord.span(0.0)[0]
        pull = chain.coupling_stiffness * max(0.0, longer - chain.coupling_slack)
        torque[dorsal] -= pull * chain.coupling_pulley
        torque[palmar] += pull * arm
        tensions.append(pull)
    return tensions

  def unbalanced(angles: np.ndarray) -> np.ndarray:
    torque, _ = pulls(angles)
    couple(angles, torque)
    # pushed against the stop, or in balance before it (Fischer-Burmeister)
    room, push = chain.stop - angles, torque / unit
    return room + push - np.hypot(room, push)

  found = root(unbalanced, np.full(3, 0.8), method="lm", options={"xtol": 1e-14, "ftol": 1e-14})
  if not found.success or np.abs(found.fun).max() > 1e-9:
    raise RuntimeError(f"the finger's equilibrium was not found: {found.message}")
  torque, tensions = pulls(found.x)
  return Rest(found.x, np.array(tensions), np.array(couple(found.x, torque)))
