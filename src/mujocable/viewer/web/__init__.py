"""The browser viewer: a page on this machine with the moving robot, its cables, sliders and plots.

`serve(model)` from Python, `python -m mujocable.viewer.web model.xml` from a shell.
"""

from mujocable.viewer.web.page import Page, serve

__all__ = ["Page", "serve"]
