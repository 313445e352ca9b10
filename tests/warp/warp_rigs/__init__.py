"""Models for the tests of mujocable.warp, and an independent judge of its law."""
