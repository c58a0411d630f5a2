"""Build an `Evaluation` from files or from a stored draft, with a person's corrections."""
