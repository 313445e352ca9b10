"""The browser viewer: seen and used in a real Chromium; served to this machine only."""

import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from types import SimpleNamespace

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.models import spirob
from mujocable.viewer.web import Page
from mujocable.viewer.web.server import start
from tests.viewer import browser


def arm(units=7, **changes):
  """A short spiral arm whose cables pull with the tension that is commanded."""
  params = spirob.Spirob(
    spiral=spirob.Spiral(units=units, radius=4.5e-3), drive="tension", **changes
  )
  return spirob.build(params).compile()


@pytest.mark.slow
def test_a_user_sees_the_arm_move_and_moves_it():
  if browser.chromium() is None:
    pytest.skip(f"none of {', '.join(browser.NAMES)} is installed; Debian: apt install chromium")
  with Page(arm(), port=0) as page, browser.visit(page.url, 900, 560) as seen:
    seen.until(lambda: seen.time > 0.2, "the clock runs")
    seen.settle()
    resting, plots = seen.scene(), seen.plots()
    assert len(np.unique(resting.reshape(-1, 3), axis=0)) > 20  # something is drawn
    # its tension is given: there is no take-up to plot
    assert seen.row("cable_0")["source"] == 0.0 and len(plots) == 1

    # the slider of a command, by keyboard: to its end, 8 N
    seen.thumb("cable_0").focus()
    seen.page.keyboard.press("End")
    seen.until(lambda: seen.row("cable_0")["source"] == 8.0, "tension follows its slider")
    assert page.live.data.ctrl[0] == 8.0

    # the robot moves, and the plots with it
    until_curled = lambda: page.live.data.qpos.sum() > 1.0  # noqa: E731
    seen.until(until_curled, "the arm bends toward the cable")
    seen.until(lambda: seen.plots()[0] != plots[0], "the plot of tension is drawn anew")

    # friction by number: what arrives at the end is within the Capstan law, in the page's digits
    # (let go and pulled again: a cable at rest keeps the tensions that it had)
    seen.type_into("all cables", 0.1)
    for key, pull in (("Home", 0.0), ("End", 8.0)):
      seen.thumb("cable_0").focus()
      seen.page.keyboard.press(key)
      seen.until(lambda pull=pull: seen.row("cable_0")["source"] == pull, "it lets go and pulls")
    seen.until(lambda: 0 < seen.row("cable_0")["end"] < 8.0, "friction takes its share")
    seen.until(lambda: np.deg2rad(seen.row("cable_0")["bend"]) > 1.0, "the arm bends again")
    seen.page.get_by_role("button", name="Pause").click()
    seen.until(lambda: "paused" in seen.page.inner_text("body"), "it pauses")
    stopped = page.live.data.time
    seen.until(lambda: abs(seen.time - stopped) < 0.011, "the page is up to date")
    row = seen.row("cable_0")
    bend = np.deg2rad(row["bend"])
    rounding = 5e-4 + row["end"] * 0.1 * np.deg2rad(0.05)
    assert 8.0 * np.exp(-0.1 * bend) - rounding <= row["end"] < 8.0 and bend > 1.0

    # the picture shows it; a still simulation stays still
    seen.settle()
    curled = seen.scene()
    changed = np.mean(np.abs(curled.astype(int) - resting).sum(axis=2) > 60)
    assert changed > 0.1  # the whole arm moved: a fifth of the picture, its cables alone are 3 %
    assert page.live.data.time == stopped

    # from the start again, commands and all; the friction that was set stays
    seen.page.get_by_role("button", name="Reset").click()
    seen.until(lambda: seen.time == 0.0 and seen.row("cable_0")["source"] == 0.0, "it starts over")
    thumb = seen.thumb("cable_0")
    seen.until(lambda: thumb.get_attribute("aria-valuenow") == "0", "the slider goes back")
    assert page.live.cables["cable_0"].friction == pytest.approx(0.1)

    assert not seen.complaints
    inside = (page.url, page.url.replace("http", "ws"), f"blob:{page.url}", "data:")
    assert seen.requests and all(request.startswith(inside) for request in seen.requests)


# ---- the server ----------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.7", "example.org", "::", ""])
def test_another_host_than_this_machine_is_refused(host):
  with pytest.raises(mjc.CableError, match=r"host must be this machine.*ssh -L"):
    start(host, 0, "test")


def test_a_port_that_cannot_be_is_refused():
  with pytest.raises(mjc.CableError, match="port must be 0 to 65535, got 70000"):
    start("127.0.0.1", 70000, "test")


def test_it_listens_on_the_loopback_address_only_and_lets_go(capfd):
  before = set(threading.enumerate())
  page = Page(arm(), port=0, paused=True)
  assert page.url.startswith("http://127.0.0.1:") and page.running
  port = int(page.url.rpartition(":")[2])
  with urllib.request.urlopen(page.url, timeout=10) as answer:
    assert answer.status == 200 and b"<html" in answer.read()
  with socket.socket() as other:  # the same port of another loopback address is free
    other.bind(("127.0.0.2", port))
  assert page._server.request_share_url() is None
  page.close()
  page.close()
  with pytest.raises((urllib.error.URLError, ConnectionError)):
    urllib.request.urlopen(page.url, timeout=2)
  deadline = time.monotonic() + 10
  while left := [t for t in set(threading.enumerate()) - before if not t.daemon]:
    assert time.monotonic() < deadline, left
    time.sleep(0.05)
  assert not page.running
  assert capfd.readouterr() == ("", "")


def test_what_a_control_raises_reaches_the_caller():
  def broken(model, data):
    raise ZeroDivisionError("in the control")

  with Page(arm(), port=0, control=broken) as page, pytest.raises(ZeroDivisionError):
    page.wait()


def test_an_automatic_control_hands_over_to_the_sliders():
  def control(model, data):
    data.ctrl[0] = 3.0

  def user(value):
    return SimpleNamespace(client=object(), target=SimpleNamespace(value=value))

  with Page(arm(), port=0, control=control) as page:
    controls, deadline = page._controls, time.monotonic() + 30
    slider = controls._commands[0]
    while slider.value != 3.0:  # follows the control
      assert time.monotonic() < deadline
      time.sleep(0.05)
    assert slider.disabled
    controls._command(0, user(5.0))
    assert page.live.data.ctrl[0] == 3.0  # not the user's yet
    controls._hand_over(False)
    controls._command(0, user(5.0))
    assert not slider.disabled and page.live.data.ctrl[0] == 5.0


def test_ctrl_c_ends_the_command_at_once(tmp_path):
  file = tmp_path / "arm.xml"
  file.write_text(spirob.build(spirob.Spirob(drive="tension")).to_xml(), encoding="utf-8")
  command = [sys.executable, "-m", "mujocable.cli", "view", str(file), "--web", "--port", "0"]
  # a test that runs in the background may have inherited that Ctrl+C is to be ignored
  before = signal.signal(signal.SIGINT, signal.default_int_handler)
  try:
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
  finally:
    signal.signal(signal.SIGINT, before)
  with process:
    try:
      assert process.stdout and process.stderr
      assert process.stdout.readline().startswith("http://127.0.0.1:")
      process.send_signal(signal.SIGINT)
      assert process.wait(timeout=60) == 0
      assert process.stderr.read() == ""
    finally:
      process.kill()  # whatever failed, nothing is left running


def test_the_model_of_the_caller_is_left_alone():
  model = arm()
  looks = model.vis.scale.contactwidth, model.vis.rgba.contactpoint.copy()
  with Page(model, port=0, paused=True):
    pass
  assert model.vis.scale.contactwidth == looks[0]
  assert np.array_equal(model.vis.rgba.contactpoint, looks[1])


def test_it_takes_a_model_and_says_so():
  with pytest.raises(mjc.CableError, match="takes an MjModel, got MjSpec"):
    Page(mujoco.MjSpec())  # pyright: ignore[reportArgumentType]
