"""The page Compare: two to ten runs on the same rows."""
