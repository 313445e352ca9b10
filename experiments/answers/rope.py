"""Rope: another simulator of the same hoist, with no Capstan law in it.

Point masses joined by springs, in a plane, pressed on a round post by a stiff contact, each held
there by Coulomb friction of its own (a tangential spring that slips at mu times the normal force).
The far end carries the load. What the Capstan equation says comes out here, it is not put in.
"""

import csv
from pathlib import Path

import numpy as np

from experiments.answers.hoist import DRAG, MASS, RADIUS

_NODES = 100
_ROPE_MASS = 0.1  # [kg], without weight
_STEP = 2.5e-5  # [s]
_PRESS, _HOLD = 2e5, 2e5  # stiffness of a contact, normal and tangential [N/m]
_PERIOD = 0.8  # of the command [s]
_RATE = 100.0  # rows per second


def measure(
  path: Path, friction: float, stiffness: float, duration: float = 1.0, nodes: int = _NODES
) -> None:
  """Pulls the near end up and down; writes command, motor tension and height of the load."""
  motor = np.array([-0.6, 0.0])
  # tangent to the post from the motor, around it, down to the load
  angle = np.arccos(RADIUS / 0.6)
  first = np.pi - angle
  touch = RADIUS * np.array([np.cos(first), np.sin(first)])
  straight = np.linalg.norm(touch - motor)
  lengths = np.array([straight, RADIUS * first, 1.0])
  total = lengths.sum()
  at = np.linspace(0, total, nodes)
  place = np.zeros((nodes, 2))
  for i, s in enumerate(at):
    if s < lengths[0]:
      place[i] = motor + (touch - motor) * s / lengths[0]
    elif s < lengths[0] + lengths[1]:
      turned = first - (s - lengths[0]) / RADIUS
      place[i] = RADIUS * np.array([np.cos(turned), np.sin(turned)])
    else:
      place[i] = RADIUS, -(s - lengths[0] - lengths[1])
  weight = MASS * 9.81
  piece = total / (nodes - 1)
  spring = stiffness * (nodes - 1)
  rest = piece - weight / spring
  mass = np.full(nodes, _ROPE_MASS / nodes)
  mass[-1] = MASS
  damping = 0.1 * np.sqrt(spring * mass[0])
  speed, drag = np.zeros_like(place), np.zeros(nodes)
  rows, every = [], round(1 / (_RATE * _STEP))
  home = place[-1, 1]
  out = (motor - place[1]) / np.linalg.norm(motor - place[1])
  for step in range(round(duration / _STEP) + 1):
    time = step * _STEP
    taken = 0.03 * (1 - np.cos(2 * np.pi * time / _PERIOD))
    place[0] = motor + out * taken
    speed[0] = out * 0.03 * np.sin(2 * np.pi * time / _PERIOD) * 2 * np.pi / _PERIOD
    link = np.diff(place, axis=0)
    length = np.sqrt((link * link).sum(axis=1))
    along = link / length[:, None]
    rate = (np.diff(speed, axis=0) * along).sum(axis=1)
    pull = np.maximum(spring * (length - rest) + damping * rate, 0.0)
    force = np.zeros_like(place)
    force[:-1] += pull[:, None] * along
    force[1:] -= pull[:, None] * along
    # the post
    away = np.sqrt((place * place).sum(axis=1))
    deep = RADIUS - away
    inside = deep > 0
    normal = place / away[:, None]
    across = np.stack([-normal[:, 1], normal[:, 0]], axis=1)
    outward = (speed * normal).sum(axis=1)
    press = np.where(inside, np.maximum(_PRESS * deep - 2.0 * outward, 0.0), 0.0)
    drag = np.where(inside, drag + _STEP * (speed * across).sum(axis=1), 0.0)
    most = friction * press / _HOLD
    drag = np.clip(drag, -most, most)
    force += press[:, None] * normal - (_HOLD * drag)[:, None] * across
    force[-1, 1] -= weight + DRAG * speed[-1, 1]
    if step % every == 0:
      rows.append([time, taken, pull[0], place[-1, 1] - home])
    speed += _STEP * force / mass[:, None]
    speed[-1, 0] = 0.0  # the load moves up and down alone
    place += _STEP * speed
  with path.open("w", newline="", encoding="utf-8") as file:
    writer = csv.writer(file)
    writer.writerow(["time", "rope", "rope.tension[0]", "qpos.lift"])
    writer.writerows(rows)
