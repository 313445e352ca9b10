"""STUDY: questions asked of a model: what it becomes with cables, what is wrong, how it moves."""
