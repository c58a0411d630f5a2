"""Write how far raters agree: numbers, and the result for every renderer."""
