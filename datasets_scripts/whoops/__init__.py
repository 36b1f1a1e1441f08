"""The whoops benchmark."""
