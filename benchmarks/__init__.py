"""Benchmarks: scenes as data, one runner. `python -m benchmarks --help`."""
