"""Thresholds of a counted source whose scores of every class were counted against the rest."""
