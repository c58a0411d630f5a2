"""Set the largest sizes and times of the pages, each with its reason."""

from __future__ import annotations

MAX_TEXT_CHARS = 500_000
"""Characters that may be typed or pasted into a box; the server takes a page's whole state up to 4 MB."""
MAX_INTERVAL_SCORES = 5_000_000  # that are gone through for the interval of a mean over classes
MAX_STORED_CHARS = 400_000  # of one entry of the browser's storage
MAX_STORED_ENTRIES = 1000  # that are taken from a browser
MAX_MARKS = 10_000  # rows of a file
MAX_MARK_NOTE_CHARS = 2_000
MAX_SOURCE_CELL_CHARS = 300  # of a row that an engine found
MAX_KEPT_KEY_CHARS = 200  # of an owner key in the browser's storage
MAX_REVIEW_STEPS = 50
MAX_STEP_NOTE_CHARS = 1000
MAX_GROUP_CHARS = 6000  # that a link can carry of one parameter
LENS_LABEL_CHARS = 18  # of a label in a lens of Overview
SHOWN_CLASSES = 5  # with the most rows; the smallest stands below them
MAX_OPEN_FILES = 8  # evaluations that are remembered; of more, the one that was opened first is left out
MAX_CHANGED_CLASSES = 1000  # that are listed
MAX_PICTURED_CLASSES = 150  # of the difference of two matrices; of more, those that changed most are drawn
MAX_JOIN_COLUMNS = 30  # that are offered for joining and for showing
CONTESTED_TEXT_CHARS = 90  # of a row in the list of contested rows
MAX_GRID_VALUES = 40  # of a column of a drawn grid of slices
PROGRESS_AFTER_SECONDS = 0.5  # work that takes longer shows how far it is
MAX_PARSER_UPLOAD_MB = 1
