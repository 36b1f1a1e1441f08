"""BLEU-1: the folder of one `evaluate` metric, self-contained."""
