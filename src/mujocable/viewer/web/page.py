"""Page: one simulation, its scene, its controls and its read-outs, in a browser on this machine."""

import webbrowser
from contextlib import suppress
from typing import Any

import mujoco

from mujocable.errors import BadValue
from mujocable.viewer.live import Control, Live, Pacer
from mujocable.viewer.web.controls import Controls
from mujocable.viewer.web.readouts import Readouts
from mujocable.viewer.web.scene import Scene
from mujocable.viewer.web.server import address, start

_READ_OUT = 6  # frames between two updates of numbers and plots


class Page:
  """A running simulation and the page that shows it; `with Page(model) as page: page.url`."""

  def __init__(
    self,
    model: mujoco.MjModel,
    data: mujoco.MjData | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 8080,
    control: Control | None = None,
    speed: float = 1.0,
    paused: bool = False,
  ):
    """Starts at once, in threads of its own; see `serve` for the arguments."""
    if not isinstance(model, mujoco.MjModel):
      raise BadValue(f"the viewer takes an MjModel, got {type(model).__name__}")
    self.live = Live(model, data, control, speed, paused)
    name = model.names[: model.names.index(b"\0")].decode()
    self._server = start(host, port, name or "MuJoCable")
    try:
      self._scene = Scene(self._server, self.live)
      panel = self._server.gui.add_panel()
      panel.dock_left()
      panel.set_width(340)
      with panel.add_tab("Cables"):
        self._readouts = Readouts(self._server, self.live)
      self._server.gui.main_panel.dock_right()
      self._controls = Controls(self._server, self.live)
      contacts = self._server.gui.add_checkbox("Contact points", True)
      contacts.on_update(lambda _: setattr(self._scene, "show_contacts", contacts.value))
      self._frames, self._shown = 0, None
      self._pacer = Pacer(self.live, self._show)
      self._pacer.start()
    except BaseException:
      self._server.stop()
      raise

  @property
  def url(self) -> str:
    """Where the page is."""
    return address(self._server)

  @property
  def running(self) -> bool:
    """Whether the simulation goes on (also while it is paused)."""
    return self._pacer.is_alive()

  def wait(self) -> None:
    """Returns when the simulation has ended; raises what ended it."""
    while self._pacer.is_alive():
      self._pacer.join(0.2)
    if self._pacer.error is not None:
      raise self._pacer.error

  def close(self) -> None:
    """Ends the simulation and the server. More than once does no harm."""
    self._pacer.stop()
    self._server.stop()

  def __enter__(self) -> "Page":
    return self

  def __exit__(self, *_) -> None:
    self.close()

  def _show(self) -> None:
    moment = self.live.data.time, self._scene.show_contacts
    if moment != self._shown:
      self._scene.update()
    self._controls.follow()
    if self._frames % _READ_OUT == 0:
      self._readouts.update()
    self._frames, self._shown = self._frames + 1, moment


def serve(
  model: mujoco.MjModel,
  data: mujoco.MjData | None = None,
  *,
  host: str = "127.0.0.1",
  port: int = 8080,
  control: Control | None = None,
  speed: float = 1.0,
  paused: bool = False,
  open_browser: bool = False,
) -> None:
  """Shows a model in the browser until Ctrl+C.

  The page is served to this machine only: `host` must be a loopback address; `port` 0 is any free
  one, and a busy one gives way to the next. `control(model, data)` writes `data.ctrl` before every
  step, until the user takes over on the page. Reset goes back to `data` as it was given.
  """
  options: dict[str, Any] = dict(host=host, port=port, control=control, speed=speed, paused=paused)
  with suppress(KeyboardInterrupt), Page(model, data, **options) as page:
    print(f"{page.url}  (Ctrl+C ends)", flush=True)
    if open_browser:
      webbrowser.open(page.url)
    page.wait()
