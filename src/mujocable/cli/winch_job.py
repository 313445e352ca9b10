"""The job of the winch: it lifts a payload over a freely turning sheave with friction.

Prints what the cable does and writes a CSV, a picture and a plot; a video where it is asked for.
Needs no display.
"""

from pathlib import Path

import mujoco
import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Table

import mujocable as mjc
from mujocable.models import winch
from mujocable.study.motion import smooth
from mujocable.viewer import offscreen, plots
from mujocable.viewer.recording import Recording

PARAMETERS = winch.Winch()

# the job: (time [s], cable to be taken in [m]); smooth moves between
JOB = ((0.0, 0.0), (0.5, 0.0), (1.5, 0.05), (4.0, 0.9), (5.0, 0.9), (7.5, 0.05), (8.5, 0.0))
SAMPLE = 0.01  # between rows of the CSV [s]
PICTURE_TIME = 2.7  # in the middle of the lift [s]
PICTURE_SIZE, VIDEO_SIZE = (1200, 800), (720, 480)  # width, height [pixels]


def do(out: Path, fps: int, pictures: bool, video: bool) -> None:
  """Simulates, prints, writes into a folder: the picture first, the video last."""
  console = Console(highlight=False)

  def said(name: str) -> None:
    console.print(f"written: {escape(str(out / name))}", soft_wrap=True)

  model = winch.build(PARAMETERS).compile()
  recording, states = simulate(model, console)
  console.print(_table(recording))
  console.print(_summary(recording))
  recording.write_csv(out / "demo.csv")
  said("demo.csv")

  backend = offscreen.switch_on() if pictures else None
  if backend:
    _write_picture(model, states[round(PICTURE_TIME / SAMPLE)], out / "picture.png")
    said("picture.png")
  plots.save(_plot(recording), out / "plot.png")
  said("plot.png")
  if backend and video:
    shown = states[:: max(1, round(1 / (SAMPLE * fps)))]
    frames = offscreen.frames(model, shown, winch.CAMERA, *VIDEO_SIZE)
    frames = track(frames, f"drawing ({backend})", total=len(shown), console=console)
    offscreen.write_video(out / "video.mp4", frames, fps)
    said("video.mp4")
  elif backend:
    console.print("a video of it: the same with --video (it takes longer than all of this)")
  elif pictures:
    console.print(f"[bold]no picture and no video:[/] {offscreen.why_not()}", soft_wrap=True)


def simulate(model: mujoco.MjModel, console: Console) -> tuple[Recording, list[np.ndarray]]:
  """Does the job; returns what was recorded, and a snapshot for each row."""
  data = mujoco.MjData(model)
  cable = mjc.bind(model, data)[winch.CABLE]
  axle, payload = data.joint("axle"), data.body("payload")
  recording, states = Recording([cable]), []
  substeps = round(SAMPLE / model.opt.timestep)
  rows = range(round(JOB[-1][0] / SAMPLE) + 1)
  for _ in track(rows, "simulating", console=console):
    winch.turn_drum(model, data)
    data.ctrl[cable.command] = command(data.time) / PARAMETERS.drum_radius
    mujoco.mj_forward(model, data)  # results of the present state; changes nothing
    recording.sample(data.time, sheave_speed=axle.qvel[0], payload_height=payload.xpos[2])
    states.append(offscreen.snapshot(model, data))
    for _ in range(substeps):
      data.ctrl[cable.command] = command(data.time) / PARAMETERS.drum_radius
      mujoco.mj_step(model, data)
  return recording, states


def command(time: float) -> float:
  """Cable that shall be taken in at a time [m]: moves that start and end without a jerk."""
  times, lengths = np.transpose(JOB)
  move = min(int(np.searchsorted(times, time, side="right")), len(JOB) - 1)
  s = (time - times[move - 1]) / (times[move] - times[move - 1])
  return float(lengths[move - 1] + smooth(s) * (lengths[move] - lengths[move - 1]))


def _table(recording: Recording, every: float = 0.5) -> Table:
  table = Table(title="a motor winch lifts a payload over a freely turning sheave")
  columns = {
    "time\n[s]": ("time", "{:.1f}", 1),
    "take-up\n[m]": ("hoist.take_up", "{:.3f}", 1),
    "tension at\nmotor [N]": ("hoist.tension[0]", "{:.1f}", 1),
    "tension at\nhook [N]": ("hoist.tension[1]", "{:.1f}", 1),
    "sheave\n[rad/s]": ("sheave_speed", "{:+.2f}", 1),
    "slack\n[mm]": ("hoist.slack", "{:.1f}", 1e3),
  }
  for title in columns:
    table.add_column(escape(title), justify="right")
  table.add_column("status\n")
  rows = slice(None, None, round(every / SAMPLE))
  cells = [
    [form.format(scale * x) for x in recording[name][rows]]
    for name, form, scale in columns.values()
  ]
  status = [str(mjc.SolveStatus(int(x))) for x in recording["hoist.status"][rows]]
  for row in zip(*cells, status, strict=True):
    table.add_row(*row)
  return table


def _summary(recording: Recording) -> str:
  height, status = recording["payload_height"], recording["hoist.status"]
  return (
    f"lifted {PARAMETERS.payload_mass:g} kg by {np.ptp(height):.2f} m;"
    f" largest tension {recording['hoist.tension[0]'].max():.1f} N;"
    f" path valid in {np.mean(status == 0):.0%} of the rows"
  )


def _plot(recording: Recording):
  sheave = ("sheave [rad/s]", {"sheave": recording["sheave_speed"]})
  return plots.plot_cable(recording, winch.CABLE, [sheave])


def _write_picture(model: mujoco.MjModel, state: np.ndarray, path: Path) -> None:
  data = offscreen.restore(model, state)
  cable = mjc.bind(model, data)[winch.CABLE]
  source, hook = cable.points[0], cable.points[-1]
  turning = (
    f"wrapped {np.rad2deg(cable.wrap_angle[0]):.0f}°\n{data.joint('axle').qvel[0]:.1f} rad/s"
  )
  notes = [
    (f"motor side {cable.tension[0]:.1f} N", (source + cable.entry[0]) / 2, (-70, -30)),
    (turning, cable.exit[0], (50, 0)),
    (f"hook side {cable.tension[1]:.1f} N", (cable.exit[0] + hook) / 2, (50, 0)),
  ]
  labels = [
    (text, offscreen.pixel(data, winch.CAMERA, point, *PICTURE_SIZE), offset)
    for text, point, offset in notes
  ]
  picture = next(offscreen.frames(model, [state], winch.CAMERA, *PICTURE_SIZE))
  plots.write_picture(path, picture, labels)
