"""The commands that `cli.py` runs: their options and their output."""
