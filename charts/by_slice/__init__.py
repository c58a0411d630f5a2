"""Figures of slices, groups and periods."""
