"""One test over many small values: to list and report each by itself would take longer than it."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any


def each(values: Iterable[Any], name: Callable[[Any], str] = str) -> Callable[..., Any]:
    """Make a test of a check, which is called with each value; what fails names the value."""

    def over_all(check: Callable[[Any], None]) -> Callable[[], None]:
        @wraps(check)
        def test() -> None:
            for value in values:
                try:
                    check(value)
                except AssertionError as error:
                    error.add_note(f"where it is {name(value)}")
                    raise

        test.__signature__ = inspect.Signature()  # type: ignore[attr-defined]
        return test

    return over_all
