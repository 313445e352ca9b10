"""Jobs: simulations of a study: one point, who runs it, and what is kept on disk."""
