"""Accuracy by a judge: the folder of one `evaluate` metric, self-contained."""
