"""The choice of tokenizers, and those that a reader brings: files, or a repository on the Hub.

What is in a file is read and checked by :mod:`bpe.files`, never executed, and stays in the
session.
"""

import streamlit as st

from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from playground import session
from playground.compare.own import from_files, from_hub, room
from playground.token_view.changes import in_words
from playground.ui import settings
from playground.ui.i18n import _, error_text, plain

DEFAULT = ("o200k_base", "cl100k_base", "deepseek_v3", "qwen3")


def choose_tokenizers(key: str, *, wide: bool = False) -> dict[str, Encoder]:
    """Draw the choice of tokenizers and return the loaded ones by code.

    What the reader brings is read first and chosen at once. A tokenizer that cannot be loaded is
    said to be missing, and left out. ``wide`` puts the two beside each other.
    """
    choice, bringing = st.columns([2, 1], gap="large") if wide else (st.container(), st.container())
    with bringing, st.expander(_("Bring your own tokenizer"), icon=":material/upload_file:"):
        brought = _bring()
    with choice:
        chosen = settings.several(
            _("Tokenizers"),
            {code: session.label(code) for code in session.codes()},
            key=key,
            default=[*list(session.own())[-1:], *DEFAULT],
            also=brought,
            placeholder=_("Choose at least one"),
        )
        encoders: dict[str, Encoder] = {}
        for code in chosen:
            try:
                encoders[code] = session.encoder(code)
            except BPEError as error:
                st.error(error_text(error))
    return encoders


def _bring() -> list[str]:
    """Draw the upload and the name of a repository; return the codes that are new."""
    st.caption(
        _(
            "A tokenizer.json, a .tiktoken file, vocab.json with merges.txt, a SentencePiece "
            ".model, or a file saved here. It stays in this session and is never executed."
        )
    )
    new = [*from_files.read(), *from_hub.fetch()]
    for code in room.brought():
        encoder = session.own()[code]
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"{plain(session.label(code))}  \n:small[{_facts(encoder)}]")
            st.button(
                _("Remove"), key=f"remove_{code}", type="tertiary", icon=":material/close:",
                on_click=session.forget, args=(code,),
            )  # fmt: skip
    return new


def _facts(encoder: Encoder) -> str:
    """Say in a line what kind of tokenizer it is."""
    said = [_("{size} entries").format(size=f"{encoder.vocabulary_size:,}")]
    if isinstance(kind := getattr(encoder, "kind", None), str):
        said.append(kind)
    if encoder.normalises:
        said.append(_("changes the text: {how}").format(how=plain(in_words(encoder.normalises, _))))
    if encoder.lossy:
        said.append(_("has unknown characters"))
    return " · ".join(said)
