"""Join two tables into one: key columns, matching, long form, confusion matrix files."""
