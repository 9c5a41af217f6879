"""Tokenizers that a reader uploads, or that come from a repository of the Hugging Face Hub.

What is in a file is read and checked by :mod:`bpe.files`, never executed, and stays in the
session.
"""

import hashlib
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import PurePath

import streamlit as st

from bpe import files
from bpe.errors import BPEError
from bpe.files import hub
from bpe.reading import MAX_BYTES
from playground import session
from playground.ui import fields, progress
from playground.ui.fields import file_uploader
from playground.ui.i18n import _, error_text, names_joined, plain
from playground.ui.state import Field

MOST = 8
"""How many tokenizers a reader may bring at a time: each takes up to some hundred megabytes."""

HUB = "hub:"
"""How the code of a tokenizer of the Hub begins; its repository follows."""
_FILE = "file-"
_PREFIXES = (HUB, _FILE, "hub-", "published-")  # the last two in earlier session files

PATTERNS = {
    "cl100k": "cl100k (GPT-4)",
    "o200k": "o200k (GPT-4o)",
    "llama3": "llama3 (Llama 3, GLM-4, GLM-5)",
    "qwen2": "qwen2 (Qwen2, Qwen3)",
    "qwen3_5": "qwen3_5 (Qwen3.5, Qwen3.6)",
    "deepseek_v3": "deepseek_v3 (DeepSeek V3)",
    "kimi_k2": "kimi_k2 (Kimi K2)",
    "mistral_v3": "mistral_v3 (Mistral Nemo)",
}
"""Names of split patterns, beside that of GPT-2."""
_HUB_SECONDS = 20.0


Outcome = str | BPEError
"""The code of a tokenizer that could be read, or why it could not."""

_OUTCOMES: Field[dict[tuple[str, ...], Outcome]] = Field("tokenizer files read", {})
_HUB_ERRORS: Field[dict[str, BPEError]] = Field("repositories without a tokenizer", {})


def uploaded_codes() -> list[str]:
    return [code for code in session.own() if code.startswith(_PREFIXES)]


def read_files() -> list[str]:
    """Draw the upload; read each tokenizer once, and return the codes of the new ones."""
    uploaded = file_uploader(
        _("Tokenizer files"),
        files.SUFFIXES,
        key="tokenizer_files",
        most_bytes=MAX_BYTES,
        accept_multiple_files=True,
    )
    pattern = "cl100k"
    if any(_has_ranks(file.getvalue(), file.name) for file in uploaded):
        pattern = fields.select(
            _("Split pattern of the .tiktoken file, which does not say its own"),
            {**PATTERNS, "gpt2": "GPT-2"},
            key="rank_pattern",
        )
    outcomes = _OUTCOMES.stored()
    new, waiting = [], []
    by_name = {file.name: file for file in uploaded}
    for names in groups(list(by_name)):
        key = (*(by_name[name].file_id for name in names), pattern)
        if key not in outcomes:
            if len(uploaded_codes()) >= MOST:
                waiting.extend(names)  # read as soon as one is removed
                continue
            contents = {name: by_name[name].getvalue() for name in names}
            with st.spinner(_("Reading {name}…").format(name=plain(names_joined(names)))):
                outcomes[key] = _read_one(contents, pattern)
            if isinstance(code := outcomes[key], str):
                new.append(code)
        if isinstance(error := outcomes[key], BPEError):
            sentence = error_text(error)
            named = any(f"“{plain(name)}”" in sentence for name in names)
            st.error(sentence if named else f"{plain(names_joined(names))}: {sentence}")
    if waiting:
        sentence = _(
            "There is room for {most} tokenizers of your own. Remove one, and {names} will be read."
        )
        st.error(sentence.format(most=MOST, names=plain(names_joined(waiting))))
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


def _read_one(contents: Mapping[str, bytes], pattern: str) -> Outcome:
    state = hashlib.sha256(pattern.encode())
    for content in contents.values():
        state.update(content)
    digest = state.hexdigest()
    names = " + ".join(PurePath(name).name for name in contents)
    if any(_has_ranks(content, name) for name, content in contents.items()):
        names += f" · {pattern}"  # the same file may be read with several
    try:
        label = f"{names} ({digest[:4]})"
        encoder = files.loads(contents, name=label, pattern=pattern, on_wait=progress.checkpoint)
    except BPEError as error:
        return error
    code = f"{_FILE}{digest[:8]}"
    session.add(code, encoder)
    return code


def fetch_from_hub() -> list[str]:
    """Draw the name of a repository; return the code of the tokenizer just fetched from it."""
    with st.form("hub", border=False):
        repository = st.text_input(
            _("Or a repository of the Hugging Face Hub"),
            placeholder="Qwen/Qwen2.5-0.5B",
            key="hub_repository",
            persist_state="session",
        )
        clicked = st.form_submit_button(_("Fetch its tokenizer.json"), icon=":material/download:")
    code = f"{HUB}{(repository or '').strip()}"
    if clicked:
        _HUB_ERRORS.stored().pop(code, None)
        if code == HUB:
            return []
        with suppress(BPEError):
            fetch(code)
            return [code]
    if error := _HUB_ERRORS.stored().get(code):
        st.error(error_text(error))
    return []


def fetch(code: str, timeout: float = _HUB_SECONDS) -> None:
    """Fetch the tokenizer of a repository, which ``code`` names, into this session.

    What cannot be fetched raises :class:`BPEError`, again without another try.
    """
    errors, repository = _HUB_ERRORS.stored(), code.removeprefix(HUB)
    if code in session.own():
        return
    if code in errors:
        raise errors[code]
    try:
        if len(uploaded_codes()) >= MOST:
            raise BPEError(
                "There is room for {most} tokenizers of your own. Remove one first.", most=MOST
            )
        fetching = _("Fetching {name} from the Hub…").format(name=plain(repository))
        with st.spinner(fetching, show_time=True):
            encoder = hub.from_hub(repository, timeout=timeout, fetch=_download)
        session.add(code, encoder)
    except BPEError as error:
        errors[code] = error
        raise


def fetch_all(codes: Iterable[str]) -> None:
    """Fetch those of a link that are of the Hub, within the time for one.

    Why one cannot be fetched is said by :func:`why_not`.
    """
    until = time.monotonic() + _HUB_SECONDS
    for code in codes:
        if code.startswith(HUB):
            with suppress(BPEError):
                fetch(code, max(1.0, until - time.monotonic()))


def why_not(code: str) -> BPEError | None:
    """Return why a tokenizer of the Hub could not be fetched."""
    if error := _HUB_ERRORS.stored().get(code):
        return BPEError("{name}: {reason}", name=code.removeprefix(HUB), reason=error)
    return None


def _download(url: str, timeout: float) -> bytes:
    """Download, and give up as soon as the reader clicks something else."""
    return hub.download(url, timeout, progress.checkpoint)
