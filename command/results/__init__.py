"""The results of a command: those of parts of the rows, and the formats in which all are printed."""
