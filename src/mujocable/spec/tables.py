# ruff: noqa: E501
"""Tables of the engine, written by `python -m mujocable.runtime.tables`: not by hand."""

# of the record, as views and sensors show them
FIELDS = (
  "length",
  "length_rate",
  "rest_length",
  "stretch",
  "slack",
  "take_up",
  "take_up_rate",
  "source_tension",
  "status",
  "status_contact",
  "derailments",
  "smoothness",
  "surface_error",
  "penetration",
  "iterations",
  "solves",
  "energy",
  "tension",
  "touching",
  "wrap_angle",
  "slip_rate",
  "dissipation",
  "slip",
  "stuck",
  "cone",
  "segment_rest",
  "overrun",
  "entry",
  "exit",
  "slip_total",
)

# Of the elements of a route: key|elements that may have it|how its value is written, in brackets
# where it may be left out|geoms that it needs|what is said for others.
OPTIONS = (
  "exit|sheath|SITE||",
  "radius|ring|NUMBER||",
  "tube|ring|NUMBER||",
  "length|sheath|NUMBER||",
  "bend|sheath|RADIANS||",
  "friction|eyelet wrap ring sheath|NUMBER||",
  "side|wrap ring|SITE, side=x,y,z||",
  "permanent|wrap||cylinder sphere|permanent holds a cable in the groove of a cylinder or sphere only",
  "rounding|wrap|NUMBER|box mesh|rounding is for the edges of a box or mesh",
  "turns|wrap|COUNT|cylinder|turns are wound around a cylinder only",
  "mode|wrap|obstacle, mode=guided|mesh|mode and contacts are for meshes",
  "contacts|wrap|COUNT|mesh|mode and contacts are for meshes",
  "groove|wrap|[DEPTH]|cylinder|groove, half_angle and endless are for cylinders",
  "half_angle|wrap|RADIANS|cylinder|groove, half_angle and endless are for cylinders",
  "endless|wrap||cylinder|groove, half_angle and endless are for cylinders",
)
