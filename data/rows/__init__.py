"""The rows behind a number: selected, ordered, shown as a table, exported."""
