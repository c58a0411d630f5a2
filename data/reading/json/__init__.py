"""JSON texts: strict values, streams of rows, layouts of records."""
