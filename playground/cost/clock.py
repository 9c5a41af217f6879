"""The present, in one place, so that a test can hold it still."""

from datetime import UTC, datetime


def now() -> datetime:
    """Return the time of day, in UTC."""
    return datetime.now(UTC)
