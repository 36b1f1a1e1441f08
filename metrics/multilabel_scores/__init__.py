"""Multi-label scores: the folder of one `evaluate` metric, self-contained."""
