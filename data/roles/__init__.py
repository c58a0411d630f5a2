"""Which column is the truth, the prediction, a score, an id: found from names and values."""
