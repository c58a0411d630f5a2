"""Two tables to one: key columns, matching, long form, confusion matrix files."""
