"""The page Agreement: raters, coefficients, a judge, contested units."""
