"""Joint counts in, metrics with their intervals out."""
