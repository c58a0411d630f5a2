"""Scores of several classes or labels of a counted source: counted for each against the rest, and built like a file."""
