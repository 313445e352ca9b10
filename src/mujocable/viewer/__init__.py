"""SEE: time series, plots, pictures and videos of cables. Needs the extra: mujocable[viewer]."""
