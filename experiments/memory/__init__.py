"""Memory: the published tables beside the friction that remembers."""
