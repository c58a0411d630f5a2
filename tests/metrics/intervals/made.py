"""Made-up predictions for the tests of intervals and comparisons."""

import numpy as np

from metrics import outcomes
from metrics.outcomes import Formula


def predictions(seed: int, n: int, k: int, right: float = 0.75, unread: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Truth and predictions of k classes of different sizes; some answers unread."""
    random = np.random.default_rng(seed)
    truth = random.choice(k, n, p=random.dirichlet(np.full(k, 4.0)))
    pred = np.where(random.random(n) < right, truth, random.integers(0, k, n))
    return truth, np.where(random.random(n) < unread, -2, pred)


def two_models(seed: int, n: int, k: int, right: tuple[float, float] = (0.75, 0.8)) -> tuple[np.ndarray, ...]:
    """Truth and the correlated predictions of two models: where both are wrong they often agree."""
    random = np.random.default_rng(seed)
    truth = random.choice(k, n, p=random.dirichlet(np.full(k, 4.0)))
    hard, wrong = random.random(n), (truth + random.integers(1, k, n)) % k
    found = []
    for share in right:
        own = np.where(random.random(n) < 0.7, hard, random.random(n))
        found.append(np.where(own < share, truth, np.where(random.random(n) < 0.6, wrong, random.integers(0, k, n))))
    return truth, *found


def sets(seed: int, n: int, k: int, noise: float = 0.15) -> tuple[np.ndarray, np.ndarray]:
    """True and predicted label sets, bool (n, k)."""
    random = np.random.default_rng(seed)
    truth = random.random((n, k)) < random.uniform(0.1, 0.6, k)
    return truth, truth ^ (random.random((n, k)) < noise)


FORMULAS: dict[str, Formula] = {
    "precision": outcomes.PRECISION,
    "recall": outcomes.RECALL,
    "f1": outcomes.F1,
    "jaccard": outcomes.JACCARD,
    "specificity": outcomes.SPECIFICITY,
    "accuracy": outcomes.ACCURACY,
    "predicted share": outcomes.PREDICTED_SHARE,
    "false positive rate": outcomes.FALSE_POSITIVE_RATE,
    "negative predictive value": outcomes.NEGATIVE_PREDICTIVE_VALUE,
    "Youden's J": outcomes.YOUDEN_J,
    "MCC": outcomes.CORRELATION,
    "G-mean": outcomes.GEOMETRIC_MEAN,
    "LR+": outcomes.POSITIVE_LIKELIHOOD_RATIO,
    "LR-": outcomes.NEGATIVE_LIKELIHOOD_RATIO,
    "F0.5": outcomes.f_beta(0.5),
    "F2": outcomes.f_beta(2.0),
    "cost": outcomes.expected_cost(1.0, 5.0),
    "net benefit": outcomes.net_benefit(0.2),
}
"""Numbers of one class, each with its slopes."""
