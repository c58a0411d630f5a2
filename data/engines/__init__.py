"""Engines that count the rows of a source and find single rows: DuckDB out of core, and memory."""
