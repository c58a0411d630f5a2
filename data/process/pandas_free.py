"""Keep Arrow from importing pandas: it asks pandas and dateutil about Python values, and they take half a second."""

from __future__ import annotations

import sys


class _WithoutPandas:
    """Finds neither pandas nor dateutil, and leaves everything else to others."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Say that the two are not there."""
        if name in ("pandas", "dateutil"):
            raise ModuleNotFoundError(name)


_FINDER = _WithoutPandas()


def hide_pandas() -> None:
    """Hide pandas from everything in this process."""
    sys.meta_path.insert(0, _FINDER)


def hide_pandas_from_arrow() -> None:
    """Hide pandas from Arrow alone, which looks for it once: when it converts its first value."""
    hide_pandas()
    import pyarrow as pa

    pa.scalar(0)
    sys.meta_path.remove(_FINDER)
