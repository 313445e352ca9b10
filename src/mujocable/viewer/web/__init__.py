"""The browser viewer: a page on this machine with the moving robot, its cables, sliders and plots.

`serve(model)` from Python, `mujocable view model.xml --web` from a shell.
"""

from mujocable.viewer.web.page import Page, serve

__all__ = ["Page", "serve"]
