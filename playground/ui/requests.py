"""Requests of a browser that come quickly: what each changes, and that none cuts off another.

The browser sends what widgets hold, all of them, whichever was changed.
"""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import streamlit as st

from playground.ui import streamlit_private

Parameters = ParamSpec("Parameters")


def fragment(draw: Callable[Parameters, None]) -> Callable[Parameters, None]:
    """Make a function a fragment, which leaves to the whole page what has changed outside it.

    The browser sends together what changes within a moment, on a busy machine a fourth of a second,
    and names one fragment as soon as one of the changes lies in it: a number set just before a
    fragment reports its own would be shown, and nothing would follow from it.
    """

    @wraps(draw)
    def drawn(*args: Parameters.args, **options: Parameters.kwargs) -> None:
        streamlit_private.run_whole_page_if_others_changed()
        draw(*args, **options)

    runs_again: Callable[Parameters, None] = st.fragment(drawn)  # noqa: TID251
    return runs_again


def changes_others(key: str) -> bool:
    """Whether a request changes other widgets than that of this key, for whose callback this is.

    Then this one may not have been touched: until a browser has drawn what Python has set, it sends
    what it still shows along with each change.
    """
    changed = streamlit_private.changed_widgets()
    return any(not widget.endswith(f"-{key}") for widget, _fragment in changed)
