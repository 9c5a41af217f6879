"""Questions about a token: how its word is encoded, and where it is in the vocabulary.

The answer to the first opens in front of the page, so that the token stays where it is; the second
leads to the vocabularies.
"""

import streamlit as st

from bpe.analysis.segmentation import TokenFacts
from bpe.encoders.base import Encoder
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.errors import BPEError
from bpe.text.readable import readable
from playground import session
from playground.encoding_view import encoding_view
from playground.ui.i18n import _, error_text, plain
from playground.ui.state import Field, fill

LONGEST_WORD = 60
"""Bytes of a pre-token of which every step is shown."""


_ASKED: Field[tuple[str, str, str, int] | None] = Field("asked of a token", None)
"""The side, its text, the code of the tokenizer and the token's first byte."""


def actions() -> dict[str, str]:
    return {
        "steps": _("Encoding step by step"),
        "vocabulary": _("In the vocabulary"),
    }


def ask(side: str, what: str, code: str, token: TokenFacts, text: str) -> bool:
    """Note a question; say whether the whole page has to be drawn for it."""
    if what == "vocabulary":
        fill(
            {
                "view": "vocabulary",
                "vocabulary_section": "browse",
                "vocabulary": code,
                "vocabulary_search_by": "id",
                "vocabulary_search": str(token.id),
                "vocabulary_scripts": [],
                "vocabulary_kinds": [],
            }
        )
        return True
    _ASKED.set((side, text, code, token.byte_span[0]))
    return False


def is_open(side: str, text: str) -> bool:
    """Whether a question about a token of this side's text is being answered."""
    asked = _ASKED.get()
    return asked is not None and asked[:2] == (side, text)


def open_dialog(side: str, text: str) -> None:
    """Answer a question about a token of this side's text, until the reader closes it."""
    asked = _ASKED.get()
    if asked is not None and is_open(side, text):
        show = st.dialog(_("Encoding step by step"), width="large", on_dismiss=_close)(_steps)
        show(*asked[1:])


def _close() -> None:
    _ASKED.pop()


def _steps(text: str, code: str, offset: int) -> None:
    try:
        encoder = session.encoder(code)
        piece = pre_token(encoder, text, offset)
    except BPEError as error:
        st.caption(error_text(error))
        return
    st.markdown(
        _(
            "{name} cuts the text into pre-tokens first; this token is in `{piece}`. Between two "
            "neighbours stands the rank of their pair: the lowest is merged, until none has one."
        ).format(
            name=plain(session.short(code)),
            piece=readable(piece.encode()).replace("`", "ˋ"),
        )
    )
    if len(piece.encode()) > LONGEST_WORD:
        st.caption(
            _("It has {size} bytes; steps are shown of up to {most}.").format(
                size=len(piece.encode()), most=LONGEST_WORD
            )
        )
        return
    assert isinstance(encoder, BytePairEncoder)  # as it has pre-tokens
    encoding_view(piece, encoder.pair_rank, key=f"steps {code}")


def pre_token(encoder: Encoder, text: str, offset: int) -> str:
    """Return the pre-token in which the byte at ``offset`` stands.

    :class:`BPEError` where the encoder has no pre-tokens that are merged from bytes.
    """
    end = 0
    piece = ""
    for piece in encoder.pre_tokens(text):
        end += len(piece.encode())
        if end > offset:
            break
    return piece
