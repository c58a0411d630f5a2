"""Read uploaded bytes into one table of text and numbers, in a child process with limits."""
