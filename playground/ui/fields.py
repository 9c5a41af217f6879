"""The kinds of fields that pages draw: choices, numbers, switches, words, uploads of files.

Numbers, words and switches are in the URL under their key; a value there that cannot be is left out
by Streamlit, and the field shows its default.

Choices are in the URL by their code, whatever language their labels are shown in: a browser sends
the label of what is chosen, and after a switch of language it may send one of the language before;
Streamlit's own ``bind="query-params"`` writes it into the URL, too. A pending value
(:mod:`playground.ui.state`) takes precedence over the URL and over earlier choices.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Any, TypeVar

import streamlit as st

from playground.ui import memory, state
from playground.ui.i18n import _, names_joined
from playground.ui.state import Field

Number = TypeVar("Number", int, float)

MOST = 100_000_000
"""More tokens than any window holds: beyond it, a number is a slip."""


# Choices


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
    first = _first(key, options, default, in_url=in_url)
    chosen = st.selectbox(
        label, list(options), list(options).index(first), options.__getitem__, key, **more
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
    chosen = st.segmented_control(
        label, list(options), format_func=options.__getitem__, key=key, required=True, wrap=True,
        default=_first(key, options, default), **more,
    )  # fmt: skip
    return str(_end(key, chosen or default, None if always else default))


def several(
    label: str,
    options: Mapping[str, str],
    *,
    key: str,
    default: Sequence[str] = (),
    also: Sequence[str] = (),
    always: bool = False,
    say_unknown: Callable[[Sequence[str]], object] = state.say_unknown,
    **more: Any,
) -> list[str]:
    """Draw a choice of any number of ``options`` (code to label) and return the chosen codes.

    ``also`` are chosen in addition; the reader may take them away again. No choice at all
    is written to the URL as one empty value. ``always`` keeps the choice there even where it is the
    default. ``say_unknown(codes)`` says which choices of the link are not here.
    """
    _look_for_unknown(key, options, say_unknown)
    in_link = asked_for(key)
    wanted = [code for code in in_link if code in options] if in_link else list(default)
    first = _begin(key, wanted, options)
    if also:
        first = st.session_state[key] = list(dict.fromkeys([*first, *also]))
    # "Select all" is always in English, and 191 models are too many.
    chosen = st.multiselect(
        label, list(options), first, options.__getitem__, key, wrap=True, select_all=False, **more
    )
    return list(_end(key, chosen, None if always else list(default)))


def choice(key: str, options: Sequence[str], default: str) -> str:
    """Return a choice that has no widget of its own: another part of the page sets its field."""
    names = dict(zip(options, options, strict=True))
    return str(_end(key, _begin(key, _linked(key, names) or default, names), default))


def chosen(key: str, default: Sequence[str]) -> list[str]:
    """Return what :func:`several` returned last, here or on an earlier visit, without drawing."""
    return list(state.session().choices.get(key) or st.query_params.get_all(key) or default)


def asked_for(key: str) -> list[str]:
    """Return the codes that a link asks for in a choice that is yet to be drawn."""
    pending = Field(key, None).pending
    if pending is None:
        return st.query_params.get_all(key)
    codes = pending if isinstance(pending, list) else [pending]
    return [code for code in codes if isinstance(code, str)] or [""]


def _look_for_unknown(
    key: str,
    options: Mapping[str, str],
    say: Callable[[Sequence[str]], object] = state.say_unknown,
) -> None:
    unknown = state.session().unknown
    if gone := tuple(code for code in asked_for(key) if code and code not in options):
        unknown[key] = gone, None
    elif key in unknown and st.session_state.get(key) != unknown[key][1]:
        del unknown[key]  # the reader has chosen since
    if key in unknown:
        say(unknown[key][0])


def _linked(key: str, options: Mapping[str, str]) -> str | None:
    code = next(reversed(asked_for(key)), None)
    return code if code in options else None


def _first(key: str, options: Mapping[str, str], default: str, *, in_url: bool = True) -> Any:
    """Give a widget of one choice its value, which it is to have as its default, too."""
    if in_url:
        _look_for_unknown(key, options)
    return _begin(key, (in_url and _linked(key, options)) or default, options)


def _begin(key: str, otherwise: Any, options: Mapping[str, str]) -> Any:
    """Give the widget its value, and return it: what it has, what it had before, or the URL's.

    What it has counts only where it is a code: it may be a label of another language. Writing the
    value into the session state keeps it when the labels, and so the widget, change; at other times
    nothing is written, as that would undo a click that is on its way from the browser.

    What is returned is to be the widget's default as well. A browser that draws it only after the
    next run (its code is fetched when first needed) does not learn what the first one wrote: it
    begins with the default, and sends that back as if it had been chosen.
    """
    session = state.session()
    if key in session.pending:
        st.session_state.pop(key, None)
        session.choices.pop(key, None)
        state.forget([key])
    held_values = [held[key] for held in (st.session_state, session.choices) if key in held]
    if isinstance(otherwise, list):
        whole = (codes for codes in held_values if all(code in options for code in codes))
        codes = next(whole, held_values[-1] if held_values else otherwise)
        value = [code for code in codes if code in options]
    else:
        value = next((code for code in held_values if code in options), otherwise)
    labels = tuple(options.items())
    is_drawn = session.labels.get(key) == labels
    if key not in st.session_state or st.session_state[key] != value or not is_drawn:
        st.session_state[key] = value
    session.labels[key] = labels
    return value


def _end(key: str, value: Any, default: Any, *, in_url: bool = True) -> Any:
    """Keep the value for the session and in the URL, where it differs from the default.

    A default that the URL says is left there, so that opening a link changes nothing in it.
    """
    session = state.session()
    session.choices[key] = value
    if key in session.unknown:
        session.unknown[key] = session.unknown[key][0], value
    if not in_url:
        return value
    session.defaults[key] = default
    session.here.fields.add(key)
    explicit = (value or [""]) if isinstance(value, list) else [value]
    wanted = [] if value == default else explicit
    shown = st.query_params.get_all(key)
    if shown in (wanted, explicit) or state.defer_to_next_run():
        return value
    if wanted:
        st.query_params[key] = wanted
    else:
        st.query_params.pop(key, None)
    return value


# Numbers, switches, words


def whole(
    label: str,
    key: str,
    value: int,
    *,
    least: int = 0,
    most: int = MOST,
    step: int = 100,
    hint: str | None = None,
    place: Any = st,
) -> int:
    """Draw a field for a whole number and return it; an emptied field counts as its default."""
    number = place.number_input(
        label, least, most, value, step, help=hint,
        **Field(key, value, state.number(least, most)).bound(),
    )  # fmt: skip
    return value if number is None else int(number)


def optional(label: str, key: str, *, most: Number, step: Number, empty: str) -> Number | None:
    """Draw a field for a number from 0 on and return it; ``empty`` is what no number means."""
    kind = type(step)
    number: Number | None = st.number_input(
        label, kind(0), most, None, step, placeholder=empty,
        **Field(key, None, state.number(0, most, kind, optional=True)).bound(),
    )  # fmt: skip
    return number


def share(label: str, key: str, value: int = 0, *, hint: str | None = None) -> Decimal:
    percent = st.slider(
        label, 0, 100, value, format="%d%%", help=hint,
        **Field(key, value, state.number(0, 100)).bound(),
    )  # fmt: skip
    return Decimal(percent) / 100


def switch(
    label: str, key: str, value: bool = False, *, hint: str | None = None, in_url: bool = True
) -> bool:
    """Draw a switch and return whether it is on; it may be in the session alone."""
    field = Field(key, value, state.flag)
    return bool(st.toggle(label, value, help=hint, **(field.bound if in_url else field.unbound)()))


def words(label: str, key: str, value: str = "", *, most: int = 1_000, **more: Any) -> str:
    """Draw a field for a few words and return them; ``more`` is for ``st.text_input``."""
    options = Field(key, value, state.words(most)).bound()
    return st.text_input(label, value, max_chars=most, **options, **more) or ""


# Files

_STYLE = """<style>
.st-key-{key} [data-testid="stFileUploaderDropzone"] button p,
.st-key-{key} [data-testid="stFileUploaderDropzoneInstructions"] span {{ font-size: 0 }}
.st-key-{key} [data-testid="stFileUploaderDropzone"] button p::after {{
  content: {button}; font-size: 0.875rem
}}
.st-key-{key} [data-testid="stFileUploaderDropzoneInstructions"] span {{ white-space: normal }}
.st-key-{key} [data-testid="stFileUploaderDropzoneInstructions"] span::after {{
  content: {limits}; font-size: 0.875rem
}}
</style>"""


def file_uploader(
    label: str, suffixes: Sequence[str], *, key: str, most_bytes: int, **more: Any
) -> Any:
    """Draw an upload of files with one of ``suffixes`` (".txt") and at most so many bytes each.

    A small host takes smaller ones (:func:`playground.ui.memory.uploadable`).
    Returns what ``st.file_uploader`` does, which takes ``more`` as well. The words on it exist in
    English alone and cannot be given: they are written anew by a style.
    """
    megabytes = max(1, memory.uploadable(most_bytes) // 2**20)  # a small host takes less of it
    names = [suffix.removeprefix(".") for suffix in suffixes]
    limits = _("Up to {size} MB each, {together} MB at once: {kinds}").format(
        size=megabytes,
        together=memory.allowed(memory.SESSION_UPLOAD_BYTES) // 2**20,
        kinds=names_joined(map(str.upper, names)),
    )
    quoted = partial(json.dumps, ensure_ascii=False)  # a string of a style sheet
    style = _STYLE.format(key=key, button=quoted(_("Choose files")), limits=quoted(limits))
    # A style alone would stand among those of the page, where a fragment that runs again
    # overwrites what was drawn after it.
    st.html(f'{style}<span class="style-in-place" hidden></span>')
    return st.file_uploader(label, type=names, max_upload_size=megabytes, key=key, **more)


def ids_of(key: str) -> list[str]:
    return [file.file_id for file in st.session_state.get(key) or []]
