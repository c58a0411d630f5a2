"""Counts of two sets of rows in, how far columns moved and why a metric changed out."""
