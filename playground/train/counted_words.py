"""A corpus of counted words: a file that ``bpe count-words`` or another program wrote."""

from pathlib import PurePath

import streamlit as st

from bpe.algorithm.counts import WordCounts
from bpe.documents import corpus
from bpe.errors import BPEError
from bpe.scale import count_files
from playground.ui import progress, restorable
from playground.ui.i18n import _, error_text, plain
from playground.ui.upload_field import file_uploader, release

_KEY = "counts_file"
_READ = "counts read"

Counts = tuple[str, WordCounts]
"""What a file is called, and its words."""


def choose() -> Counts | None:
    """Draw the upload; return the words read last, and say what cannot be read."""
    file = file_uploader(
        _("A file of counted words"),
        (".csv", ".tsv", ".parquet"),
        key=_KEY,
        most_bytes=corpus.MAX_BYTES,
        help=_(
            "CSV with a word and its count in each row, or Parquet with the columns “word” and "
            "“count”, such as `bpe count-words` writes of a corpus that is too large to be "
            "uploaded."
        ),
    )
    read: tuple[str, Counts | BPEError] | None = st.session_state.get(_READ)
    if file is not None and (read is None or read[0] != file.file_id):
        with st.spinner(_("Reading {name}…").format(name=plain(file.name))):
            read = st.session_state[_READ] = (file.file_id, _read(file.getvalue(), file.name))
        release(file)
    if read is None:
        return None
    if isinstance(said := read[1], BPEError):
        st.error(error_text(said))
        return None
    restorable.reads([said[0]])
    if file is None:
        st.caption(_("Still here from before: {names}").format(names=plain(said[0])))
        st.button(_("Remove these files"), key=f"{_KEY}_remove", on_click=_forget)
    return said


def _read(data: bytes, name: str) -> Counts | BPEError:
    try:
        words = count_files.loads(data, name, on_wait=progress.checkpoint)
    except BPEError as error:
        return error
    if not len(words):
        return BPEError("There are no words in “{name}”.", name=name)
    return PurePath(name).stem.removesuffix(".counts"), words


def _forget() -> None:
    st.session_state.pop(_READ, None)


def most_frequent(words: WordCounts, characters: int) -> str:
    text = ""
    for word in words.counts.argsort(kind="stable")[::-1][:characters]:
        spelled = words.text[words.offsets[word] : words.offsets[word + 1]].tobytes()
        text += spelled.decode("utf-8", "replace")
        if len(text) >= characters:
            break
    return text
