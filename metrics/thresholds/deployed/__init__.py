"""Effects of a threshold where the model will run: another share of positives, costs, limits, net benefit."""
