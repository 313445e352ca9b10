"""The rolling joint: 10 mm of flexor against two hinges of 25 degrees."""
