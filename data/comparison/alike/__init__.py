"""Compare runs that share every setting that changes numbers."""
