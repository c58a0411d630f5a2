"""Build an `Evaluation` from a table and its roles: encode labels, check scores."""
