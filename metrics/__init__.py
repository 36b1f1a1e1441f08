"""Metrics as `evaluate` modules: one self-contained folder each."""
