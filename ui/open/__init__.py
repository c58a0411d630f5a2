"""The page Open: upload, join, roles, corrections."""
