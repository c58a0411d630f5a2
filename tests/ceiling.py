"""Say how long a test waits at most for what has to come: a ceiling for a fault, not a measure of a machine."""

CEILING_SECONDS = 180
