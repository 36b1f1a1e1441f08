"""The papers' pipelines: one file a benchmark, on `base`."""
