"""A file of pairs: one column in Chinese, one in English, the same meaning in each row."""

from dataclasses import dataclass

import streamlit as st

from bpe.errors import BPEError
from bpe.text import corpus, parallel_texts
from bpe.text.parallel_texts import Pairs
from playground.ui import text_pair
from playground.ui.i18n import _, error_text, plain
from playground.ui.uploader import file_uploader

_KEPT = "uploaded pairs"


@dataclass(frozen=True)
class PairFile:
    """The texts of a file, row by row."""

    name: str
    pairs: Pairs


def upload() -> PairFile | None:
    """Draw the upload and the choice of columns; return the pairs, or say why there are none.

    What was read outlives a visit to another section, which empties the widget.
    """
    file = file_uploader(
        _("A file of pairs"),
        parallel_texts.TABLES,
        key="pair_file",
        most_bytes=corpus.MAX_BYTES,
        help=_("A column in Chinese and one in English; each row says the same in both."),
    )
    kept: PairFile | None = st.session_state.get(_KEPT)
    if file is None:
        if kept:
            st.caption(_("Still here from before: {names}").format(names=plain(kept.name)))
        return kept
    try:
        found = text_pair.from_table(
            file.getvalue(),
            file.name,
            places=(st, st),
            key=file.file_id,
            max_bytes=corpus.MAX_BYTES,
        )
    except BPEError as error:
        st.error(error_text(error))
        read = None
    else:
        st.caption(_("{pairs} pairs").format(pairs=f"{len(found):,}"))
        read = PairFile(file.name, found)
    st.session_state[_KEPT] = read
    return read
