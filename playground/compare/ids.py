"""Ids to text: a field where one pastes ids, and the tokens that they are."""

from collections.abc import Mapping

import streamlit as st

from bpe.analysis.segmentation import segment_ids
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from playground import session
from playground.token_view import token_view
from playground.ui import restorable, settings
from playground.ui.i18n import _, error_text, plain

MOST = 5_000
"""Ids that are decoded at a time."""


def show(encoders: Mapping[str, Encoder], base: str) -> None:
    with st.expander(_("Ids to text"), icon=":material/undo:"):
        field, choice = st.columns([2, 1])
        with choice:
            code = settings.select(
                _("Tokenizer"),
                {code: session.short(code) for code in encoders},
                key="ids_of",
                default=base,
                in_url=False,
            )
        typed = field.text_input(
            _("Ids, with spaces or commas between them"),
            placeholder="[53901, 3922, 1917]",
            **restorable.text("ids"),
        )
        try:
            ids = numbers(typed or "")
            if not ids:
                return
            encoder = encoders[code]
            cut = segment_ids(
                ids[:MOST],
                encoder.token_bytes,
                special_ids=encoder.special_tokens.values(),
                name=encoder.name,
                space_sign=encoder.space_sign,
            )
            text = encoder.decode(ids[:MOST])
        except BPEError as error:
            st.error(error_text(error))
            return
        if len(ids) > MOST:
            st.caption(
                _("The first {most} of {all} ids are decoded.").format(
                    most=f"{MOST:,}", all=f"{len(ids):,}"
                )
            )
        token_view(cut, key="ids_view", show_ids=True)
        st.code(text, language=None, wrap_lines=True)
        if "\ufffd" in text:
            st.caption(
                _("� stands for bytes of {name} that are no whole character.").format(
                    name=plain(session.short(code))
                )
            )


def numbers(text: str) -> list[int]:
    """Return the ids in a text, which may be a list as JSON or Python writes it.

    >>> numbers("[57668, 53901]")
    [57668, 53901]
    """
    for sign in "[](),;\n\t":
        text = text.replace(sign, " ")
    found = []
    for part in text.split():
        if not (part.isascii() and part.isdigit() and len(part) < 10):
            raise BPEError("“{part}” is no id: ids are whole numbers, from 0.", part=part[:40])
        found.append(int(part))
    return found
