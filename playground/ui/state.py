"""The state of a session: a :class:`Field` for each value, and no other way to it from the pages.

A field that is drawn on a page registers itself, and a link, a session file or a reload can restore
it: :meth:`Field.bound` for one that is in the URL, :meth:`Field.text` and :meth:`Field.unbound` for
others; choices (:mod:`playground.ui.fields`) do so by themselves. A value from outside is not
trusted: it is pending until its field is drawn, passes through ``valid``, and is dropped if no
field has its key. Defaults are never stored.

What is wrong with a link is said at the top of the page: :func:`say`.
"""

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from dataclasses import field as fresh
from datetime import datetime
from typing import Any, Generic, TypeVar

import streamlit as st

from bpe.text.unicode import scalar_text
from playground.ui.i18n import _, names_joined, plain

Value = TypeVar("Value")
Valid = Callable[[Any], Any]
"""Makes the value of a field from JSON, or raises ValueError or TypeError."""

MOST_TEXT = 100_000
"""Characters of a restored text."""

SLIDER = "step "
"""Prefix of the keys of the sliders in pictures, whose positions the browser knows."""

_RENAMED = {"cost_zh": "compare_zh", "cost_en": "compare_en"}
"""Fields of earlier versions by their key, and what they are called now."""

_NOT_OURS = ("utm_", "embed")
"""How parameters begin that others put into links."""
_CARRIED = "s"
"""The parameter that is read before any page."""


@dataclass
class _Page:
    fields: set[str] = fresh(default_factory=set)
    codes: list[str] = fresh(default_factory=list)
    files: list[str] = fresh(default_factory=list)


@dataclass
class _Session:
    defaults: dict[str, Any] = fresh(default_factory=dict)
    """Of each field that was drawn in this session."""
    choices: dict[str, Any] = fresh(default_factory=dict)
    """The codes that were chosen last; Streamlit forgets those of a page that was left."""
    labels: dict[str, Any] = fresh(default_factory=dict)
    """The options that a choice was last drawn with."""
    unknown: dict[str, tuple[tuple[str, ...], Any]] = fresh(default_factory=dict)
    """The codes of a link that are not here, and what was chosen then."""
    here: _Page = fresh(default_factory=_Page)
    """The page as far as this run has drawn it."""
    whole: _Page = fresh(default_factory=_Page)
    """The page after the last whole run."""
    runs: int = 0
    deferred: bool = False
    """Whether the first run has deferred a change of the URL to the second."""
    pending: dict[str, Any] = fresh(default_factory=dict)
    """Untrusted values of fields that are yet to be drawn."""
    again: dict[str, Any] = fresh(default_factory=dict)
    """Values set in the first run, to be set in the second, too: only then does Streamlit write
    them into the URL."""
    notices: Any = None
    """The place for what is wrong with the link, while a page is drawn."""
    said: dict[str, Any] = fresh(default_factory=dict)
    """The notices of this run, each in its place."""
    asked_in_vain: dict[str, None] = fresh(default_factory=dict)
    """What the link asks for that is not here, in this run."""
    link_was_read: bool = False


_SESSION = "fields"


def session() -> _Session:
    """Return what this session knows of its fields; for :mod:`playground.ui.fields`."""
    here: _Session = st.session_state.setdefault(_SESSION, _Session())
    return here


def _refused(value: Any) -> Any:
    raise TypeError("never from outside")


@dataclass(frozen=True)
class Field(Generic[Value]):
    """A value of the session, which is ``default`` until it is set.

    ``valid`` checks what a link or a file has for it: by default, nothing may come from there.
    """

    key: str
    default: Value
    valid: Valid = _refused

    def get(self) -> Value:
        value: Value = st.session_state.get(self.key, self.default)
        return value

    def set(self, value: Value) -> None:
        st.session_state[self.key] = value

    def pop(self) -> Value:
        """Return the value, and be the default again."""
        value: Value = st.session_state.pop(self.key, self.default)
        return value

    def stored(self) -> Value:
        """Return the value, to be changed in place: at first a copy of the default."""
        if self.key not in st.session_state:
            st.session_state[self.key] = deepcopy(self.default)
        return self.get()

    @property
    def is_set(self) -> bool:
        return self.key in st.session_state

    # Drawn

    def unbound(self) -> dict[str, Any]:
        """Register the field; return the options of its widget, whose value is not in the URL."""
        here = session()
        here.defaults[self.key] = self.default
        here.here.fields.add(self.key)
        if self.key in here.pending:
            try:
                value = self.valid(here.pending.pop(self.key))
            except (ValueError, TypeError, OverflowError, LookupError, AttributeError):
                return {"key": self.key}
            self.set(value)
            if here.runs == 1:
                here.again[self.key] = value
        elif here.runs > 1 and self.key in here.again:
            value = here.again.pop(self.key)
            if st.session_state.get(self.key) == value:
                self.set(value)
        return {"key": self.key}

    def bound(self) -> dict[str, Any]:
        """Register the field; return the options of its widget, whose value is in the URL."""
        return self.unbound() | {"bind": "query-params"}

    def text(self) -> dict[str, Any]:
        """Register a text that is not in the URL; return the options of its widget."""
        options = self.unbound()
        # The default, too: a browser that draws it late begins with that (see fields).
        return options | {"persist_state": "session", "value": self.get()}

    def restorable(self) -> Value:
        """Register a value without a widget and return it: the pending one, or the session's."""
        self.unbound()
        return self.stored()

    @property
    def pending(self) -> Any:
        """The untrusted value of a field that is yet to be drawn; ``None`` if there is none."""
        return session().pending.get(self.key)


def fill(values: Mapping[str, Any]) -> None:
    """Set several fields; for a callback, before they are drawn."""
    for key, value in values.items():
        st.session_state[key] = value


def component(key: str, shape: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a component in the browser has sent, as far as it has this shape."""
    return shaped(st.session_state.get(key), shape) or {}


def shaped(value: Any, shape: Any) -> Any:
    """Return a value from a browser, which may be forged, as far as it has a shape, or ``None``.

    A shape is a type; a dictionary of those of its entries, of which others are left out; or a list
    of that of its items, which all must have it.

    >>> shaped({"text": "a", "at": "b", "more": 1}, {"text": str, "at": int})
    {'text': 'a'}
    >>> shaped([["a", "b"]], [[str]]), shaped([1, True], [int]), shaped(1, float)
    ([['a', 'b']], None, 1.0)
    """
    if isinstance(shape, dict):
        parts = value.items() if isinstance(value, Mapping) else ()
        fitting = {name: shaped(part, shape[name]) for name, part in parts if name in shape}
        return {name: part for name, part in fitting.items() if part is not None}
    if isinstance(shape, list):
        items = [shaped(item, shape[0]) for item in value] if isinstance(value, list) else [None]
        return None if None in items else items
    if shape is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value) if abs(value) < _MOST_EXACT else None
    if not isinstance(value, shape) or (isinstance(value, bool) and shape is not bool):
        return None
    if isinstance(value, int | float) and not abs(value) < _MOST_EXACT:
        return None
    return value


_MOST_EXACT = 2**53
"""From here on JavaScript has no whole numbers."""


def choice(key: str) -> Any:
    """Return the code that is chosen, on this page or on one before; ``None`` where none is."""
    return st.session_state.get(key, session().choices.get(key))


def claim_choice(key: str, value: str) -> bool:
    """Whether ``value`` is chosen, or is what a link asks for; then this page carries it as well.

    For a choice that matters on pages that do not draw it.
    """
    here = session()
    if here.pending.get(key) == value:
        st.session_state[key] = here.pending.pop(key)
    if choice(key) != value:
        return False
    here.choices[key] = value
    here.defaults.setdefault(key, None)
    here.here.fields.add(key)
    return True


# Runs


def begin() -> None:
    here = session()
    here.runs += 1
    here.here = _Page()


def end() -> None:
    here = session()
    here.whole = here.here


def defer_to_next_run() -> bool:
    """Whether a change of the URL has to wait, as this is the first run of a session.

    Only afterwards does the browser know that such a change is no new page to go back from.
    """
    here = session()
    if here.runs != 1:
        return False
    here.deferred = True
    return True


def another_run_is_needed() -> bool:
    here = session()
    return here.runs == 1 and (here.deferred or bool(here.again))


def uses(codes: Iterable[str]) -> None:
    session().here.codes.extend(codes)


def reads(files: Iterable[str]) -> None:
    """Register the uploaded files that the page shows by their names: no link carries them."""
    session().here.files.extend(files)


def is_default(key: str, value: Any) -> bool:
    """Whether ``value`` is the default that the field of this key was last drawn with."""
    return bool(session().defaults.get(key) == value)


# Kinds of values


def words(most: int = MOST_TEXT) -> Valid:
    def valid(value: Any) -> str:
        return scalar_text(value)[:most]

    return valid


def flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError("neither on nor off")
    return value


def number(
    least: float, most: float, kind: type[int] | type[float] = int, *, optional: bool = False
) -> Valid:
    def valid(value: Any) -> float | None:
        if value is None and optional:
            return None
        is_kind = isinstance(value, (int, kind)) and not isinstance(value, bool)
        if not is_kind or not least <= value <= most:
            raise ValueError("no such number")
        return kind(value)

    return valid


def span(least: int, most: int) -> Valid:
    whole = number(least, most)

    def valid(value: Any) -> tuple[int, int]:
        start, end = map(whole, value)
        if end < start:
            raise ValueError("the wrong way round")
        return start, end

    return valid


def moment(value: Any) -> datetime | None:
    if value is None:
        return None
    read = datetime.fromisoformat(value)
    if read.tzinfo is not None or not 1970 <= read.year <= 2100:
        raise ValueError("no such moment")
    return read


# All values, to be stored and restored


def restore(values: Mapping[str, Any], *, whole: bool = False) -> None:
    """Make values pending; ``whole`` resets all other fields to their defaults."""
    here = session()
    values = {_RENAMED.get(key, key): value for key, value in values.items()}
    if whole:
        here.pending = {key: _as_json(default) for key, default in here.defaults.items()}
    here.pending.update(values)


def forget(keys: Iterable[str]) -> None:
    """Drop pending values."""
    for key in keys:
        session().pending.pop(key, None)


def values(*, all_pages: bool) -> dict[str, Any]:
    """Return the values of the page's fields, or of all pages so far, as JSON values.

    Defaults are left out.
    """
    here = session()
    page = here.whole.fields | here.here.fields
    fields = dict(here.pending) if all_pages else {}
    for key, default in here.defaults.items():
        value = here.choices[key] if key in here.choices else st.session_state.get(key, default)
        if key not in here.pending and (all_pages or key in page) and value != default:
            fields[key] = _as_json(value)
    return fields


def codes() -> list[str]:
    """Return the codes of the tokenizers that the page uses."""
    here = session()
    return list(dict.fromkeys([*here.whole.codes, *here.here.codes]))


def files() -> list[str]:
    here = session()
    return list(dict.fromkeys([*here.whole.files, *here.here.files]))


def _as_json(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, tuple | list):
        return list(value)
    return scalar_text(value) if isinstance(value, str) else value


# What is wrong with the link


def begin_notices() -> None:
    """Make the place of notices: at the top of a page, before anything that may use it."""
    here = session()
    here.notices, here.said = st.container(), {}
    if here.runs != 2 or not (here.deferred or here.again):
        here.asked_in_vain = {}
    say_unknown(())  # of the first run, which the browser has followed by this one at once


def end_notices() -> None:
    """Forget the place, as the next run has another."""
    session().notices = None


def say(text: str, name: str = "") -> None:
    """Show a notice, once in a run; in place of the one of this ``name``, if it has one."""
    here = session()
    if here.notices is not None and (name or text) not in here.said:
        here.said[name or text] = here.notices.empty()
    if here.notices is not None:
        here.said[name or text].warning(text, icon=":material/link_off:")


def say_unknown(names: Iterable[str]) -> None:
    """Say, in one sentence a run, which choices and settings of the link are not here."""
    vain = session().asked_in_vain
    vain.update(dict.fromkeys(names))
    if vain:
        quoted = names_joined(f"“{plain(name)}”" for name in vain)
        text = _("The link asks for what is not here: {names}. You see everything else.")
        say(text.format(names=quoted), "unknown")


def say_unread() -> None:
    """Say, once in a session, what the URL has that no field has read."""
    here = session()
    if not here.link_was_read:
        here.link_was_read = True
        # What a page reads of its link is the value of a widget.
        say_unknown(
            key
            for key in st.query_params
            if key not in st.session_state and key != _CARRIED and not key.startswith(_NOT_OURS)
        )
    if st.query_params.get(_CARRIED) is not None:
        say_unknown(strange := list(here.pending))
        forget(strange)
