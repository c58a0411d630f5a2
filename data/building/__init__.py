"""A table with its roles to an `Evaluation`: encoded labels, checked scores."""
