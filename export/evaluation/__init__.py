"""Results of one evaluation, for every renderer."""
