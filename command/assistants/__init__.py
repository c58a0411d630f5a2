"""Tools for assistants, which ask about files below chosen folders."""
