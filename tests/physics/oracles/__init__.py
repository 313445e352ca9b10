"""Judges that share no code with the cable library: closed forms, relaxations, random models."""
