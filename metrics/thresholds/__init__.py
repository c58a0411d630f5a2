"""Score counts in, thresholds out: their rates, the choice of one, and its cross-validation."""
