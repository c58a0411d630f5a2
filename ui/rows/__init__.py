"""The rows behind a number: list, open row, marks, filters, near-duplicates, exports."""
