"""Reports: published tables beside one's own scores."""
