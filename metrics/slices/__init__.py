"""Counts by slice in, metrics of every slice against the rest out, and the gaps between groups."""
