"""The vague benchmark."""
