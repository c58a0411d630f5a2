"""A parser as a value: its rules, their kinds, the patterns a person may write."""
