"""Mend a file that cannot be read, where its error is shown."""
