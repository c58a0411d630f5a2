"""Joint counts of several models in, differences with their intervals and tests out."""
