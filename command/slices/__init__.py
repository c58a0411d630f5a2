"""Slices, groups and drift on the command line, imported where options ask for them."""
