"""Rolling: two bodies that roll on each other without slip, as a pair of coupled hinges.

Circles of radius r1 and r2 that roll keep their centers r1 + r2 apart. So a light link turns about
the first center by q1, the second body turns on it about the other center by q2, and the arcs that
were rolled over are the same: r1 q1 = r2 q2. The body turns by q1 + q2 in all.
"""

from math import pi

import mujoco
import numpy as np

# teeth and stops of metal: they give way by some hundredths of a degree
SOLREF, SOLIMP = [0.004, 1.0], [0.99, 0.9995, 0.001, 0.5, 2.0]
FLEXION = (-1.0, 0.0, 0.0)  # axis: positive angles bend z toward y


def add_rolling(
  spec: mujoco.MjSpec,
  parent: mujoco.MjsBody,
  name: str,
  body: str,
  at: float,
  radii: tuple[float, float],
  *,
  range: tuple[float, float] = (-pi, pi),
  stiffness: float = 0.0,
  damping: float = 0.0,
  armature: float = 0.0,
  frictionloss: float = 0.0,
  link_mass: float = 1e-3,
) -> mujoco.MjsBody:
  """The body that rolls on a circle of `parent` around (0, 0, `at`), its frame at its own center.

  Hinges "NAME:1" and "NAME:2", held together by an equality; range [rad], stiffness [N m/rad] and
  damping [N m s/rad] are those of the whole joint, over q1 + q2.
  """
  one, two = radii
  share = np.array([two, one]) / (one + two)  # of the whole angle, on each hinge
  frames = [parent.add_body(name=f"{name}:link", pos=[0.0, 0.0, at])]
  frames[0].mass, frames[0].explicitinertial = link_mass, True
  frames[0].inertia = [0.4 * link_mass * min(radii) ** 2] * 3
  frames[0].ipos = [0.0, 0.0, 0.0]  # left open, to_xml would drop mass and inertia
  frames.append(frames[0].add_body(name=body, pos=[0.0, 0.0, one + two]))
  limited = mujoco.mjtLimited.mjLIMITED_TRUE
  for i, frame in enumerate(frames):
    frame.add_joint(
      name=f"{name}:{i + 1}",
      type=mujoco.mjtJoint.mjJNT_HINGE,
      axis=FLEXION,
      # half of the energy each: two springs k / (2 share^2) act like one spring k on q1 + q2
      stiffness=stiffness / (2 * share[i] ** 2),
      damping=damping / (2 * share[i] ** 2),
      armature=armature,
      frictionloss=frictionloss,
      limited=limited if i == 0 else mujoco.mjtLimited.mjLIMITED_FALSE,
      range=np.rad2deg(share[i] * np.array(range)),
      solref_limit=SOLREF,
      solimp_limit=SOLIMP,
    )
  roll = spec.add_equality(
    name=name,
    type=mujoco.mjtEq.mjEQ_JOINT,
    name1=f"{name}:2",
    name2=f"{name}:1",
    objtype=mujoco.mjtObj.mjOBJ_JOINT,
  )
  roll.data[:5] = [0.0, one / two, 0.0, 0.0, 0.0]
  roll.solref, roll.solimp = SOLREF, SOLIMP
  return frames[1]
