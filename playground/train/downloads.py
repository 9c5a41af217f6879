"""Taking a tokenizer away: its files, and the proof that they load elsewhere."""

from collections.abc import Mapping, Sequence
from typing import cast

import streamlit as st

from bpe import files as formats
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from playground.train import saved
from playground.train.corpus import Corpus
from playground.train.job import Trained
from playground.train.proof import Proof, prove
from playground.ui import caches, fields
from playground.ui.i18n import _, error_text, plain, sentences_joined
from playground.ui.streamlit_private import fragment

_PROOF_BYTES = 10_000
_SHOWN = 3


@fragment
def popover(trained: Trained, corpus: Corpus, code: str) -> None:
    """Draw the button behind which the downloads are.

    A fragment, so that a choice in it leaves the page and with it the open popover as they are.
    """
    place = st.popover(
        _("Download"),
        icon=":material/download:",
        key="downloads",
        on_change="rerun",
    )
    with place:
        if place.open:
            saved.naming(code)
            _files(trained, (corpus.opening, *corpus.texts[:10]))


def _files(trained: Trained, texts: Sequence[str]) -> None:
    tokenizer = trained.tokenizer
    names = {
        "huggingface": "Hugging Face (tokenizer.json)",
        "bpe": _("BPE Playground (JSON)"),
        "gpt2": "GPT-2 (vocab.json, merges.txt)",
        "tiktoken": "tiktoken",
    }
    offered = formats.formats_of(tokenizer)
    kinds: dict[str, str] = {format: name for format, name in names.items() if format in offered}
    chosen = fields.select(_("Format"), kinds, key="download_format", in_url=False)
    format = cast(formats.Format, chosen)
    try:
        files = formats.dumps(tokenizer, format)
    except BPEError as error:
        st.warning(error_text(error))
        return
    for file_name, data in files.items():
        _button(file_name, data)
    _prove(tokenizer, format, files, texts, trained.identity)


def _button(name: str, data: bytes) -> None:
    st.download_button(
        _("Download {name}").format(name=name), data, name, icon=":material/download:",
        on_click="ignore", width="stretch",
    )  # fmt: skip


def _prove(
    tokenizer: Encoder,
    format: formats.Format,
    files: Mapping[str, bytes],
    texts: Sequence[str],
    identity: object,
) -> None:
    """Load the files in their library, once for each tokenizer, and say what it gives."""

    def make() -> Proof:
        with st.spinner(_("Loading the files in their library…")):
            return prove(tokenizer, format, files, texts)

    try:
        say(caches.cached(("proof", identity, format), make, memory=_PROOF_BYTES))
    except BPEError as error:
        st.warning(error_text(error))


def say(proof: Proof) -> None:
    """Say what was done with the files, and how to load them."""
    if proof.differing:
        st.warning(outcome(proof))
    else:
        st.success(outcome(proof), icon=":material/verified:")
    st.code(proof.snippet, language="python")


def outcome(proof: Proof) -> str:
    """Return what the library gave, and where that differs from ours."""
    name = f"{proof.library} {proof.version}".strip()
    if not proof.differing:
        return _("Loaded by {library} just now: {texts} texts, {ids} ids, all the same.").format(
            library=name, texts=f"{proof.texts:,}", ids=f"{proof.ids:,}"
        )
    shown = ", ".join(f"“{plain(repr(text[:40])[1:-1])}”" for text in proof.differing[:_SHOWN])
    return sentences_joined(
        _("Loaded by {library} just now: other ids for {count} of {texts} texts.").format(
            library=name, count=f"{len(proof.differing):,}", texts=f"{proof.texts:,}"
        ),
        _("The first: {shown}").format(shown=shown),
    )
