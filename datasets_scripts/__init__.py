"""Benchmarks as `datasets` builders: one folder each, and the option builders in `mcq`."""
