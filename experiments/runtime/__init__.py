"""Run time of the 18-joint arm: cables, MuJoCo's own tendons, and none at all."""
