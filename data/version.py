"""Version of Blindspot, which stands in everything that leaves it."""

VERSION = "1.0.0"
