"""Set the largest sizes of what is exported, each with its reason."""

from __future__ import annotations

MAX_MATRIX_CLASSES = 2_000
"""Up to so many classes the matrix is written as a matrix; beyond, only its cells that hold rows are."""
MAX_PICTURED_CLASSES = 120
"""Classes with a row of their own; of more, those with the most errors, the rest as one row and column "other"."""
MAX_EMBEDDED_CLASSES = 300
"""Up to so many classes the numbers inside the report hold the whole matrix; more would outweigh the rest."""
MAX_LISTED_LABELS = 100
"""So many labels are listed in each list at most; how many more there are is said."""
MAX_LISTED_FACTS = 200  # lines about how the file was read
MAX_NAME_CHARS = 200  # of a label or another uploaded text
MAX_CELL_CHARS = 500
"""Characters of a cell at most; a cut cell ends in "…" and the note says so."""
