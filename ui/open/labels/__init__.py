"""Labels of the file in view: those that look alike, and names for those that are numbers."""
