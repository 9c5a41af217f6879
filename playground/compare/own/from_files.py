"""Tokenizers from uploaded files."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import PurePath

import streamlit as st

from bpe import files
from bpe.errors import BPEError
from playground import session
from playground.compare.own import room
from playground.ui import settings
from playground.ui.i18n import _, error_text, names_joined, plain
from playground.ui.uploader import file_uploader

_PATTERNS = {
    "cl100k": "cl100k (GPT-4)",
    "o200k": "o200k (GPT-4o)",
    "gpt2": "GPT-2",
}
_OUTCOMES = "tokenizer files read"

Outcome = str | BPEError
"""The code of a tokenizer that could be read, or why it could not."""


def read() -> list[str]:
    """Draw the upload; read each tokenizer once, and return the codes of the new ones."""
    uploaded = file_uploader(
        _("Tokenizer files"),
        files.SUFFIXES,
        key="tokenizer_files",
        most_bytes=files.MAX_BYTES,
        accept_multiple_files=True,
    )
    pattern = "cl100k"
    if any(_has_ranks(file.getvalue(), file.name) for file in uploaded):
        pattern = settings.select(
            _("Split pattern of the .tiktoken file, which does not say its own"),
            _PATTERNS,
            key="rank_pattern",
        )
    outcomes: dict[tuple[str, ...], Outcome] = st.session_state.setdefault(_OUTCOMES, {})
    new = []
    by_name = {file.name: file for file in uploaded}
    for names in groups(list(by_name)):
        key = (*(by_name[name].file_id for name in names), pattern)
        if key not in outcomes:
            contents = {name: by_name[name].getvalue() for name in names}
            with st.spinner(_("Reading {name}…").format(name=plain(names_joined(names)))):
                outcomes[key] = _read(contents, pattern)
            if isinstance(code := outcomes[key], str):
                new.append(code)
        if isinstance(error := outcomes[key], BPEError):
            st.error(error_text(error))
    return new


def _has_ranks(content: bytes, name: str) -> bool:
    try:
        return files.kind_of(content, name) == ".tiktoken"
    except BPEError:  # said when it is read
        return False


def groups(names: Sequence[str]) -> list[list[str]]:
    """Put the files of one tokenizer together: a vocabulary in JSON with its merges in text.

    >>> groups(["vocab.json", "tokenizer.json", "merges.txt", "a.model"])
    [['vocab.json', 'merges.txt'], ['tokenizer.json'], ['a.model']]
    """
    merges = [name for name in names if PurePath(name).suffix.lower() == ".txt"]
    objects = [name for name in names if PurePath(name).suffix.lower() == ".json"]
    vocabularies = [name for name in objects if "vocab" in PurePath(name).stem.lower()]
    pairs = list(map(list, zip(vocabularies or objects, merges, strict=False)))
    paired = {name for pair in pairs for name in pair}
    return pairs + [[name] for name in names if name not in paired]


def _read(contents: Mapping[str, bytes], pattern: str) -> Outcome:
    state = hashlib.sha256(pattern.encode())
    for content in contents.values():
        state.update(content)
    digest = state.hexdigest()
    names = " + ".join(PurePath(name).name for name in contents)
    try:
        room.check()
        encoder = files.loads(contents, name=f"{names} ({digest[:4]})", pattern=pattern)
    except BPEError as error:
        return error
    code = f"{room.FILE}{digest[:8]}"
    session.keep(code, encoder)
    return code
