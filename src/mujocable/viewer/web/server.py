"""Server: viser on the loopback address, quiet, with every way to the outside closed."""

import contextlib
import io
import ipaddress
import socket
from typing import Any

from mujocable.errors import BadValue, pip_install

try:
  import viser
  from mjviser import ViserMujocoScene
  from viser import uplot
except ImportError as error:
  message = f"{error}; the browser viewer needs more packages: {pip_install('web')}"
  raise ImportError(message) from None

__all__ = ["Server", "ViserMujocoScene", "address", "start", "uplot", "viser"]


class Server(viser.ViserServer):
  """A viser server that is quiet and never asks the outside for a public address."""

  def request_share_url(self, verbose: bool = True) -> str | None:
    """Refuses: the page is for this machine."""
    return None

  def stop(self) -> None:
    """Ends it without a word."""
    with contextlib.redirect_stdout(io.StringIO()):
      super().stop()


def start(host: str, port: int, title: str) -> Server:
  """Listens on a loopback address; port 0 takes any free one, a busy one the next above it."""
  host = _loopback(host)
  if not 0 <= port <= 65535:
    raise BadValue(f"port must be 0 to 65535, got {port!r}")
  with contextlib.redirect_stdout(io.StringIO()):  # its banner
    server = Server(host=host, port=port or _free_port(host), label=title, verbose=False)
  server.gui.configure_theme(show_logo=False, show_share_button=False, brand_color=(0, 114, 178))
  return server


def address(server: Server) -> str:
  """`http://127.0.0.1:8080`."""
  host = server.get_host()
  return f"http://{f'[{host}]' if ':' in host else host}:{server.get_port()}"


def _loopback(host: str) -> str:
  name = "127.0.0.1" if host == "localhost" else host
  try:
    good = ipaddress.ip_address(name).is_loopback
  except ValueError:
    good = False
  if not good:
    raise BadValue(
      f"host must be this machine, such as '127.0.0.1' or 'localhost', got {host!r};"
      " from elsewhere use a tunnel: ssh -L 8080:127.0.0.1:8080 ..."
    )
  return name


def _free_port(host: str) -> int:
  family: Any = socket.AF_INET6 if ":" in host else socket.AF_INET
  with socket.socket(family, socket.SOCK_STREAM) as probe:
    probe.bind((host, 0))
    return probe.getsockname()[1]
