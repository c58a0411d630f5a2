"""Sources of this server that are joined by ids, so that their models can be compared."""
