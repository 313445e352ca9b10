"""Published: the results of the public 11-joint sweep, and the protocol that meets them."""

FRICTIONS = (0.0, 0.015, 0.05, 0.1, 0.2)

# friction -> bend [deg], steady and peak tension [N], sum of turns [rad], largest joint [deg]
SWEEP = {
  0.0: (177.543, 0.058793, 0.14717, 4.5605, 23.040),
  0.015: (176.832, 0.061164, 0.15164, 4.6050, 23.418),
  0.05: (175.239, 0.067666, 0.16285, 4.7311, 24.276),
  0.1: (173.097, 0.080235, 0.18112, 4.9639, 25.405),
  0.2: (168.883, 0.125743, 0.22830, 5.5485, 27.152),
}

# friction -> angle of every joint [deg]
_JOINTS_0 = "23.040 21.705 20.238 18.724 17.232 15.805 14.464 13.217 12.067 11.010 10.042"
_JOINTS_2 = "27.152 24.941 21.677 18.482 15.860 13.729 11.967 10.487 9.228 8.147 7.212"
JOINTS = {0.0: [*map(float, _JOINTS_0.split())], 0.2: [*map(float, _JOINTS_2.split())]}

# friction -> tip (y, z) [mm]
TIPS = {0.0: (66.663, 12.576), 0.2: (70.124, 6.051)}

SWITCH, DURATION = 4.0, 12.0  # [s]
TAUT, PULLED = 0.025, 0.050  # take-up of both cables, then of the active one [m]


def control(data):
  """Both cables just taut; at 4 s the active one pulls and the other lets go.

  The commands step; the motors' lag (0.04 s) and rate limit (40 mm/s) shape them. A ramp of 4 s
  ends in the same pose, but its peak tension is half of the published one.
  """
  return (TAUT, TAUT) if data.time < SWITCH else (PULLED, 0.0)
