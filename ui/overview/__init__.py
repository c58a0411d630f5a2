"""The page Overview: lenses, findings, epochs."""
