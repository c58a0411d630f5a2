"""Confusion counts in, numbers about hard labels out."""
