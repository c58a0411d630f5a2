"""Score counts in, curves, areas, intervals and calibration out."""
