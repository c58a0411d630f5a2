"""Numbers that bound what the metrics compute and tell; each says why it is so."""

from __future__ import annotations

TOO_FEW = 10
"""A metric over fewer rows, in a slice or in the rest, is not tested."""
