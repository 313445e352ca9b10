"""AUTHOR: cables as frozen data, written into an MjSpec and read back from it."""
