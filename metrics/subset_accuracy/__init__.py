"""Subset accuracy: the folder of one `evaluate` metric, self-contained."""
