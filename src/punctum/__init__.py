"""Punctum: benchmarks of what images mean, on the Hugging Face stack."""

from punctum.version import __version__

__all__ = ["__version__"]
