"""Law: take-up, path and material of the step before -> tensions, material and loads."""
