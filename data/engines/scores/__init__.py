"""Scores that engines group: in bins, and made of several columns of a row."""
