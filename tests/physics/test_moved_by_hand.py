"""A cable on what no force moves: fixed posts and guides, and a mocap body that is moved by hand.

Judge: the Capstan equation at every contact, and what slides is what the hand moves.
"""

import mujoco
import numpy as np
import pytest

import mujocable as mjc

INTEGRATORS = ["Euler", "implicit", "implicitfast", "discrete", "RK4"]


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("cables", [1, 4])
def test_a_hand_that_no_force_moves_feels_the_whole_cone(cables, integrator):
  """A commanded tension over fixed guides or a post, to a mocap body that goes to and fro.

  There is no mass to measure a step by. What passes the contacts is what the hand moves, less what
  the pieces between them stretch.
  """
  spec = mujoco.MjSpec.from_string(f"""
    <mujoco><option timestep="2e-3" gravity="0 0 0" integrator="{integrator}"/><worldbody>
      <site name="motor" pos="-.3 0 0"/><site name="guide" pos="-.2 0 .02"/>
      <geom name="post" type="cylinder" size=".05 .1" euler="90 0 0" pos="0 0 .05"/>
      <site name="top" pos="0 0 .2"/><site name="edge" pos=".05 0 .05"/>
      <body name="hand" mocap="true" pos=".05 0 -.3"><site name="grip"/></body>
      <body pos="1 1 1"><joint type="slide"/><geom size=".1"/></body></worldbody></mujoco>""")
  # one over a post, or a bundle through guides
  edge = mjc.Wrap("post", side="top") if cables == 1 else mjc.Eyelet("edge")
  route = [mjc.Anchor("motor"), mjc.Eyelet("guide"), edge, mjc.Anchor("grip")]
  take_up = mjc.TensionCommand(range=(0.0, 100.0))
  names = [f"cable_{k}" for k in range(cables)]
  for name in names:
    mjc.add_cable(spec, mjc.Cable(name, route, friction=0.3, take_up=take_up))
  model = spec.compile()
  data = mujoco.MjData(model)
  data.ctrl[:] = 10.0
  views = [mjc.bind(model, data)[name] for name in names]
  heat, before = np.zeros(2), np.zeros(2)
  for k in range(300):
    data.mocap_pos[0, 2] = -0.3 - 1e-4 * (min(k, 200) - max(0, k - 200))
    mujoco.mj_step(model, data)
    for view in views:
      angles = 0.3 * np.asarray(view.wrap_angle)
      if k in (150, 299):
        way = 1 if k == 150 else -1
        cone = 10.0 * np.exp(way * np.cumsum([0.0, *angles]))
        assert view.tension == pytest.approx(cone, rel=1e-12)
        assert view.slip == pytest.approx([1e-4 * way] * 2, rel=1e-9)
    heat += 2e-3 * np.asarray(views[0].dissipation)
    if k == 150:
      before = heat.copy()
  # from there on 49 + 99 steps of 0.1 mm, but for those in which it turns around
  drop = np.array([np.diff(10.0 * np.exp(way * np.cumsum([0.0, *angles]))) for way in (1, -1)])
  lost = 1e-4 * (49 * drop[0] - 99 * drop[1])
  assert heat - before == pytest.approx(lost, rel=0.05)
