"""Handwritten digits (the set bundled with scikit-learn) and a modest classifier that was really trained.

Neighbouring lines of the 8 x 8 images are averaged before a logistic regression sees them: enough to be right
most of the time, not enough to tell every 8 from a 1. Half of the images train it, the other half is the file.
"""

from __future__ import annotations

import json

import numpy as np

SEED = 8


def coarse(images: np.ndarray) -> np.ndarray:
    """Return 8 x 8 images (n, 8, 8) of ink 0..16 as 4 lines of 8 mean inks 0..1, (n, 32)."""
    lines: np.ndarray = images.reshape(len(images), 4, 2, 8).mean(axis=2)
    return lines.reshape(len(images), 32) / 16


def make_rows() -> list[dict[str, object]]:
    """Make the test half: id (place in the set), ink (mean darkness, 0..1), label, predicted, p_0 to p_9, pixels."""
    from sklearn.datasets import load_digits
    from sklearn.linear_model import LogisticRegression

    digits = load_digits()
    order = np.random.default_rng(SEED).permutation(len(digits.target))
    half = len(order) // 2
    train, test = order[:half], np.sort(order[half:])
    features = coarse(digits.images)
    model = LogisticRegression(C=1.0, tol=1e-10, max_iter=5000).fit(features[train], digits.target[train])
    probability = model.predict_proba(features[test])
    return [
        {
            "id": int(i),
            "ink": float(digits.images[i].mean() / 16),
            "label": int(digits.target[i]),
            "predicted": int(p.argmax()),
            **{f"p_{k}": float(p[k]) for k in range(10)},
            "pixels": json.dumps([int(ink) for ink in digits.images[i].ravel()], separators=(",", ":")),
        }
        for i, p in zip(test, probability, strict=True)
    ]
