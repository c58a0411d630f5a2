"""Python code that recomputes a number from the original files."""
