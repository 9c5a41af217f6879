"""What of a page comes back: by a link, by a session file, or after a reload.

A field that comes back says so where it is drawn: :func:`bound` for one that is in the URL,
:func:`text` and :func:`field` for others; the choices of :mod:`playground.ui.settings` do so by
themselves. Each says what it holds without a reader, which nobody needs to be told, and how to
read a value that was brought. Such a value is not trusted: it waits until its field is drawn, and
what no field asks for is never used.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from dataclasses import field as fresh
from datetime import datetime
from typing import Any

import streamlit as st

from bpe.text.unicode import scalar_text

Valid = Callable[[Any], Any]
"""Makes the value of a field from JSON, or raises ValueError or TypeError."""

MOST_TEXT = 100_000
"""Characters of a text that is brought."""

_KEPT = "fields that come back"


@dataclass
class _Kept:
    """What a session knows of its fields."""

    defaults: dict[str, Any] = fresh(default_factory=dict)
    """Of each field that was drawn in this session."""
    values: dict[str, Any] = fresh(default_factory=dict)
    """The values that are not in the session under the key of their field."""
    here: "_Page" = fresh(default_factory=lambda: _Page())
    """The page as far as this run has come."""
    whole: "_Page" = fresh(default_factory=lambda: _Page())
    """The page as the last whole run has left it."""
    runs: int = 0
    left: bool = False
    """Whether the first run has left something to the second."""
    brought: dict[str, Any] = fresh(default_factory=dict)
    again: dict[str, Any] = fresh(default_factory=dict)
    """Values set in the first run, to be set in the second, too: only then does Streamlit write
    them into the URL."""


@dataclass
class _Page:
    fields: set[str] = fresh(default_factory=set)
    codes: list[str] = fresh(default_factory=list)
    files: list[str] = fresh(default_factory=list)


def _kept() -> _Kept:
    kept: _Kept = st.session_state.setdefault(_KEPT, _Kept())
    return kept


# Runs


def begin() -> None:
    """Begin a run of a whole page."""
    kept = _kept()
    kept.runs += 1
    kept.here = _Page()


def end() -> None:
    """End a run of a whole page."""
    kept = _kept()
    kept.whole = kept.here


def leave_to_the_next_run() -> bool:
    """Whether a change of the URL has to wait, as this is the first run of a session.

    Only afterwards does the browser know that such a change is no new page to go back from.
    """
    kept = _kept()
    if kept.runs != 1:
        return False
    kept.left = True
    return True


def another_run_is_needed() -> bool:
    """Whether the first run has left something to the second."""
    kept = _kept()
    return kept.runs == 1 and (kept.left or bool(kept.again))


# Fields, as they are drawn


def field(key: str, default: Any, valid: Valid) -> dict[str, Any]:
    """Return the options of a field that comes back."""
    kept = _kept()
    kept.defaults[key] = default
    kept.here.fields.add(key)
    if key in kept.brought:
        try:
            value = valid(kept.brought.pop(key))
        except (ValueError, TypeError, OverflowError):
            return {"key": key}
        st.session_state[key] = value
        if kept.runs == 1:
            kept.again[key] = value
    elif kept.runs > 1 and key in kept.again:
        value = kept.again.pop(key)
        if st.session_state.get(key) == value:
            st.session_state[key] = value
    return {"key": key}


def text(key: str, default: str = "", *, most: int = MOST_TEXT) -> dict[str, Any]:
    """Return the options of a text field, which is kept for the session and comes back."""
    options = field(key, default, words(most))
    # The default, too: a browser that draws it late begins with that (see settings).
    return options | {"persist_state": "session", "value": st.session_state.get(key, default)}


def bound(key: str, default: Any, valid: Valid) -> dict[str, Any]:
    """Return the options of a field that is in the URL and comes back."""
    return field(key, default, valid) | {"bind": "query-params"}


def choice(key: str, value: Any, default: Any) -> None:
    """Note what a choice of :mod:`playground.ui.settings` is."""
    kept = _kept()
    kept.defaults[key], kept.values[key] = default, value
    kept.here.fields.add(key)


def value(key: str, default: Any, valid: Valid) -> Any:
    """Return a value that has no field: what was brought for it, or what it is in the session."""
    field(key, default, valid)
    return st.session_state.setdefault(key, default)


def waiting(key: str) -> Any:
    """Return what was brought for a field that is yet to be drawn; ``None`` where nothing was."""
    return _kept().brought.get(key)


def taken(key: str) -> None:
    """Say that a field has what was brought for it."""
    _kept().brought.pop(key, None)


def uses(codes: Iterable[str]) -> None:
    """Note which tokenizers the page shows."""
    _kept().here.codes.extend(codes)


def reads(files: Iterable[str]) -> None:
    """Note which uploaded files the page shows, by their names: no link carries them."""
    _kept().here.files.extend(files)


# Kinds of values


def words(most: int) -> Valid:
    """Return the reading of a text of so many characters at most."""

    def valid(given: Any) -> str:
        return scalar_text(given)[:most]

    return valid


def flag(given: Any) -> bool:
    """Read a switch."""
    if not isinstance(given, bool):
        raise TypeError("neither on nor off")
    return given


def whole(least: int, most: int, *, optional: bool = False) -> Valid:
    """Return the reading of a whole number between two, or of none."""

    def valid(given: Any) -> int | None:
        if given is None and optional:
            return None
        if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:
            raise ValueError("no such number")
        return given

    return valid


def real(least: float, most: float, *, optional: bool = False) -> Valid:
    """Return the reading of a number between two, or of none."""

    def valid(given: Any) -> float | None:
        if given is None and optional:
            return None
        if isinstance(given, bool) or not isinstance(given, int | float):
            raise TypeError("no number")
        number = float(given)
        if not math.isfinite(number) or not least <= number <= most:
            raise ValueError("no such number")
        return number

    return valid


def span(least: int, most: int) -> Valid:
    """Return the reading of two numbers, the smaller one first."""
    number = whole(least, most)

    def valid(given: Any) -> tuple[int, int]:
        start, end = map(number, given)
        if end < start:
            raise ValueError("the wrong way round")
        return start, end

    return valid


def moment(given: Any) -> datetime | None:
    """Read a day with its time."""
    if given is None:
        return None
    read = datetime.fromisoformat(given)
    if read.tzinfo is not None or not 1970 <= read.year <= 2100:
        raise ValueError("no such moment")
    return read


# What there is, and what was brought


def brought(values: Mapping[str, Any], *, whole: bool = False) -> None:
    """Take values that wait for their fields; as a ``whole``, the other fields begin anew."""
    kept = _kept()
    if whole:
        kept.brought = {key: _as_json(default) for key, default in kept.defaults.items()}
    kept.brought.update(values)


def left_over() -> list[str]:
    """Return the keys of what was brought and no field has asked for."""
    return list(_kept().brought)


def forget(keys: Iterable[str]) -> None:
    """Drop what was brought and nobody asks for."""
    for key in keys:
        _kept().brought.pop(key, None)


def values(*, all_pages: bool) -> dict[str, Any]:
    """Return what the fields of the page hold, or those of all pages so far, as JSON values.

    What they hold without a reader is left out.
    """
    kept = _kept()
    page = kept.whole.fields | kept.here.fields
    found = dict(kept.brought) if all_pages else {}
    for key, default in kept.defaults.items():
        held = kept.values[key] if key in kept.values else st.session_state.get(key, default)
        if key not in kept.brought and (all_pages or key in page) and held != default:
            found[key] = _as_json(held)
    return found


def codes() -> list[str]:
    """Return the tokenizers that the page shows."""
    kept = _kept()
    return list(dict.fromkeys([*kept.whole.codes, *kept.here.codes]))


def files() -> list[str]:
    """Return the names of the uploaded files that the page shows."""
    kept = _kept()
    return list(dict.fromkeys([*kept.whole.files, *kept.here.files]))


def _as_json(held: Any) -> Any:
    if isinstance(held, datetime):
        return held.isoformat()
    if isinstance(held, tuple | list):
        return list(held)
    return scalar_text(held) if isinstance(held, str) else held
