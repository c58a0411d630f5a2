"""Multi-label counts in, numbers out."""
