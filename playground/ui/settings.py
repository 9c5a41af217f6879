"""Choices that live in the URL by their code, whatever language their labels are shown in.

A browser sends the label of what is chosen, and after a switch of language it may send one of the
language before; Streamlit's own ``bind="query-params"`` writes it into the URL, too. Numbers, texts
and switches have no such labels and are bound by Streamlit; everything that is chosen from labels
of ours goes through here. A pending value (:mod:`playground.ui.restorable`) takes precedence over
the URL and over earlier choices.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from playground.ui import notices, restorable
from playground.ui.i18n import error_text

_STORE = "settings"
_DRAWN = "labels of the settings drawn"
_UNKNOWN = "choices of the link that are not here"


def select(
    label: str,
    options: Mapping[str, str],
    *,
    key: str,
    default: str | None = None,
    in_url: bool = True,
    **more: Any,
) -> str:
    """Draw a select box of ``options`` (code to label) and return the chosen code.

    Without ``in_url`` it stays in the session alone.
    """
    default = default or next(iter(options))
    if in_url:
        _look_for_unknown(label, key, options)
    first = _begin(key, (in_url and _first(key, options)) or default, options)
    chosen = st.selectbox(
        label,
        list(options),
        index=list(options).index(first),
        format_func=options.__getitem__,
        key=key,
        **more,
    )
    return str(_end(key, chosen or default, default, in_url=in_url))


def segments(
    label: str,
    options: Mapping[str, str],
    *,
    key: str,
    default: str | None = None,
    always: bool = False,
    **more: Any,
) -> str:
    """Draw a row of buttons of ``options`` (code to label) and return the chosen code.

    ``always`` keeps it in the URL even where it is the default.
    """
    default = default or next(iter(options))
    _look_for_unknown(label, key, options)
    first = _begin(key, _first(key, options) or default, options)
    chosen = st.segmented_control(
        label,
        list(options),
        default=first,
        format_func=options.__getitem__,
        key=key,
        required=True,
        wrap=True,
        **more,
    )
    return str(_end(key, chosen or default, None if always else default))


def several(
    label: str,
    options: Mapping[str, str],
    *,
    key: str,
    default: Sequence[str] = (),
    also: Sequence[str] = (),
    always: bool = False,
    say_unknown: Callable[[str, Sequence[str]], object] = notices.unknown,
    **more: Any,
) -> list[str]:
    """Draw a choice of any number of ``options`` (code to label) and return the chosen codes.

    ``also`` are chosen in addition; the reader may take them away again. No choice at all
    is written to the URL as one empty value. ``always`` keeps the choice there even where it is the
    default. ``say_unknown(label, codes)`` says which choices of the link are not here.
    """
    _look_for_unknown(label, key, options, say_unknown)
    given = asked(key)
    wanted = [code for code in given if code in options] if given else list(default)
    first = _begin(key, wanted, options)
    if also:
        first = st.session_state[key] = list(dict.fromkeys([*first, *also]))
    # "Select all" is always in English, and 191 models are too many.
    chosen = st.multiselect(
        label,
        list(options),
        default=first,
        format_func=options.__getitem__,
        key=key,
        wrap=True,
        select_all=False,
        **more,
    )
    return list(_end(key, chosen, None if always else list(default)))


def chosen(key: str, default: Sequence[str]) -> list[str]:
    """Return what :func:`several` returned last, here or on an earlier visit, without drawing."""
    store: dict[str, Any] = st.session_state.get(_STORE, {})
    return list(store.get(key) or st.query_params.get_all(key) or default)


def asked(key: str) -> list[str]:
    """Return the codes that a link asks for in a choice that is yet to be drawn."""
    pending = restorable.pending(key)
    if pending is None:
        return st.query_params.get_all(key)
    codes = pending if isinstance(pending, list) else [pending]
    return [code for code in codes if isinstance(code, str)] or [""]


def unknown(key: str) -> tuple[str, ...]:
    """Return what the link asked for under a key and is not here; nothing after a choice."""
    found: dict[str, tuple[tuple[str, ...], Any]] = st.session_state.get(_UNKNOWN, {})
    return found.get(key, ((), None))[0]


def _look_for_unknown(
    label: str,
    key: str,
    options: Mapping[str, str],
    say: Callable[[str, Sequence[str]], object] = notices.unknown,
) -> None:
    found: dict[str, tuple[tuple[str, ...], Any]] = st.session_state.setdefault(_UNKNOWN, {})
    if gone := tuple(code for code in asked(key) if code and code not in options):
        found[key] = gone, None
    elif key in found and st.session_state.get(key) != found[key][1]:
        del found[key]  # the reader has chosen since
    gone = unknown(key)
    if notices.is_removed(key, *gone):
        notices.say(error_text(notices.REMOVED))
    if others := [code for code in gone if not notices.is_removed(key, code)]:
        say(label, others)


def _first(key: str, options: Mapping[str, str]) -> str | None:
    code = next(reversed(asked(key)), None)
    return code if code in options else None


def _begin(key: str, otherwise: Any, options: Mapping[str, str]) -> Any:
    """Give the widget its value, and return it: what it has, what it had before, or the URL's.

    What it has counts only where it is a code: it may be a label of another language. Writing the
    value into the session state keeps it when the labels, and so the widget, change; at other times
    nothing is written, as that would undo a click that is on its way from the browser.

    What is returned is to be the widget's default as well. A browser that draws it only after the
    next run (its code is fetched when first needed) does not learn what the first one wrote: it
    begins with the default, and sends that back as if it had been chosen.
    """
    store: dict[str, Any] = st.session_state.setdefault(_STORE, {})
    if restorable.pending(key) is not None:
        st.session_state.pop(key, None)
        store.pop(key, None)
        restorable.restored(key)
    known = [state[key] for state in (st.session_state, store) if key in state]
    if isinstance(otherwise, list):
        whole = (codes for codes in known if all(code in options for code in codes))
        codes = next(whole, known[-1] if known else otherwise)
        value = [code for code in codes if code in options]
    else:
        value = next((code for code in known if code in options), otherwise)
    drawn: dict[str, Any] = st.session_state.setdefault(_DRAWN, {})
    as_now = tuple(options.items())
    if key not in st.session_state or st.session_state[key] != value or drawn.get(key) != as_now:
        st.session_state[key] = value
    drawn[key] = as_now
    return value


def _end(key: str, value: Any, default: Any, *, in_url: bool = True) -> Any:
    """Keep the value for the session and in the URL, where it differs from the default.

    A default that the URL says is left there, so that opening a link changes nothing in it.
    """
    st.session_state[_STORE][key] = value
    found = st.session_state.get(_UNKNOWN, {})
    if key in found:
        found[key] = found[key][0], value
    if not in_url:
        return value
    restorable.choice(key, value, default)
    explicit = (value or [""]) if isinstance(value, list) else [value]
    wanted = [] if value == default else explicit
    shown = st.query_params.get_all(key)
    if shown in (wanted, explicit) or restorable.defer_to_next_run():
        return value
    if wanted:
        st.query_params[key] = wanted
    else:
        st.query_params.pop(key, None)
    return value
