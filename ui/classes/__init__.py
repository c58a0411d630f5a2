"""The page Classes: the table, the three lists, one class from both sides."""
