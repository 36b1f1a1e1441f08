"""Backends: one file each, on `base`."""
