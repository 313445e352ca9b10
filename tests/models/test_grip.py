"""Fingertip force of a gripping hand, held at rest, against friction: it falls as Capstan says.

Judges: Capstan's law and the moments about the joints of one finger. Each contact bears the pull of
both its sides; the ball answers along the line of centers and across it.
"""

from itertools import pairwise

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.models import adaptive_hand

PULL = 30.0  # of the motor [N], a third of it for each finger
FRICTIONS = (0.0, 0.1, 0.2, 0.3)
STIFF = ("middle_0", "middle_1", "middle_2")


def hand(friction, rigid=False):
  """The hand with cables, its joints free of their stops; `rigid`: without its second joints."""
  spec = adaptive_hand.native()
  for joint in spec.joints:
    joint.range = np.deg2rad([-40, 95]) if not spec.compiler.degree else [-40, 95]
  for name in STIFF if rigid else ():
    spec.delete(spec.joint(name))
  return mjc.convert(spec, friction=friction, poses=2).spec if friction is not None else spec


def grip(spec):
  """At rest after a slow pull that is then held: model, data, force of a tip [N]."""
  model = spec.compile()
  data = mujoco.MjData(model)
  while data.time < 4.0:
    data.ctrl[:] = PULL * min(1.0, data.time / 1.5)
    mujoco.mj_step(model, data)
  mujoco.mj_forward(model, data)
  assert np.abs(data.qvel).max() < 1e-3
  return model, data, float(data.sensor("tip_0").data[0])


def straight_pieces(view):
  """Directions of the straight pieces of the path, and the turns between them [rad]."""
  leave, arrive = [view.points[0], *view.exit], [*view.entry, view.points[-1]]
  ways = [(b - a) / np.linalg.norm(b - a) for a, b in zip(leave, arrive, strict=True)]
  return ways, np.array([np.arccos(np.clip(a @ b, -1, 1)) for a, b in pairwise(ways)])


def test_a_rigid_finger_presses_with_what_capstan_leaves():
  """One joint: the pull behind foot and knuckle times the pulley's radius is all that turns it."""
  forces = []
  for friction in FRICTIONS:
    model, data, force = grip(hand(friction, rigid=True))
    _, turn = straight_pieces(mjc.bind(model, data)["flexor:branch_1"])
    arrives = PULL / 3 * np.exp(-friction * turn[:2].sum())
    joint = data.joint("knuckle_0")
    spring = model.joint("knuckle_0").stiffness[0] * joint.qpos[0]
    normal = data.geom("pad_0").xpos - data.geom("ball").xpos
    normal /= np.linalg.norm(normal)
    lever = joint.xaxis @ np.cross(data.geom("ball").xpos - joint.xanchor, normal)
    law = (adaptive_hand.AdaptiveHand().knuckle * arrives - spring) / -lever
    assert force == pytest.approx(law, rel=0.01)
    forces.append(force)
  assert forces[0] == pytest.approx(grip(hand(None, rigid=True))[2], rel=1e-4)
  assert forces[-1] < 0.5 * forces[0]


def test_both_joints_hold_within_the_cone():
  """Nothing slips at rest; the tip presses with what the tensions of the segments leave."""
  forces = []
  for friction in FRICTIONS:
    model, data, force = grip(hand(friction))
    view = mjc.bind(model, data)["flexor:branch_1"]
    ways, turn = straight_pieces(view)
    ratio = np.log(view.tension[1:] / view.tension[:-1])
    assert np.all(np.abs(ratio) <= friction * turn + 1e-3)
    assert ratio[0] == pytest.approx(-friction * turn[0], abs=2e-3)
    assert force == pytest.approx(answer(model, data, view, ways), rel=0.01)
    forces.append(force)
  assert np.all(np.diff(forces) < -0.1 * forces[0])


def answer(model, data, view, ways):
  """Force of the ball on the first tip [N], by the moments about both joints."""
  axis, tension = data.joint("knuckle_0").xaxis, view.tension
  # where the cable bears on the links: middle and pulley on the first, its end on the second
  pulls = {"first": [], "second": [(view.points[-1], -tension[-1] * ways[-1])]}
  for contact in (2, 3):
    pulls["first"].append((view.entry[contact], -tension[contact] * ways[contact]))
    pulls["first"].append((view.exit[contact], tension[contact + 1] * ways[contact + 1]))
  normal = data.geom("pad_0").xpos - data.geom("ball").xpos
  normal /= np.linalg.norm(normal)
  point = data.geom("ball").xpos + model.geom("ball").size[0] * normal
  torques, levers = [], []
  for name, links in (("knuckle_0", ("first", "second")), ("middle_0", ("second",))):
    joint = data.joint(name)
    turned = [axis @ np.cross(at - joint.xanchor, f) for link in links for at, f in pulls[link]]
    torques.append(sum(turned) - model.joint(name).stiffness[0] * joint.qpos[0])
    levers.append(
      [axis @ np.cross(point - joint.xanchor, w) for w in (normal, np.cross(axis, normal))]
    )
  return float(-np.linalg.solve(levers, torques)[0])
