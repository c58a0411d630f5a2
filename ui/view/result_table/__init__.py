"""Hold the one table of results on the page."""
