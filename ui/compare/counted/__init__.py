"""Comparisons of sources that an engine counted."""
