"""The former name of :mod:`playground.ui.state`, until Cost has followed."""

from typing import Any

from playground.ui.state import (
    MOST_TEXT,
    Field,
    Valid,
    defer_to_next_run,
    flag,
    moment,
    reads,
    real,
    restore,
    span,
    uses,
    whole,
    words,
)

__all__ = [
    "defer_to_next_run",
    "flag",
    "moment",
    "reads",
    "real",
    "restore",
    "span",
    "uses",
    "whole",
    "words",
]


def field(key: str, default: Any, valid: Valid) -> dict[str, Any]:
    return Field(key, default, valid).unbound()


def text(key: str, default: str = "", *, most: int = MOST_TEXT) -> dict[str, Any]:
    return Field(key, default, words(most)).text()


def bound(key: str, default: Any, valid: Valid) -> dict[str, Any]:
    return Field(key, default, valid).bound()


def pending(key: str) -> Any:
    return Field(key, None).pending
