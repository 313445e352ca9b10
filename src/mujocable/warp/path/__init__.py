"""Path: poses and memory -> lengths, directions and wrap angles of all worlds, and gradients."""
