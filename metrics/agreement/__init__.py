"""Ratings of several raters in, coefficients of agreement with intervals out."""
