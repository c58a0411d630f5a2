"""A screening programme in which 1 person in 100 is ill, with one model that helps and one that always says no.

The cohort is synthetic. Both models are logistic regressions fitted to a training cohort of their own:
one on what the examination measured, one on nothing but the weekday of the appointment.
"""

from __future__ import annotations

import numpy as np

SEED = 1
N_HEALTHY, N_CANCER = 9_900, 100
SITES = ("north", "south", "harbour", "mobile unit")
AGE_BANDS = ((50, "under 50"), (60, "50-59"), (70, "60-69"), (200, "70 and over"))
DENSITIES = ("a", "b", "c", "d")

Cohort = dict[str, np.ndarray]


def cohort(rng: np.random.Generator, n_healthy: int, n_cancer: int) -> Cohort:
    """Draw people in random order: cancer (bool), age, density 0..3, site 0..3, weekday 0..4, marker, shadow."""
    cancer = rng.permutation(np.repeat([False, True], [n_healthy, n_cancer]))
    n = len(cancer)
    site = rng.choice(4, size=n, p=[0.4, 0.3, 0.2, 0.1])
    noise = np.where(site == 3, 2.0, 1.0)  # the mobile unit has the old device: its images say less
    return {
        "cancer": cancer,
        "age": np.clip(rng.normal(57, 8, n) + 4 * cancer, 40, 79),
        "density": rng.choice(4, size=n, p=[0.15, 0.4, 0.35, 0.1]),
        "site": site,
        "weekday": rng.integers(0, 5, n),
        "marker": rng.normal(0, 1, n) + 1.2 * cancer,
        "shadow": rng.normal(0, 1, n) * noise + 1.8 * cancer,
    }


def build_features(people: Cohort) -> np.ndarray:
    """Return the features of the useful model, (n, 4)."""
    return np.column_stack([(people["age"] - 57) / 8, people["density"], people["marker"], people["shadow"]])


def weekdays(people: Cohort) -> np.ndarray:
    """Return the only feature of the model that always says no, one-hot, (n, 5)."""
    return np.eye(5)[people["weekday"]]


def make_rows() -> list[dict[str, object]]:
    """Make 10,000 people: id, age_band, site, density, truth, p_cancer, p_cancer_always_no."""
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(SEED)
    train, people = cohort(rng, 4 * N_HEALTHY, 4 * N_CANCER), cohort(rng, N_HEALTHY, N_CANCER)
    useful, always_no = (
        LogisticRegression(tol=1e-10, max_iter=2000)
        .fit(features(train), train["cancer"])
        .predict_proba(features(people))[:, 1]
        for features in (build_features, weekdays)
    )
    return [
        {
            "id": f"p{i + 1:05d}",
            "age_band": next(name for upper, name in AGE_BANDS if people["age"][i] < upper),
            "site": SITES[people["site"][i]],
            "density": DENSITIES[people["density"][i]],
            "truth": "cancer" if people["cancer"][i] else "healthy",
            "p_cancer": float(useful[i]),
            "p_cancer_always_no": float(always_no[i]),
        }
        for i in range(len(useful))
    ]
