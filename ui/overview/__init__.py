"""The page Overview: tiles, findings, lenses."""
