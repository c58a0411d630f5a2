"""Compare: two to ten models on the same rows, and which of them is better, where and on which rows."""

from ui.compare import compare
from ui.frame import loaded

compare.explore(loaded.need_evaluation("This page compares models on the same rows: which is better, and where."))
