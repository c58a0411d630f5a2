"""Logs of other tools: recognised by their own keys, and turned into flat rows, one module a source."""
