"""Cohen's kappa: the folder of one `evaluate` metric, self-contained."""
