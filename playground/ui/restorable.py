"""Fields whose values a link, a session file or a reload can restore.

A field registers itself where it is drawn: :func:`bound` for one that is in the URL, :func:`text`
and :func:`field` for others; the choices of :mod:`playground.ui.settings` do so by themselves. Each
gives its default, which is never stored, and a function that validates a value from outside. Such a
value is untrusted: it is pending until its field is drawn, and is dropped if no field has its key.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from dataclasses import field as fresh
from datetime import datetime
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from bpe.text.unicode import scalar_text

Valid = Callable[[Any], Any]
"""Makes the value of a field from JSON, or raises ValueError or TypeError."""

MOST_TEXT = 100_000
"""Characters of a restored text."""

SLIDER = "step "
"""Prefix of the keys of the sliders in pictures, whose positions the browser knows."""

_FIELDS = "restorable fields"


@dataclass
class _Fields:
    defaults: dict[str, Any] = fresh(default_factory=dict)
    """Of each field that was drawn in this session."""
    values: dict[str, Any] = fresh(default_factory=dict)
    """The values that Streamlit does not have under the key of their field."""
    here: "_Page" = fresh(default_factory=lambda: _Page())
    """The page as far as this run has drawn it."""
    whole: "_Page" = fresh(default_factory=lambda: _Page())
    """The page after the last whole run."""
    runs: int = 0
    deferred: bool = False
    """Whether the first run has deferred a change of the URL to the second."""
    pending: dict[str, Any] = fresh(default_factory=dict)
    """Untrusted values of fields that are yet to be drawn."""
    again: dict[str, Any] = fresh(default_factory=dict)
    """Values set in the first run, to be set in the second, too: only then does Streamlit write
    them into the URL."""


@dataclass
class _Page:
    fields: set[str] = fresh(default_factory=set)
    codes: list[str] = fresh(default_factory=list)
    files: list[str] = fresh(default_factory=list)


def _fields() -> _Fields:
    fields: _Fields = st.session_state.setdefault(_FIELDS, _Fields())
    return fields


# Runs


def begin() -> None:
    fields = _fields()
    fields.runs += 1
    fields.here = _Page()


def end() -> None:
    fields = _fields()
    fields.whole = fields.here


def after_back() -> bool:
    """Whether the browser's Back or Forward has led to this run."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def defer_to_next_run() -> bool:
    """Whether a change of the URL has to wait, as this is the first run of a session.

    Only afterwards does the browser know that such a change is no new page to go back from.
    """
    fields = _fields()
    if fields.runs != 1:
        return False
    fields.deferred = True
    return True


def another_run_is_needed() -> bool:
    fields = _fields()
    return fields.runs == 1 and (fields.deferred or bool(fields.again))


# Fields, as they are drawn


def field(key: str, default: Any, valid: Valid) -> dict[str, Any]:
    fields = _fields()
    fields.defaults[key] = default
    fields.here.fields.add(key)
    if key in fields.pending:
        try:
            value = valid(fields.pending.pop(key))
        except (ValueError, TypeError, OverflowError, LookupError, AttributeError):
            return {"key": key}
        st.session_state[key] = value
        if fields.runs == 1:
            fields.again[key] = value
    elif fields.runs > 1 and key in fields.again:
        value = fields.again.pop(key)
        if st.session_state.get(key) == value:
            st.session_state[key] = value
    return {"key": key}


def text(key: str, default: str = "", *, most: int = MOST_TEXT) -> dict[str, Any]:
    options = field(key, default, words(most))
    # The default, too: a browser that draws it late begins with that (see settings).
    return options | {"persist_state": "session", "value": st.session_state.get(key, default)}


def bound(key: str, default: Any, valid: Valid) -> dict[str, Any]:
    """Return the options of a restorable field that is in the URL."""
    return field(key, default, valid) | {"bind": "query-params"}


def choice(key: str, value: Any, default: Any) -> None:
    """Register a choice of :mod:`playground.ui.settings` with its value."""
    fields = _fields()
    fields.defaults[key], fields.values[key] = default, value
    fields.here.fields.add(key)


def value(key: str, default: Any, valid: Valid) -> Any:
    """Return a restorable value without a widget: the pending one, or that of the session."""
    field(key, default, valid)
    return st.session_state.setdefault(key, default)


def is_default(key: str, value: Any) -> bool:
    """Whether ``value`` is the default that the field of this key was last drawn with."""
    return bool(_fields().defaults.get(key) == value)


def pending(key: str) -> Any:
    """Return the pending value of a field that is yet to be drawn; ``None`` if there is none."""
    return _fields().pending.get(key)


def restored(key: str) -> None:
    _fields().pending.pop(key, None)


def uses(codes: Iterable[str]) -> None:
    _fields().here.codes.extend(codes)


def reads(files: Iterable[str]) -> None:
    """Register the uploaded files that the page shows by their names: no link carries them."""
    _fields().here.files.extend(files)


# Kinds of values


def words(most: int) -> Valid:
    def valid(given: Any) -> str:
        return scalar_text(given)[:most]

    return valid


def flag(given: Any) -> bool:
    if not isinstance(given, bool):
        raise TypeError("neither on nor off")
    return given


def whole(least: int, most: int, *, optional: bool = False) -> Valid:
    def valid(given: Any) -> int | None:
        if given is None and optional:
            return None
        if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:
            raise ValueError("no such number")
        return given

    return valid


def real(least: float, most: float, *, optional: bool = False) -> Valid:
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
    number = whole(least, most)

    def valid(given: Any) -> tuple[int, int]:
        start, end = map(number, given)
        if end < start:
            raise ValueError("the wrong way round")
        return start, end

    return valid


def moment(given: Any) -> datetime | None:
    if given is None:
        return None
    read = datetime.fromisoformat(given)
    if read.tzinfo is not None or not 1970 <= read.year <= 2100:
        raise ValueError("no such moment")
    return read


# All values, to be stored and restored


def restore(values: Mapping[str, Any], *, whole: bool = False) -> None:
    """Make values pending; ``whole`` resets all other fields to their defaults."""
    fields = _fields()
    if whole:
        fields.pending = {key: _as_json(default) for key, default in fields.defaults.items()}
    fields.pending.update(values)


def unclaimed() -> list[str]:
    """Return the keys of pending values that no field has read."""
    return list(_fields().pending)


def forget(keys: Iterable[str]) -> None:
    for key in keys:
        _fields().pending.pop(key, None)


def values(*, all_pages: bool) -> dict[str, Any]:
    """Return the values of the page's fields, or of all pages so far, as JSON values.

    Defaults are left out.
    """
    fields = _fields()
    page = fields.whole.fields | fields.here.fields
    found = dict(fields.pending) if all_pages else {}
    for key, default in fields.defaults.items():
        held = fields.values[key] if key in fields.values else st.session_state.get(key, default)
        if key not in fields.pending and (all_pages or key in page) and held != default:
            found[key] = _as_json(held)
    return found


def codes() -> list[str]:
    fields = _fields()
    return list(dict.fromkeys([*fields.whole.codes, *fields.here.codes]))


def files() -> list[str]:
    fields = _fields()
    return list(dict.fromkeys([*fields.whole.files, *fields.here.files]))


def _as_json(held: Any) -> Any:
    if isinstance(held, datetime):
        return held.isoformat()
    if isinstance(held, tuple | list):
        return list(held)
    return scalar_text(held) if isinstance(held, str) else held
