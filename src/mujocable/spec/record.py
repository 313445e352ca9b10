"""Record: the fields that the engine writes into a cable's sensor, for views and sensors alike."""

# prm of the last anchor in a route's tuple: no other tuple has it, so that a cable whose instance
# is gone is noticed
END = 7.0

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
  "slip_total",
  "stuck",
  "cone",
  "segment_rest",
  "overrun",
  "entry",
  "exit",
)
