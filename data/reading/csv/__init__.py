"""Delimited text: encoding, layout, header, comments, extra rows."""
