"""The page in a real, headless Chromium: for its test, and for the picture in the docs.

`python -m tests.viewer.browser docs/images/web_viewer.png` takes that picture.
"""

import os
import re
import shutil
import sys
import time
from contextlib import contextmanager
from io import BytesIO

import numpy as np
from PIL import Image
from playwright.sync_api import sync_playwright

from mujocable.models import spirob
from mujocable.viewer.web import Page

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# no sandbox as root, little shared memory in containers, and no graphics card in CI
FLAGS = (
  "--no-sandbox",
  "--disable-dev-shm-usage",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
)
PATIENCE = 90_000  # a busy machine draws slowly [ms]


def chromium():
  """Path of a Chromium of this machine, or None."""
  return next(filter(None, map(shutil.which, NAMES)), None)


class Visit:
  """A page as its user sees it, and everything that it complained about or asked for."""

  def __init__(self, page):
    self.page = page
    self.complaints, self.requests = [], []
    page.on("console", lambda m: self.complaints.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda e: self.complaints.append(str(e)))
    page.on("requestfailed", lambda r: self.complaints.append(f"failed: {r.url}"))
    page.on("request", lambda r: self.requests.append(r.url))
    page.on("websocket", lambda w: self.requests.append(w.url))

  @property
  def time(self):
    """The time that the page shows [s]."""
    return float(self.page.inner_text("#mujocable-time"))

  def row(self, cable):
    """The numbers of one cable, by column."""
    cells = self.page.eval_on_selector_all(
      f"tr[data-cable='{cable}'] td",
      "cells => cells.map(c => [Object.keys(c.dataset)[0] ?? 'name', c.innerText])",
    )
    return {k: float(v) for k, v in cells if re.fullmatch(r"[-+.\de]+", v)}

  def thumb(self, label):
    """The handle of the slider with this label."""
    return self.page.locator(f"#{self._slider(label)} [role=slider]")

  def type_into(self, label, value):
    """Writes a number into the field beside the slider with this label."""
    slider = self.page.locator(f"#{self._slider(label)}")
    field = slider.locator("xpath=..").locator("input[inputmode=decimal]")
    field.fill(str(value))
    field.press("Enter")

  def _slider(self, label):
    found = self.page.evaluate(
      "label => [...document.querySelectorAll('label')]"
      ".filter(l => l.textContent === label).map(l => l.htmlFor)",
      label,
    )
    assert len(found) == 1, f"{len(found)} sliders are called {label!r}"
    return escaped(found[0])

  def until(self, true, what):
    """Waits until something holds."""
    end = time.monotonic() + PATIENCE / 1000
    while not true():
      assert time.monotonic() < end, f"waited in vain: {what}; complaints: {self.complaints}"
      self.page.wait_for_timeout(200)

  def settle(self, frames=3):
    """Waits until so many frames were drawn."""
    self.page.evaluate(
      """n => new Promise(done => {
        const frame = () => n-- > 0 ? requestAnimationFrame(frame) : done();
        frame();
      })""",
      frames,
    )

  def scene(self):
    """The picture of the robot, uint8, shape (height, width, 3)."""
    canvas = self.page.locator("canvas[data-engine]")
    picture = canvas.screenshot(timeout=PATIENCE)
    return np.asarray(Image.open(BytesIO(picture)).convert("RGB"))

  def plots(self):
    """The pixels of the plots, one string each."""
    return self.page.eval_on_selector_all(".uplot canvas", "all => all.map(c => c.toDataURL())")


def escaped(name):
  """An id as a CSS selector takes it: one that starts with a digit needs it."""
  return re.sub(r"^(\d)", r"\\3\1 ", name)


@contextmanager
def visit(url, width=1100, height=640):
  """Opens a page and waits until it has drawn something."""
  with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
    try:
      page = browser.new_page(viewport={"width": width, "height": height})
      page.set_default_timeout(PATIENCE)
      seen = Visit(page)
      page.goto(url)
      page.wait_for_selector("canvas[data-engine]")
      page.wait_for_selector("#mujocable-time")
      yield seen
    finally:
      browser.close()


def main():
  """A spiral arm that one cable pulls into its curl, against friction."""
  model = spirob.build(spirob.Spirob(friction=0.03)).compile()

  def curl(model, data):
    s = np.clip(data.time / 4.0, 0.0, 1.0)
    data.ctrl[:] = 0.104 * s, -0.12 * s

  with Page(model, port=0, control=curl, paused=True) as page, visit(page.url, 1300, 760) as seen:
    with page.live.lock:
      page.live.step(round(6.0 / model.opt.timestep))
    close = seen.page.locator("button.mantine-Notification-closeButton")
    if close.count():  # about software rendering
      close.first.click()
    seen.until(lambda: not close.count(), "the notice goes")
    seen.until(lambda: abs(seen.time - page.live.data.time) < 0.01, "the page is up to date")
    seen.settle(10)
    seen.page.screenshot(path=sys.argv[1], timeout=PATIENCE)
    print(f"written: {sys.argv[1]}", *seen.complaints, sep=os.linesep)


if __name__ == "__main__":
  main()
