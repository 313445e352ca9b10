"""Friction with memory against a rope of beads in MuJoCo: contacts, and no Capstan law."""

import mujoco
import numpy as np
import pytest
from oracles import beads

import mujocable as mjc

# in, hold, a little out, in again, out beyond the cone, hold: take-up [m], time [s]
BEADS = 20  # on the arc
MOVES = [(0.010, 1.2), (0.010, 0.3), (0.007, 0.5), (0.009, 0.5), (0.001, 2.0), (0.001, 0.3)]


def cable_on(post, timestep=1e-3):
  """The same post, ends and motion with one of our cables."""
  spec = mujoco.MjSpec.from_string(f"""
    <mujoco><option timestep="{timestep}" gravity="0 0 0" integrator="implicitfast"/><worldbody>
      <geom name="post" type="cylinder" size="{post.radius} .01" euler="90 0 0"/>
      <site name="over" pos="0 0 {2 * post.radius}"/>
      <body mocap="true" pos="{-post.radius} 0 {-post.span}"><site name="near"/></body>
      <body pos="{post.radius} 0 {-post.span}"><joint type="slide" axis="0 0 1"
          stiffness="{post.spring}" springref="{-post.pretension / post.spring}"
          damping="{post.drag}"/>
        <geom size=".001" mass="{post.weight}"/><site name="far"/></body>
    </worldbody></mujoco>""")
  route = [mjc.Anchor("near"), mjc.Wrap("post", side="over"), mjc.Anchor("far")]
  cable = mjc.Cable(
    "c", route, mjc.Axial(EA=post.rigidity, pretension=post.pretension), friction=post.friction
  )
  mjc.add_cable(spec, cable)
  model = spec.compile()
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)["c"]
  taken = 0.0

  def drive(target, seconds):
    nonlocal taken
    start, count, rows = taken, round(seconds / timestep), []
    for k in range(count):
      taken = start + (target - start) * 0.5 * (1 - np.cos(np.pi * (k + 1) / count))
      data.mocap_pos[0, 2] = -post.span - taken
      mujoco.mj_step(model, data)
      rows.append((taken, view.tension[0], view.tension[-1]))
    return np.array(rows)

  return drive


@pytest.fixture(scope="module", params=[0.15, 0.3])
def histories(request):
  post = beads.Post(friction=request.param)
  rope, drive = beads.Rope(post, BEADS), cable_on(post)
  ratio = np.exp(post.friction * np.pi)
  return ratio, [(rope.drive(*move), drive(*move)) for move in MOVES]


def middle(rows):
  """Ratio of the tensions late in a move, while everything slides."""
  part = rows[3 * len(rows) // 4 : -len(rows) // 8]
  return part[:, 1].sum() / part[:, 2].sum()


def test_ratio_while_sliding(histories):
  ratio, moves = histories
  for number, expected in ((0, ratio), (4, 1 / ratio)):
    rope, cable = (middle(rows) for rows in moves[number])
    print(f"sliding: rope {rope:.4f}, cable {cable:.4f}, Capstan {expected:.4f}")
    assert cable == pytest.approx(expected, rel=1e-9)
    assert rope == pytest.approx(cable, rel=0.01)


def test_what_stays_after_stopping(histories):
  ratio, moves = histories
  for number, expected in ((1, ratio), (5, 1 / ratio)):
    rope, cable = moves[number]
    begin, end = rope[0, 1] / rope[0, 2], rope[-1, 1] / rope[-1, 2]
    held = cable[-1, 1] / cable[-1, 2]
    print(f"held: rope {begin:.4f} to {end:.4f}, cable {held:.4f}, Capstan {expected:.4f}")
    assert held == pytest.approx(expected, rel=0.001)
    assert end == pytest.approx(held, rel=0.01)


def test_partial_reversals(histories):
  ratio, moves = histories
  reach = moves[0][1][-1, 1]
  # half of what one bead holds, and the strain: its springs have constant stiffness, our rigidity
  # counts by the present length
  bound = (ratio ** (0.5 / BEADS) - 1) + reach / beads.Post.rigidity
  for number in (2, 3):
    rope, cable = moves[number]
    even = np.linspace(0, 1, 50)
    for column in (1, 2):
      of = [np.interp(even, np.linspace(0, 1, len(r)), r[:, column]) for r in (rope, cable)]
      print(f"reversal {number}: {np.abs(of[0] - of[1]).max() / reach:.4f} of the largest tension")
      assert np.abs(of[0] - of[1]).max() < bound * reach
