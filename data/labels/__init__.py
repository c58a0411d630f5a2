"""Labels as codes: spelling, sets in a cell, look-alikes, merges, the positive class."""
