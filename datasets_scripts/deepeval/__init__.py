"""The deepeval benchmark."""
