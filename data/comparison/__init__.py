"""Prepare the rows of evaluations for comparison: groups of rows, the rows of several runs side by side, ratings."""
