"""Write what slices of the rows show: their metrics, the search over columns, drift."""
