"""Files or a stored draft to an `Evaluation`, and what a person corrects on the way."""
