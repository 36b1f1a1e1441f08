"""Spread over prompts: the folder of one `evaluate` metric, self-contained."""
