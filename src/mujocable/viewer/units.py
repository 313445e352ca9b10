"""Units: what the numbers of fits and designs are measured in, by their names."""

_CABLE = {
  "stiffness": "N/m",
  **dict.fromkeys(("EA", "pretension", "max_tension", "tension"), "N"),
  **dict.fromkeys(("peak_tension", "end_tension", "peak_end_tension", "rms_tension"), "N"),
  "damping": "N s/m",
  "lag": "s",
  **dict.fromkeys(("rate_limit", "peak_rate"), "m/s"),
  **dict.fromkeys(("work_in", "work_out", "lost"), "J"),
  "peak_power": "W",
  "wrap_angle": "rad",
  **dict.fromkeys(("home_length", "pretension_offset", "reserve", "radius", "spool"), "m"),
  **dict.fromkeys(("take_up", "length", "slack", "stretch", "rest_length"), "m"),
  **dict.fromkeys(("max_slack", "stroke", "bend_radius", "transition"), "m"),
}
_ELEMENTS = {
  "site": {"x": "m", "y": "m", "z": "m", "travel": "m", "force": "N"},
  "geom": {"x": "m", "y": "m", "z": "m", "radius": "m", "mass": "kg"},
  "joint": {},  # in rad or m, as it turns or slides
  "sensor": {},
}


def with_unit(name: str) -> str:
  """A parameter, a measure or a measured column, with its unit where the name says it."""
  begin = name.partition(".")[0]
  if begin in ("qpos", "force", "sensor", "ctrl"):
    return name
  kind, _, _ = name.partition(":")
  field = name.rpartition(".")[2].partition("[")[0]
  found = _ELEMENTS[kind] if ":" in name and kind in _ELEMENTS else _CABLE
  unit = "m" if begin == "length" else found.get(field, "")
  return f"{name} [{unit}]" if unit else name
