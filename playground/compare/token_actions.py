"""What one asks of a token: how it was made, how its word is encoded, its place in the vocabulary.

The first two open in front of the page, so that the token stays where it is; the third leads to the
vocabularies.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import streamlit as st

from bpe.analysis.segmentation import TokenFacts
from bpe.encoders.base import Encoder
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.errors import BPEError
from bpe.text.readable import readable
from playground import session
from playground.compare import trees
from playground.encoding_view import encoding_view
from playground.ui.i18n import _, error_text, plain
from playground.ui.state import Field, fill

LONGEST_WORD = 60
"""Bytes of a pre-token of which every step is shown."""


@dataclass(frozen=True)
class _Asked:
    side: str
    what: str
    code: str
    encoder: Encoder
    token: TokenFacts
    text: str


_ASKED: Field[_Asked | None] = Field("asked of a token", None)


def actions() -> dict[str, str]:
    return {
        "merges": _("Its merges"),
        "steps": _("Encoding step by step"),
        "vocabulary": _("In the vocabulary"),
    }


def ask(side: str, what: str, code: str, encoder: Encoder, token: TokenFacts, text: str) -> bool:
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
    _ASKED.set(_Asked(side, what, code, encoder, token, text))
    return False


def more(
    code: str, encoders: Mapping[str, Encoder], token: bytes, now: datetime
) -> list[tuple[str, str]]:
    others = {other: encoder for other, encoder in encoders.items() if other != code}
    return session.elsewhere(token, others, now, code)


def is_open(side: str, text: str) -> bool:
    """Whether a question about a token of this side's text is being answered."""
    asked = _ASKED.get()
    return asked is not None and (asked.side, asked.text) == (side, text)


def open_dialog(side: str, text: str) -> None:
    """Answer a question about a token of this side's text, until the reader closes it."""
    asked = _ASKED.get()
    if asked is None or not is_open(side, text):
        return
    title = _("Encoding step by step") if asked.what == "steps" else _("How this token was made")
    draw = _steps if asked.what == "steps" else _merges
    st.dialog(title, width="large", on_dismiss=_close)(draw)(asked)


def _close() -> None:
    _ASKED.pop()


def _merges(asked: _Asked) -> None:
    trees.show_pinned(asked.encoder, session.short(asked.code), asked.token)


def _steps(asked: _Asked) -> None:
    try:
        piece = pre_token(asked.encoder, asked.text, asked.token.byte_span[0])
    except BPEError as error:
        st.caption(error_text(error))
        return
    st.markdown(
        _(
            "{name} cuts the text into pre-tokens first; this token is in `{piece}`. Between two "
            "neighbours stands the rank of their pair: the lowest is merged, until none has one."
        ).format(
            name=plain(session.short(asked.code)),
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
    assert isinstance(asked.encoder, BytePairEncoder)  # as it has pre-tokens
    encoding_view(piece, asked.encoder.pair_rank, key=f"steps {asked.code}")


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
