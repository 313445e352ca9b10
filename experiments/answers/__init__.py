"""Answers to trust: intervals that hold, routings that an exhaustive search confirms, sweeps."""
