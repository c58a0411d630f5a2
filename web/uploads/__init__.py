"""Limits for uploads: how many, how large, how long."""
