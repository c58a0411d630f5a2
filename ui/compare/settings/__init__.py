"""Runs that do not share a setting, and the choice of one for all."""
