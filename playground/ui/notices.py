"""What is wrong with the link one has come by, said at the top of the page.

A choice that is not here, a page that does not exist: the page shows what it shows without them,
and says so where one looks first.
"""

import re
from collections.abc import Iterable

import streamlit as st

from bpe.errors import BPEError
from playground.ui.i18n import _, error_text, names_joined, plain

_PLACE = "place of notices"
_SHOWN = "notices of this run"
_LOOKED = "link was read"

REMOVED = BPEError(
    "This link or session file is from an earlier version and uses a part of the app that has "
    "since been removed. You see everything else."
)
_REMOVED = {
    "tokenizers": re.compile("published-.*|own-research"),
    "picture": re.compile("borders"),
    **dict.fromkeys(
        (
            *("reproduce", "vendor_model", "comparison_report"),
            *("research_recipe", "research_superwords", "research_parity"),
        ),
        re.compile(".*"),
    ),
}
"""Fields of earlier versions, by their key, and the values that they can no longer have."""

_NOT_OURS = ("utm_", "embed")
"""How parameters begin that others put into links."""
_CARRIED = "s"
"""The parameter that is read before any page."""


def begin() -> None:
    """Make the place, at the top of a page and before anything that may use it."""
    st.session_state[_PLACE] = st.container()
    st.session_state[_SHOWN] = set()


def end() -> None:
    """Forget the place, as the next run has another."""
    st.session_state.pop(_PLACE, None)


def say(text: str) -> None:
    """Show a notice, once in a run."""
    if (place := st.session_state.get(_PLACE)) is None or text in st.session_state[_SHOWN]:
        return
    st.session_state[_SHOWN].add(text)
    place.warning(text, icon=":material/link_off:")


def is_removed(key: str, *values: str) -> bool:
    """Return whether a field of this key, or one of its values, was removed from the app."""
    pattern = _REMOVED.get(key)
    return pattern is not None and any(map(pattern.fullmatch, values or ("",)))


def unknown(label: str, values: Iterable[str]) -> None:
    say(
        _("{field}: the link asks for {values}, which is not here. What you see is without it.")
        .format(field=plain(label), values=names_joined(f"“{plain(value)}”" for value in values))
    )  # fmt: skip


def unread() -> None:
    if st.session_state.setdefault(_LOOKED, False):
        return
    st.session_state[_LOOKED] = True
    # What a page reads of its link is the value of a widget.
    strange = [
        key
        for key in st.query_params
        if key not in st.session_state and key != _CARRIED and not key.startswith(_NOT_OURS)
    ]
    if any(map(is_removed, strange)):
        say(error_text(REMOVED))
        strange = [key for key in strange if not is_removed(key)]
    if strange:
        say(
            _("The link sets {names}, which this page does not have.").format(
                names=names_joined(f"“{plain(key)}”" for key in strange)
            )
        )
