"""RUN: find and load the engine library, and read cables of a running simulation."""
