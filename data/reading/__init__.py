"""Uploaded bytes to one table of text and numbers, in a child process with limits."""
