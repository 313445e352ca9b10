"""Rope of beads: point masses on springs, pressed on a round post by MuJoCo's own contacts.

No Capstan equation and no cable law is in it: what a cable does at a post comes out of Coulomb
friction at every bead. Plane, no gravity. The near end is moved by hand, the far end pulls a body
that a spring holds. The contacts are a little soft: beads on hard ones chatter while they slide.
"""

import dataclasses

import mujoco
import numpy as np

BEAD = 5e-4  # radius [m]
MASS = 0.02  # of a bead [kg]; slow motions do not feel it


@dataclasses.dataclass(frozen=True)
class Post:
  """Half a turn over a post, straight down on both sides. SI units."""

  radius: float = 0.05  # of the middle of the rope
  span: float = 0.1  # straight length on each side
  rigidity: float = 1600.0  # tension over strain
  friction: float = 0.3
  pretension: float = 4.0
  spring: float = 4000.0  # that holds the far end
  drag: float = 50.0  # of the far end
  weight: float = 0.2  # mass of the far end


class Rope:
  """`drive` moves the near end; the ends' tensions come back."""

  def __init__(self, post: Post, beads_on_arc: int = 20, loose: int = 4, timestep: float = 1.5e-4):
    """`loose` beads lie on each side of the arc; beyond them each span is one long spring."""
    self.post, self.timestep = post, timestep
    r, spacing = post.radius, np.pi * post.radius / beads_on_arc
    along = (np.arange(-loose, beads_on_arc + loose) + 0.5) * spacing  # from the begin of the arc
    turn = np.clip(along / r, 0, np.pi)
    below = np.maximum(0, np.maximum(-along, along - np.pi * r))
    at = np.stack([-r * np.cos(turn), r * np.sin(turn) - below], axis=1)
    end = post.span
    lengths = np.r_[end + along[0], np.full(len(at) - 1, spacing), end + np.pi * r - along[-1]]
    strain = post.pretension / post.rigidity
    bodies = "".join(
      f'<body pos="{x} 0 {z}"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>'
      f'<geom size="{BEAD}" mass="{MASS}" contype="1" conaffinity="0"/><site name="b{i}"/></body>'
      for i, (x, z) in enumerate(at)
    )
    names = ["near", *(f"b{i}" for i in range(len(at))), "far"]
    springs = "".join(
      f'<spatial stiffness="{post.rigidity / rest}" springlength="0 {rest}"'
      f' damping="{2.0 * np.sqrt(post.rigidity / rest * MASS)}">'
      f'<site site="{names[i]}"/><site site="{names[i + 1]}"/></spatial>'
      for i, rest in enumerate(lengths / (1 + strain))
    )
    self.model = mujoco.MjModel.from_xml_string(f"""
      <mujoco><option timestep="{timestep}" gravity="0 0 0" cone="elliptic" impratio="1000"
          integrator="implicitfast" tolerance="1e-10"/>
        <default><geom friction="{post.friction} 0 0" condim="3" solref=".005 1"
          solimp=".9 .999 1e-5"/></default>
        <worldbody>
          <geom type="cylinder" size="{r - BEAD} .01" euler="90 0 0" contype="0" conaffinity="1"/>
          <body name="hand" mocap="true" pos="{-r} 0 {-end}"><site name="near"/></body>
          <body pos="{r} 0 {-end}"><joint name="far" type="slide" axis="0 0 1"
              stiffness="{post.spring}" springref="{-post.pretension / post.spring}"
              damping="{post.drag}"/>
            <geom size=".001" mass="{post.weight}" contype="0" conaffinity="0"/>
            <site name="far"/></body>
          {bodies}
        </worldbody>
        <tendon>{springs}</tendon></mujoco>""")
    self.data = mujoco.MjData(self.model)
    self.taken = 0.0

  def drive(self, target: float, seconds: float) -> np.ndarray:
    """Takes in up to `target` [m], gently at both ends; rows of (taken, near, far tension)."""
    model, data = self.model, self.data
    start, count, rows = self.taken, round(seconds / self.timestep), []
    for k in range(count):
      self.taken = start + (target - start) * 0.5 * (1 - np.cos(np.pi * (k + 1) / count))
      data.mocap_pos[0, 2] = -self.post.span - self.taken
      mujoco.mj_step(model, data)
      stretch = np.maximum(0, data.ten_length - model.tendon_lengthspring[:, 1])
      tension = model.tendon_stiffness * stretch + model.tendon_damping * data.ten_velocity
      rows.append((self.taken, tension[0], tension[-1]))
    return np.array(rows)
