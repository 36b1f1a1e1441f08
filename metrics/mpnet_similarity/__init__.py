"""Similarity of sentences: the folder of one `evaluate` metric, self-contained."""
