"""A cut by ratings: the folder of one `evaluate` metric, self-contained."""
