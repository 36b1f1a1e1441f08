"""Precision at k: the folder of one `evaluate` metric, self-contained."""
