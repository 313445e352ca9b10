"""Fit: which friction, stiffness, damping, pretension and motor lag a machine has."""

from mujocable.study.fit.fit import fit
from mujocable.study.fit.fitted import Column, Fit, Value

__all__ = ["Column", "Fit", "Value", "fit"]
