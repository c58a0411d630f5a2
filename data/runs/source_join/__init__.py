"""Sources of several models, counted each by itself, as the sides of a join by ids."""
