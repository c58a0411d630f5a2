"""Which version of Blindspot this is: it stands in everything that leaves the house."""

VERSION = "1.0.0"
