"""ROBOTS: complete mechanisms, each built from parameters: build(params) -> MjSpec."""
