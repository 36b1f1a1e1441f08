"""Top-k accuracy: the folder of one `evaluate` metric, self-contained."""
