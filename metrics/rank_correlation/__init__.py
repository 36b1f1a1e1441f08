"""Correlation of model scores: the folder of one `evaluate` metric, self-contained."""
