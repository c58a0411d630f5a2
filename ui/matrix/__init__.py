"""The page Confusion: the matrix, its controls, what stands out in it."""
