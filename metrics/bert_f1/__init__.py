"""BERTScore F1: the folder of one `evaluate` metric, self-contained."""
