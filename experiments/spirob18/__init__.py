"""The 18-joint log-spiral arm of the paper: what guide friction does to its bend."""
