"""The public 11-joint log-spiral arm: a friction sweep whose every parameter is published."""
