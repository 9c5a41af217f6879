"""Tokenizers of a session that is over: which they were, and the way to train them again.

A tokenizer trained here lives in its session alone. The link of a page that shows one therefore
says how it was made: its name, and the settings of the Train page in its URL.
"""

from collections.abc import Iterable, Sequence
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from playground import session
from playground.ui import notices
from playground.ui.i18n import _, plain

_MADE = "made"
"""The parameter of the URL, an entry for each tokenizer; in it, those of the Train page."""
_CODE, _NAME = "own", "called"


def keep_in_url(codes: Iterable[str]) -> None:
    """Say in the URL how those of the tokenizers were made that were trained in this session."""
    entries = [
        urlencode([(_CODE, code), (_NAME, session.label(code)), *settings])
        for code in codes
        if (settings := session.made_with(code)) is not None
    ]
    if entries and st.query_params.get_all(_MADE) != entries:
        st.query_params[_MADE] = entries


def offer(label: str, codes: Sequence[str]) -> None:
    """Say which tokenizers of a link are gone, and link to the page where they are trained.

    ``label`` is that of the field, for other codes that it does not have.
    """
    if strange := [code for code in codes if not code.startswith(session.OWN)]:
        notices.unknown(label, strange)
    made = {}
    for entry in st.query_params.get_all(_MADE):
        settings = parse_qsl(entry, max_num_fields=40)
        made[dict(settings).get(_CODE)] = settings
    for code in (code for code in codes if code.startswith(session.OWN)):
        settings = made.get(code, [])
        name = dict(settings).get(_NAME, code)
        again = [(key, value) for key, value in settings if key not in (_CODE, _NAME)]

        def link(again: list[tuple[str, str]] = again) -> None:
            st.page_link(
                "pages/train.py",
                label=_("Train it again"),
                icon=":material/model_training:",
                query_params=again,
            )

        notices.say(
            _(
                "The tokenizer “{name}” is no longer here: it lived in the session in which it "
                "was trained or uploaded. From sample texts the same one can be trained again; "
                "files have to be uploaded again."
            ).format(name=plain(name)),
            more=link,
        )
