"""Random rows of surfaces: MuJoCable against OpenSim's Scholz2015GeometryPath."""
