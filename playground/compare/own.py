"""The choice of tokenizers, and those that a reader brings: files, or a repository on the Hub.

What is in a file is read and checked by :mod:`bpe.formats`, never executed, and stays in the
session.
"""

import hashlib
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import Any

import streamlit as st

from bpe import formats
from bpe.encoder import Encoder
from bpe.errors import BPEError
from bpe.formats import hub
from playground import library, settings
from playground.texts import _, error_text, names_joined, plain
from playground.uploader import file_uploader

DEFAULT = ("o200k_base", "cl100k_base", "deepseek_v3", "qwen3")
MOST = 8
"""How many tokenizers a reader may bring at a time: each takes up to some hundred megabytes."""
HUB_SECONDS = 20.0

_PATTERNS = {
    "cl100k": "cl100k (GPT-4)",
    "o200k": "o200k (GPT-4o)",
    "gpt2": "GPT-2",
}
_OUTCOMES = "tokenizer files read"
_HUB_ERROR = "what the Hub answered"

Outcome = str | BPEError
"""The code of a tokenizer that could be read, or why it could not."""


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
            {code: library.label(code) for code in library.codes()},
            key=key,
            default=[*list(library.own())[-1:], *DEFAULT],
            also=brought,
            placeholder=_("Choose at least one"),
        )
        encoders: dict[str, Encoder] = {}
        for code in chosen:
            try:
                encoders[code] = library.encoder(code)
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
    new = [*_from_files(), *_from_hub()]
    mine = [code for code in library.own() if code.startswith(("file-", "hub-"))]
    for code in mine:
        encoder = library.own()[code]
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"{plain(library.label(code))}  \n:small[{_facts(encoder)}]")
            st.button(
                _("Remove"), key=f"remove_{code}", type="tertiary", icon=":material/close:",
                on_click=library.forget, args=(code,),
            )  # fmt: skip
    return new


def _facts(encoder: Encoder) -> str:
    """Say in a line what kind of tokenizer it is."""
    said = [_("{size} entries").format(size=f"{encoder.vocabulary_size:,}")]
    if isinstance(kind := getattr(encoder, "kind", None), str):
        said.append(kind)
    if encoder.normalises:
        said.append(_("changes the text: {how}").format(how=plain(encoder.normalises)))
    if encoder.lossy:
        said.append(_("has unknown characters"))
    return " · ".join(said)


# Files.


def _from_files() -> list[str]:
    uploaded = file_uploader(
        _("Tokenizer files"),
        formats.SUFFIXES,
        key="tokenizer_files",
        most_bytes=formats.MAX_BYTES,
        accept_multiple_files=True,
    )
    pattern = "cl100k"
    if any(file.name.endswith(".tiktoken") for file in uploaded):
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
        _make_room()
        encoder = formats.loads(contents, name=f"{names} ({digest[:4]})", pattern=pattern)
    except BPEError as error:
        return error
    code = f"file-{digest[:8]}"
    library.keep(code, encoder)
    return code


def _make_room() -> None:
    brought = [code for code in library.own() if code.startswith(("file-", "hub-"))]
    if len(brought) >= MOST:
        raise BPEError(
            "{most} tokenizers of your own are as many as fit. Remove one first.", most=MOST
        )


# The Hub.


def _from_hub() -> list[str]:
    with st.form("hub", border=False):
        repository = st.text_input(
            _("Or a repository of the Hugging Face Hub"),
            placeholder="Qwen/Qwen2.5-0.5B",
            key="hub_repository",
            persist_state="session",
        )
        asked = st.form_submit_button(_("Fetch its tokenizer.json"), icon=":material/download:")
    repository = (repository or "").strip()
    if asked:
        st.session_state.pop(_HUB_ERROR, None)
        if not repository:
            return []
        code = f"hub-{hashlib.sha256(repository.encode()).hexdigest()[:8]}"
        try:
            _make_room()
            with st.spinner(
                _("Fetching {name} from the Hub…").format(name=plain(repository)), show_time=True
            ):
                encoder = formats.from_hub(repository, timeout=HUB_SECONDS, fetch=_cancellable)
        except BPEError as error:
            st.session_state[_HUB_ERROR] = (repository, error)
        else:
            library.keep(code, encoder)
            return [code]
    said, reason = st.session_state.get(_HUB_ERROR, ("", None))
    if reason and said == repository:
        st.error(error_text(reason))
    return []


def _cancellable(url: str, timeout: float) -> bytes:
    """Download in a thread, and give up as soon as the reader clicks something else."""
    return _while_watching(lambda: hub.download(url, timeout))


def _while_watching(work: Callable[[], bytes]) -> bytes:
    results: list[Any] = []

    def run() -> None:
        try:
            results.append(work())
        except Exception as error:
            results.append(error)

    thread = threading.Thread(target=run, name="fetch a tokenizer", daemon=True)
    thread.start()
    while thread.is_alive():
        time.sleep(0.1)
        st.session_state.get(_HUB_ERROR)  # here a click ends this run
    if isinstance(results[0], Exception):
        raise results[0]
    return bytes(results[0])
