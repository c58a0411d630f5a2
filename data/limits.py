"""Set the largest sizes, counts and times that data allows, each with its reason.

What whoever runs the server may change stands in `data.environment`; `data.process.limits` makes the limits of one
upload of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic

# -- files and tables that are read -----------------------------------------------------------------

COLUMN_NAME_CHARS = 1_000
"""Longest column name: anything beyond is a table without a header, or no table at all."""
FILE_NAME_CHARS = 255  # of an uploaded file; the end of a longer name is kept
QUEUE_SECONDS = 60.0  # that an upload waits while others are read
MAX_CHILD_ANSWER_BYTES = 32 << 20  # that the limited process may answer
MAX_CHILD_WAIT_SECONDS = 1_200  # of a child that was started ahead; it is given a job in the first half
MAX_CHILD_LOG_BYTES = 8 << 10  # of its traceback that are logged
FILE_HEAD_BYTES = 4096  # that say which format a file has
MAX_ZIP_MEMBERS = 200_000
PARQUET_FOOTER_BYTES = 64 << 20
PARQUET_SCHEMA_DEPTH = 200
SHEET_PART_BYTES = 16 << 20  # of a part of a workbook that is read whole
SHEET_TITLE_ROWS = 20  # above the header of a sheet
MAX_TITLE_LINES = 100  # above the header of a text file
MAX_LETTER_RUNS = 20_000  # that are looked at to tell encodings apart
LONGEST_LETTER_RUN = 3  # more accented letters in a row are another alphabet
MAX_CLOSING_ROWS = 4  # that may be totals, or other figures
FEWEST_ROWS_ABOVE_CLOSING = 10  # that show what a row looks like
PREVIEWED_LINES = 12  # of a file that may be split in another way
PREVIEWED_ROWS = 1_000  # by which the columns of a preview get their roles
PREVIEWED_RECORDS = 300_000  # that a preview counts
LAYOUT_SAMPLE_BYTES = 1 << 20  # from which delimiter and header are found
LAYOUT_SAMPLE_ROWS = 1_000
STRICT_HEAD_ROWS = 1_000  # that show whether every row has one value more than the header
COMMENT_HEAD_ROWS = 100  # below comments, to find the header
COUNT_ROWS_FIRST_BYTES = 64 << 20  # from which lines are counted before they are read
CSV_BLOCK_BYTES = 1 << 20  # that are parsed at once
MAX_MATRIX_CELLS = 4_000_000  # of a table in which totals are looked for
LINES_AFTER_OPEN_MARK = 50  # that show whether a quotation mark that is never closed swallows rows
SHOWN_LINE_CHARS = 200  # of a row that cannot be read, and of its neighbours
CORRECTED_LINE_CHARS = 4_000  # of the first row that cannot be read, to be corrected
SHOWN_LINES = 4  # of a row of many lines
SHOWN_CELLS = 20  # of a row as it splits
SHOWN_ROWS = 12  # that cannot be read, with their neighbours; of others only the line is said
MAX_JSON_DIGITS = 400  # of one number
MAX_LISTED_LABELS = 5_000  # in cells that are lists
MAX_LISTED_NUMBERS = 50_000_000  # a sparse vector names its length: a few bytes must not become gigabytes
MAX_LIST_LENGTH = 5_000  # of one cell, each place a column
RUN_RECORD_BYTES = 1 << 20  # of the footer in which `cli.py run` describes a run
LONGEST_PROMPT_NAME = 80  # characters of a prompt that name its column
MAX_CHILD_REQUEST_BYTES = 1 << 20  # that the limited process is asked
TRIED_TABLE_ROWS = 300  # in which a table below a title, or a delimiter, is looked for

# -- sources and engines ----------------------------------------------------------------------------

MAX_SOURCE_FILES = 20_000  # whose footers are read
LARGEST_IN_MEMORY_BYTES = 256 << 20  # of a source that is counted in memory where nobody says which engine
SOURCE_SAMPLE_ROWS = 20_000  # by which the columns of a source get their roles
MAX_SOURCE_NAME = 80  # characters
SOURCE_QUERIES_AT_ONCE = 2  # of all visitors; others wait
MAX_ROW_CONDITIONS = 50_000  # combinations of labels whose rows are asked for at once
MAX_MARKED_CELLS = 1_000  # lists written as text that hold a label
MAX_SOURCE_COLUMNS = 10_000
MAX_COUNT_LINES = 2_000_000  # of a table of counts
MAX_CLASS_SCORES = 2_000_000  # different scores, or bins, of all classes together
MAX_COUNT_CELLS = 100_000_000  # of its columns of labels and slices: 400 MB
MIN_ENGINE_BYTES = 64 * 10**6  # of memory for DuckDB
MIN_SPARK_BYTES = 512 << 20  # below it Spark does not start
DATABASE_SECONDS = 60.0  # that opening a database file, or drawing the sample of its table, may take
SPARK_CONNECT_SECONDS = 5.0  # to wait for a Spark Connect server
MAX_KEPT_SOURCES = 8  # counts of sources in memory

# -- columns and joins that are tried ---------------------------------------------------------------

COLUMN_SAMPLE_ROWS = 5_000  # by which a column is judged
COMPARED_NAME_CHARS = 250
"""Of longer names nothing is kept, and none is compared letter by letter: they are rare and cost memory and time."""
AFFIX_CHARS = 32
"""More than an affix at the end of a name can have."""
MAX_COUNTED_ROWS = 2**53
"""Rows of a file in all; beyond it float64, in which shares are worked out, no longer holds every whole number."""
MAX_RUNS = 100  # values of a column that tells runs apart
MAX_COMPARED_COLUMNS = 100  # with one column, to guess which is its partner
MAX_TRIED_TRUTHS = 20  # columns whose labels may have score columns
MAX_COMPARED_LABELS = 10_000_000  # labels, over all pairs of columns; with more, a person says which is the truth
MAX_TRIED_KEYS = 40  # pairs of columns that are joined on, to try
MAX_LONG_FORM_COLUMNS = 12
MAX_LONG_FORM_LABELS = 20_000  # more than can be shown, so that a file of too many hears of it
MAX_PIVOT_CELLS = 50_000_000
"""Scores that a pivoted table may hold: 400 MB."""
LONG_LABEL_CHARS = 256
"""Longer labels are taken, with a warning."""
MAX_UNMATCHED_NAMES = 200  # of columns that are compared with labels letter by letter
MAX_LISTED_MERGES = 40
"""Candidates that are described, at most."""
MAX_REBUILT_MERGES = 12
"""Candidates that are tried one by one where merging also changes how predictions are made."""
MAX_REBUILT_ROWS = 1_000_000  # in all the tries; a label costs as much as 100 rows
TOLERANCE = 1e-6
"""Probabilities may leave 0 to 1 by this much: a softmax of 32-bit numbers overshoots 1 by about 1e-7."""

# -- parsers and answers ----------------------------------------------------------------------------

MAX_PATTERN_CHARS = 300
MAX_RULES = 50
MAX_RULE_PAIRS = 2_000
MAX_RULE_VALUES = 100
MAX_RULE_CHARS = 500
MAX_PARSER_NAME_CHARS = 100
MAX_PARSER_LABELS = 5_000
MAX_PARSER_LABEL_CHARS = 4_500
MAX_PARSER_BYTES = 256 << 10  # of a parser file
REGEX_SECONDS = 5.0
"""Seconds of one pattern for all answers; one that takes longer is refused."""
MAX_JSON_ANSWER_BYTES = 20_000
"""Longer objects are not read."""
MAX_JSON_ANSWER_DEPTH = 100
MAX_JSON_ANSWER_FIELDS = 500
MAX_SUGGESTIONS = 8
MAX_SUGGESTED_MARKERS = 4
MAX_SUGGESTED_FIELDS = 3
MAX_SUGGESTED_ALIASES = 20
MAX_PARSED_TABLES = 32  # of parsed answers that are kept, to change a rule without reading all again
PARSED_TABLES_BYTES = 192 << 20  # of these, in all
PARSED_TABLE_BYTES = 96 << 20  # of one
SUGGESTION_SAMPLE = 1_500
"""Different answers on which a change is tried first."""

# -- slices -----------------------------------------------------------------------------------------

MAX_SLICES = 10_000  # of one column, or of several that are crossed
MAX_FILTERS = 20  # conditions of one filter
MAX_OTHER_RUNS = 9  # that are compared with the first
MAX_COMPARED_RUNS = MAX_OTHER_RUNS + 1
MAX_UNCUT_NUMBERS = 20  # a column with more different numbers is cut into quantile bins
MAX_SOURCE_DAYS = 4_000  # of a column of dates by which a source is split
MAX_LISTED_COLUMNS = 9  # of predictions that are offered for a comparison
MAX_PAIR_NAMES = 12  # values of a column that may name the sides of pairs
MAX_SLICE_VALUES = 200  # of a column whose values are slices

# -- rows and what is searched in them --------------------------------------------------------------

MAX_COMPARED_TEXTS = 50_000
MAX_COMPARED_CHARS = 20_000_000
"""Texts, and characters in them, that are compared with each other; seconds grow with the characters."""
MAX_COMPARISONS = 400_000_000
"""Pairs that rare pieces may bring together, counted for each piece; more, and fewer texts are compared."""
MADE_FILE_SECONDS = 15 * 60  # for which a file that was made for download is kept
MAX_MADE_FILES = 8

# -- stored records, links and keys -----------------------------------------------------------------

MAX_DRAFT_BYTES = 16 << 20  # of a draft, unpacked
MAX_RECORD_BYTES = 64 << 10  # of a stored link, key or step
MAX_TITLE_CHARS = 120
"""Characters of the title of a link, and of a step of a review."""
GRACE_SECONDS = 86_400.0
"""Youngest age of a swept file: a younger one may soon be in a link."""
LATE_SECONDS = 3_600.0
"""No saving or extending takes longer, and no two clocks are further apart."""
REMEMBERED_SECONDS = 5.0
"""For how long a link that was read is not asked for again: a page looks its link up several times."""
MAX_REMEMBERED = 1_000
STORE_CONNECT_SECONDS = 3  # of an object store
STORE_ANSWER_SECONDS = 20
YOUNG_SECONDS = 43_200.0  # half of a sweep's waiting time: a younger file need not be written again
MAX_KEY_DAYS = 366
MAX_KEYS = 50  # of one person
KEY_NAME_CHARS = 80
MAX_COUNTED_PEOPLE = 100_000  # whose requests are counted for the quota

# -- the time that work in this process may take -----------------------------------------------------

_limit: ContextVar[tuple[float, Exception | None]] = ContextVar("limit", default=(float("inf"), None))


@contextmanager
def time_limit(seconds: float, error: Exception) -> Iterator[None]:
    """Have `check_time` raise an error from so many seconds from now on."""
    token = _limit.set((monotonic() + seconds, error))
    try:
        yield
    finally:
        _limit.reset(token)


def check_time() -> None:
    """Raise the error of the innermost `time_limit` once its time is over; called often."""
    end, error = _limit.get()
    if error is not None and monotonic() > end:
        raise error
