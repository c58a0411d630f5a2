"""Ranked findings in plain sentences with their evidence, one rule a function."""
