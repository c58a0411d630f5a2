"""The page Slices: parts of the rows against the rest, groups against each other, and one time against another."""
