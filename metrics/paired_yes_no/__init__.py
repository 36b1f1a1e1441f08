"""Yes/no on pairs of pictures: the folder of one `evaluate` metric, self-contained."""
