"""Independent judges of the kernels."""
