"""What is wrong with the link one has come by, said at the top of the page.

A choice that is not here, a page that does not exist: the page shows what it shows without them,
and says so where one looks first.
"""

from collections.abc import Iterable

import streamlit as st

from playground.ui.i18n import _, names_joined, plain

_PLACE = "place of notices"
_LOOKED = "link was read"

_NOT_OURS = ("utm_", "embed")
"""How parameters begin that others put into links."""
_CARRIED = "s"
"""The parameter that is read before any page."""


def begin() -> None:
    """Make the place, at the top of a page and before anything that may use it."""
    st.session_state[_PLACE] = st.container()


def end() -> None:
    """Forget the place, as the next run has another."""
    st.session_state.pop(_PLACE, None)


def say(text: str) -> None:
    if (place := st.session_state.get(_PLACE)) is not None:
        place.warning(text, icon=":material/link_off:")


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
    if strange:
        say(
            _("The link sets {names}, which this page does not have.").format(
                names=names_joined(f"“{plain(key)}”" for key in strange)
            )
        )
