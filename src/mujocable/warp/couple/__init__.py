"""Couple: tensions of stiff cables that are found together with the motion they cause."""
