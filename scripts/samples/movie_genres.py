"""Made-up film plots with none, one or several genres, and a really trained model that answers with logits.

One logistic regression a genre on word counts; its decision function is the logit of that genre. Some of the
genres of a plot leave no trace in its words, and some sentences belong to no genre, as in real catalogues.
"""

from __future__ import annotations

import numpy as np

from scripts.samples.made_text import misspell, pick, read_phrases

SEED = 24
N_TRAIN, N_TEST = 1500, 2000
HOW_OFTEN = {
    "action": 0.17,
    "comedy": 0.24,
    "crime": 0.14,
    "documentary": 0.05,
    "drama": 0.34,
    "family": 0.08,
    "horror": 0.10,
    "romance": 0.16,
    "science_fiction": 0.09,
    "thriller": 0.20,
}
"""Share of the films that have each genre, before some without any become dramas."""
P_SILENT = 0.18  # a genre that the plot does not show
P_ASTRAY = 0.12  # a sentence of a genre that the film does not have
P_NO_GENRE = 0.35  # a film that drew no genre stays without one; the others are called drama
MOST = 4

Film = tuple[str, frozenset[str]]


def draw_film(rng: np.random.Generator, pieces: dict[str, list[str]]) -> Film:
    """Draw (plot, genres) of one film."""
    drawn = [genre for genre, share in HOW_OFTEN.items() if rng.random() < share]
    if not drawn and rng.random() > P_NO_GENRE:
        drawn = ["drama"]
    genres = [drawn[i] for i in np.sort(rng.permutation(len(drawn))[:MOST])]
    parts = [pick(rng, pieces["common"]), pick(rng, pieces["common"])]
    parts += [pick(rng, pieces[genre]) for genre in genres if rng.random() > P_SILENT]
    if rng.random() < P_ASTRAY:
        parts.append(pick(rng, pieces[pick(rng, list(HOW_OFTEN))]))
    sentences = [parts[i][0].upper() + parts[i][1:] + "." for i in rng.permutation(len(parts))]
    plot = " ".join(sentences)
    return (misspell(rng, plot) if rng.random() < 0.3 else plot), frozenset(genres)


def make_rows() -> list[dict[str, object]]:
    """Make 2,000 films: id, plot, labels (joined by |, empty = no genre), logit_<genre> for the ten genres."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(SEED)
    pieces = read_phrases("genres.txt")
    films = [draw_film(rng, pieces) for _ in range(N_TRAIN + N_TEST)]
    train, test = films[:N_TRAIN], films[N_TRAIN:]
    words = CountVectorizer(token_pattern=r"[^\W\d_]{3,}", min_df=5)
    known, asked = (words.fit_transform([plot for plot, _ in train]), words.transform([plot for plot, _ in test]))
    logits = {
        genre: LogisticRegression(C=0.1, tol=1e-10, max_iter=2000)
        .fit(known, [genre in genres for _, genres in train])
        .decision_function(asked)
        for genre in HOW_OFTEN
    }
    return [
        {
            "id": f"f{i + 1:04d}",
            "plot": plot,
            "labels": "|".join(sorted(genres)),
            **{f"logit_{genre}": float(logits[genre][i]) for genre in HOW_OFTEN},
        }
        for i, (plot, genres) in enumerate(test)
    ]
