"""Scores of several models in one source, counted together so that they can be compared."""
