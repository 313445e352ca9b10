"""A live simulation: keeps pace with the clock, listens while it runs, and starts over exactly."""

import threading
import time

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.models import capstan, finger, winch
from mujocable.viewer import palette
from mujocable.viewer.live import Live, Pacer
from mujocable.viewer.paths import Painter, Pieces, contact_points, dashes, sliding_points


@pytest.fixture
def model():
  return finger.build(finger.Finger(friction=0.1)).compile()


def state(model, data):
  kind = int(mujoco.mjtState.mjSTATE_INTEGRATION)
  out = np.empty(mujoco.mj_stateSize(model, kind))
  mujoco.mj_getState(model, data, out, kind)
  return out


# ---- pace ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("speed", [0.25, 1.0])
def test_it_simulates_what_the_clock_calls_for_and_no_more(model, speed):
  live = Live(model, speed=speed)
  for _ in range(20):
    live.advance(0.013)
  for _ in range(20):  # a busy machine may be late: what is owed is paid
    live.advance(0.0)
  # what is owed is less than one step, whatever the ticks
  assert live.data.time == pytest.approx(20 * 0.013 * speed, abs=model.opt.timestep * 1.001)


def test_a_slow_simulation_runs_late_but_not_ever_later(model):
  live = Live(model)
  assert live.advance(1000.0) * model.opt.timestep <= 0.1 + 1e-9


def test_a_pause_stands_still_and_owes_nothing(model):
  live = Live(model, paused=True)
  assert live.advance(5.0) == 0 and live.data.time == 0.0
  live.paused = False
  live.advance(0.01)
  assert live.data.time <= 0.01 + 1e-12


@pytest.mark.parametrize("speed", [0.0, -1.0, np.nan, np.inf])
def test_a_speed_that_is_none_is_refused(model, speed):
  with pytest.raises(mjc.CableError, match="speed must be finite, > 0"):
    Live(model, speed=speed)


def test_chunks_do_not_change_the_trajectory(model):
  whole, cut = Live(model), Live(model)
  plain = mujoco.MjData(model)
  mujoco.mj_forward(model, plain)
  for live in (whole, cut):
    live.command(0, 0.02)
  plain.ctrl[0] = 0.02
  whole.step(150)
  for count in (1, 2, 47, 100):
    cut.step(count)
  mujoco.mj_step(model, plain, nstep=150)
  assert np.array_equal(state(model, whole.data), state(model, plain))
  assert np.array_equal(state(model, cut.data), state(model, plain))


def test_a_reset_brings_back_the_given_state_but_keeps_the_friction_that_was_set(model):
  data = mujoco.MjData(model)
  data.qpos[:] = 0.3
  data.ctrl[0] = 0.01
  live = Live(model, data)
  start = state(model, data)
  live.step(100)
  live.reset()
  assert np.array_equal(state(model, data), start) and len(live.history.arrays()[0]) == 1
  live.set_friction("flexor", 0.25)
  live.reset()
  assert np.all(live.cables["flexor"].friction == 0.25)
  assert np.all(live.cables["extensor"].friction == 0.1)


def test_the_control_is_called_before_every_step_until_it_is_switched_off(model):
  times = []

  def control(_, data):
    times.append(data.time)
    data.ctrl[0] = 0.01

  live = Live(model, control=control)
  live.step(5)
  assert times == pytest.approx(np.arange(5) * model.opt.timestep) and live.data.ctrl[0] == 0.01
  live.automatic = False
  live.step(5)
  assert len(times) == 5


# ---- history -------------------------------------------------------------------------------------


def test_the_history_is_what_the_views_said(model):
  live = Live(model, history=0.5)
  live.command(0, 0.02)
  live.step(400)  # 0.2 s
  time_, source, end, take_up = live.history.arrays()
  assert time_ == pytest.approx(0.02 * np.arange(11), abs=1e-9)
  flexor = list(live.cables).index("flexor")
  view = live.cables["flexor"]
  newest = source[-1, flexor], end[-1, flexor], take_up[-1, flexor]
  assert newest == (view.tension[0], view.tension[-1], view.take_up)
  live.step(4000)
  time_, *_ = live.history.arrays()
  assert len(time_) == 26 and np.ptp(time_) == pytest.approx(0.5)


def test_a_model_without_cables_has_an_empty_history():
  live = Live(mujoco.MjModel.from_xml_string("<mujoco><worldbody/></mujoco>"))
  live.step(50)
  assert [a.shape[1:] for a in live.history.arrays()] == [(), (0,), (0,), (0,)]
  assert contact_points(live.cables).shape == (0, 3)
  assert len(Painter(live.model).pieces(live.data).ends) == 0


# ---- the thread ----------------------------------------------------------------------------------


def test_it_runs_shows_and_listens_in_a_thread_and_ends_at_once(model):
  shown, live = [], Live(model)
  pacer = Pacer(live, lambda: shown.append(live.data.time))
  pacer.start()
  began = time.monotonic()
  waits = []
  while len(shown) < 5:
    since = time.monotonic()
    live.command(0, 0.01)  # never kept waiting for long
    waits.append(time.monotonic() - since)
    assert time.monotonic() - began < 30
    time.sleep(0.005)
  pacer.stop()
  assert not pacer.is_alive() and pacer.error is None
  assert np.all(np.diff(shown) > 0) and np.median(waits) < 0.05
  ended = live.data.time
  time.sleep(0.05)
  assert live.data.time == ended
  assert threading.current_thread() is threading.main_thread()


def test_what_it_raises_ends_the_thread_and_is_kept(model):
  pacer = Pacer(Live(model), lambda: 1 / 0)
  pacer.start()
  pacer.join(30)
  assert isinstance(pacer.error, ZeroDivisionError)


# ---- colors --------------------------------------------------------------------------------------


def piece_colors(limit, tension):
  """What the engine draws of a straight cable with this tension."""
  spec = mujoco.MjSpec.from_string("""<mujoco><worldbody><site name="a"/><body pos="1 0 0">
    <joint type="slide"/> <geom size=".1"/> <site name="b"/></body></worldbody></mujoco>""")
  command = mjc.TensionCommand(range=(0.0, 1000.0))
  route = [mjc.Anchor("a"), mjc.Anchor("b")]
  cable = mjc.Cable("c", route, mjc.Axial(stiffness=1e3, max_tension=limit), take_up=command)
  mjc.add_cable(spec, cable)
  model = spec.compile()
  live = Live(model)
  live.command(0, tension)
  mujoco.mj_forward(model, live.data)
  pieces = Painter(model).pieces(live.data)
  assert pieces.ends == pytest.approx(np.array([[[0, 0, 0], [1, 0, 0]]]), abs=1e-6)
  return pieces, live.cables["c"]


@pytest.mark.parametrize("limit", [8.0, np.inf])
@pytest.mark.parametrize("tension", [0.1, 1.0, 3.0, 5.0, 7.9])
def test_the_legend_has_the_colors_that_the_engine_draws(limit, tension):
  pieces, cable = piece_colors(limit, tension)
  assert cable.source_tension == pytest.approx(tension)
  wanted = palette.color(palette.share(tension, limit))
  assert pieces.rgba[0] == pytest.approx([*wanted, 1.0], abs=1e-6)  # drawn in float32
  assert not pieces.slack[0]


def test_a_slack_cable_has_its_own_color():
  pieces, _ = piece_colors(8.0, 0.0)
  assert pieces.slack[0] and pieces.rgba[0] == pytest.approx(palette.SLACK)


def test_the_scale_says_what_its_stops_mean():
  _, cable = piece_colors(8.0, 1.0)
  _, free = piece_colors(np.inf, 1.0)
  assert palette.scale_labels([cable]) == ["0", "2.67", "5.33", "8 N"]
  assert palette.scale_labels([free]) == ["0", "10", "40", "more N"]
  assert palette.scale_labels([cable, free])[-1] == "limit of the cable"
  # a label is the tension that has the color of its stop
  for label, stop in zip(("0", "10", "40"), palette.STOPS, strict=False):
    assert palette.color(palette.share(float(label), np.inf)) == pytest.approx(stop)


# ---- pieces --------------------------------------------------------------------------------------


def test_the_pieces_follow_the_path_of_the_view():
  model = winch.build(winch.Winch(slack=-0.003)).compile()
  live = Live(model)
  pieces, points = Painter(model).pieces(live.data), live.cables[winch.CABLE].points
  assert pieces.ends[0, 0] == pytest.approx(points[0], abs=1e-6)
  assert pieces.ends[-1, 1] == pytest.approx(points[-1], abs=1e-6)
  assert pieces.ends[1:, 0] == pytest.approx(pieces.ends[:-1, 1], abs=1e-6)
  length = np.linalg.norm(pieces.ends[:, 1] - pieces.ends[:, 0], axis=1).sum()
  # chords of arcs of at most 0.1 rad are shorter by 1 / 24 of its square
  assert length == pytest.approx(live.cables[winch.CABLE].length, rel=0.1**2 / 24)


def test_native_tendons_are_drawn_too():
  model = mujoco.MjModel.from_xml_string("""<mujoco><worldbody><site name="a"/>
    <body pos="1 0 0"><joint/><geom size=".1"/><site name="b"/></body></worldbody>
    <tendon><spatial><site site="a"/><site site="b"/></spatial></tendon></mujoco>""")
  live = Live(model)
  pieces = Painter(model).pieces(live.data)
  assert pieces.ends == pytest.approx(np.array([[[0, 0, 0], [1, 0, 0]]]), abs=1e-6)
  assert not pieces.slack.any() and not live.cables


def test_dashes_cover_half_of_a_slack_piece_and_leave_a_taut_one_whole():
  ends = np.array([[[0.0, 0, 0], [1, 0, 0]], [[0, 1, 0], [0, 3, 0]]])
  cut = dashes(Pieces(ends, np.ones((2, 4)), np.array([False, True])), 0.01)
  assert np.array_equal(cut.ends[0], ends[0]) and not cut.slack[0]
  rest = cut.ends[1:]
  assert cut.slack[1:].all() and len(rest) == 100 == len(cut.rgba) - 1
  covered = np.linalg.norm(rest[:, 1] - rest[:, 0], axis=1)
  assert covered.sum() == pytest.approx(1.0, rel=0.01)  # of 2 m: n dashes, n - 1 gaps
  assert np.array_equal(rest[0, 0], ends[1, 0]) and np.array_equal(rest[-1, 1], ends[1, 1])


def test_contact_points_are_on_what_they_touch():
  model = winch.build(winch.Winch(slack=-0.003)).compile()
  live = Live(model)
  points = contact_points(live.cables)
  away = np.linalg.norm((points - winch.model.SHEAVE)[:, [0, 2]], axis=1)
  params = winch.Winch()
  assert away == pytest.approx([params.sheave_radius + params.cable_radius] * 2)


def test_points_tell_where_the_rope_slides():
  """Half a turn at friction 0.2: the load is held with its weight, hauled with 2.5 times that."""
  model = capstan.build().compile()
  for pull, slides in ((20 * 9.81, False), (2.5 * 20 * 9.81, True)):
    live = Live(model)
    live.data.ctrl[0] = pull
    for _ in range(50):
      mujoco.mj_step(live.model, live.data)
    assert len(contact_points(live.cables)) == 2
    assert list(sliding_points(live.cables)) == [slides] * 2
