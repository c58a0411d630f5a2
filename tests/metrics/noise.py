"""Scores that tell little, for tests of what is chosen on them."""

import numpy as np


def noise(n, seed, *, shift, digits=12):
    """Truth, three rows in ten positive, and normal scores, those of positives higher by `shift`."""
    random = np.random.default_rng(seed)
    y_true = random.random(n) < 0.3
    return y_true, (random.normal(size=n) + shift * y_true).round(digits)
