"""Pushing to the Hugging Face Hub: datasets, metrics, results, leaderboards.

A push is a `Target` (which repository), a draft (what shall stand in it, given what stands there now), and one
commit. A draft sends nothing and is shown by a dry run; see `plan`, `client` and `pushing`.
"""
