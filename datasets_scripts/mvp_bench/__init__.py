"""The mvp_bench benchmark."""
