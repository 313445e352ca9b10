"""Experiments: one folder per published table or figure, each rebuilt from parameters.

`python -m experiments pulleys` runs one; every folder has a `run` module with `main(arguments)`.
"""
