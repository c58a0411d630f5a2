"""Find the roles of columns: truth, prediction, score, id, by names and values."""
