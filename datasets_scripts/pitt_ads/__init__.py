"""The pitt_ads benchmark."""
