"""The page Thresholds: the lab, the choice of a threshold, the reject option, calibration."""
