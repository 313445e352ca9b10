"""Stiff cables on light links at long steps: stability, statics, order, and the native tendon."""
