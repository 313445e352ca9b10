"""Controls: pause, reset, speed, and a slider for every command and for friction."""

import mujoco
import numpy as np

from mujocable.runtime.controls import control_names
from mujocable.viewer.live import SPEEDS, Live
from mujocable.viewer.web.server import Server, viser

MOST_SLIDERS = 60  # of commands; a page with more is no use
MOST_FRICTION = 0.5  # at the right end of a friction slider, or the model's own if larger


class Controls:
  """Elements of the page that change the simulation."""

  def __init__(self, server: Server, live: Live):
    self._server, self._live = server, live
    self._commands: dict[int, viser.GuiSliderHandle] = {}
    self._add_clock()
    if live.model.nu:
      with server.gui.add_folder("Commands"):
        self._add_commands()
    if any(cable.friction.size for cable in live.cables.values()):
      with server.gui.add_folder("Friction"):
        self._add_frictions()

  def follow(self) -> None:
    """Shows what was changed from outside: a pause, commands of an automatic control."""
    if self._live.paused != self._paused:
      self._name_pause()
    if self._live.automatic:
      self._read_back()

  # ------------------------------------ clock

  def _add_clock(self) -> None:
    gui, live = self._server.gui, self._live
    self._pause = gui.add_button("Pause", icon=viser.Icon.PLAYER_PAUSE)
    self._pause.on_click(lambda _: self._toggle())
    reset = gui.add_button("Reset", icon=viser.Icon.REFRESH)
    reset.on_click(lambda _: self._reset())
    names = {f"{speed:g}x": speed for speed in sorted({*SPEEDS, live.speed})}
    speed = gui.add_dropdown("Speed", tuple(names), initial_value=f"{live.speed:g}x")
    speed.on_update(lambda _: setattr(live, "speed", names[speed.value]))
    if live.control is not None:
      self._automatic = gui.add_checkbox(
        "Automatic", live.automatic, hint="The program moves the commands."
      )
      self._automatic.on_update(lambda _: self._hand_over(self._automatic.value))
    self._name_pause()

  def _toggle(self) -> None:
    self._live.paused = not self._live.paused
    self._name_pause()

  def _name_pause(self) -> None:
    self._paused = paused = self._live.paused
    self._pause.label = "Play" if paused else "Pause"
    self._pause.icon = viser.Icon.PLAYER_PLAY if paused else viser.Icon.PLAYER_PAUSE

  def _reset(self) -> None:
    self._live.reset()
    self._read_back()

  # ------------------------------------ commands

  def _add_commands(self) -> None:
    model, data = self._live.model, self._live.data
    for i, name in enumerate(control_names(model)[:MOST_SLIDERS]):
      low, high = _range(model, i)
      slider = self._server.gui.add_slider(
        name,
        min=low,
        max=high,
        step=(high - low) / 200,
        initial_value=float(np.clip(data.ctrl[i], low, high)),
        disabled=self._live.automatic,
      )
      slider.on_update(lambda event, i=i: self._command(i, event))
      self._commands[i] = slider
    if model.nu > MOST_SLIDERS:
      self._server.gui.add_markdown(f"The first {MOST_SLIDERS} of {model.nu} commands.")

  def _command(self, control: int, event) -> None:
    # ours, or the user's: only the latter is a command
    if event.client is not None and not self._live.automatic:
      self._live.command(control, float(event.target.value))

  def _hand_over(self, automatic: bool) -> None:
    self._live.automatic = automatic
    for slider in self._commands.values():
      slider.disabled = automatic

  def _read_back(self) -> None:
    for i, slider in self._commands.items():
      value = float(np.clip(self._live.data.ctrl[i], slider.min, slider.max))
      if value != slider.value:
        slider.value = value

  # ------------------------------------ friction

  def _add_frictions(self) -> None:
    cables = {n: c.friction for n, c in self._live.cables.items() if c.friction.size}
    top = max([MOST_FRICTION, *(float(mu.max()) for mu in cables.values())])
    each = {}
    whole = self._server.gui.add_slider(
      "all cables",
      min=0.0,
      max=top,
      step=0.005,
      initial_value=_rounded(np.mean([mu.mean() for mu in cables.values()])),
      hint="Friction of every contact of every cable; a cable's own slider shows its mean.",
    )
    whole.on_update(lambda event: self._rub(event, each, tuple(cables)))
    if 1 < len(cables) <= 12:
      with self._server.gui.add_folder("Of one cable", expand_by_default=False):
        for name, mu in cables.items():
          each[name] = self._server.gui.add_slider(
            f"friction of {name}", min=0.0, max=top, step=0.005, initial_value=_rounded(mu.mean())
          )
          each[name].on_update(lambda event, name=name: self._rub(event, {}, (name,)))

  def _rub(self, event, others: dict, names: tuple[str, ...]) -> None:
    if event.client is None:
      return
    for name in names:
      self._live.set_friction(name, float(event.target.value))
    for slider in others.values():
      slider.value = float(event.target.value)


def _range(model: mujoco.MjModel, control: int) -> tuple[float, float]:
  if model.actuator_ctrllimited[control]:
    low, high = (float(x) for x in model.actuator_ctrlrange[control])
    return low, high
  return -1.0, 1.0


def _rounded(value) -> float:
  return round(float(value), 4)
