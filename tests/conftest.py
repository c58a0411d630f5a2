"""What all tests share: names that are the same in every process that collects them."""


def pytest_make_parametrize_id(config: object, val: object, argname: str) -> str | None:
    """Long bytes are named after their argument: what is packed holds the time, and processes compare the names."""
    return argname if isinstance(val, bytes) and len(val) > 20 else None
