"""Taking a tokenizer away: its files, loaded by the library that they are for at once.

That library's ids are held against ours.
"""

import json
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import streamlit as st

from bpe import files as formats
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.text import own_pattern
from bpe.text.pretokenize import PATTERNS
from playground.train import current
from playground.train.corpus import Corpus
from playground.train.job import Trained
from playground.ui import caches, fields
from playground.ui.i18n import _, error_text, plain, sentences_joined
from playground.ui.streamlit_private import fragment

_PROOF_BYTES = 10_000
_SHOWN = 3

AWKWARD: tuple[str, ...] = (
    " ",
    "  two  spaces   three    four ",
    "\ttab\n\nnewlines\r\nand\rreturns\n",
    "I'm WE'LL they'd've 'quoted' don’t",
    "1 12 123 1234 12345 3.14 1,000,000 ½ ²³ ٣٤",
    "def f(x):\n    return x ** 2  # comment\n",
    "https://example.org/路径?q=中文&n=1#top",
    "中文English混排，没有空格。",
    "汉字「引号」、——破折号……《书名》",
    "㐀𠀀𪚥 龘靐齉 〇",
    "emoji 👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 ❤️",
    "e\u0301 Å ﬁ İıſß",
    "עברית العربية \u202eabc\u202c",
    "日本語ひらがなカタカナ 한국어",
    "\ufeffBOM zero\u200bwidth soft\u00adhyphen nbsp\u00a0ideographic\u3000space",
    "\x00\x01\x7f\x85 control",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "========----____~~~~!!!!????",
    "\u0e44\u0e17\u0e22 \u0939\u093f\u0928\u094d\u0926\u0940",
    "�",
)
"""Strings at which tokenizers part."""

SAMPLE = 20_000
"""Characters of a reader's text that are encoded."""

Encode = Callable[[str], list[int]]


@dataclass(frozen=True)
class Proof:
    """The ids of the same texts by the library and by us, compared."""

    library: str
    version: str
    texts: int
    ids: int
    differing: tuple[str, ...]
    """The texts to which the library gave other ids."""
    snippet: str
    """How to load the files in a program."""


def prove(
    tokenizer: Encoder, format: formats.Format, files: Mapping[str, bytes], texts: Iterable[str]
) -> Proof:
    """Load ``files`` in the library of ``format`` and encode ``texts`` and :data:`AWKWARD`.

    A library that cannot read them raises :class:`BPEError`.
    """
    library, version, encode, snippet = _loaded(tokenizer, format, files)
    compared = 0
    ids = 0
    differing = []
    for text in dict.fromkeys([*(text[:SAMPLE] for text in texts if text), *AWKWARD]):
        if any(token in text for token in tokenizer.special_tokens):
            continue  # which of the libraries takes it for what is a setting, not a difference
        try:
            ours = tokenizer.encode(text)
        except BPEError:  # characters that a tokenizer of characters does not know
            continue
        compared += 1
        ids += len(ours)
        if encode(text) != ours:
            differing.append(text)
    return Proof(library, version, compared, ids, tuple(differing), snippet)


def _loaded(
    tokenizer: Encoder, format: formats.Format, files: Mapping[str, bytes]
) -> tuple[str, str, Encode, str]:
    if "huggingface" not in formats.formats_of(tokenizer):
        return _ours(files)
    match format:
        case "huggingface":
            return _huggingface(files)
        case "gpt2":
            return _gpt2(tokenizer, files)
        case "tiktoken":
            return _tiktoken(tokenizer, files)
    return _ours(files)


def _ours(files: Mapping[str, bytes]) -> tuple[str, str, Encode, str]:
    loaded = formats.loads(files)
    where = f'"{next(iter(files))}"' if len(files) == 1 else '"."'
    snippet = f'import bpe\n\ntokenizer = bpe.load({where})\ntokenizer.encode("你好")\n'
    return "bpe", "", loaded.encode, snippet


def _huggingface(files: Mapping[str, bytes]) -> tuple[str, str, Encode, str]:
    import tokenizers

    loaded = tokenizers.Tokenizer.from_str(files["tokenizer.json"].decode())
    snippet = (
        "from tokenizers import Tokenizer\n\n"
        'tokenizer = Tokenizer.from_file("tokenizer.json")\n'
        'tokenizer.encode("你好", add_special_tokens=False).ids\n'
    )
    return (
        "tokenizers",
        tokenizers.__version__,
        lambda text: list(loaded.encode(text, add_special_tokens=False).ids),
        snippet,
    )


def _gpt2(tokenizer: Encoder, files: Mapping[str, bytes]) -> tuple[str, str, Encode, str]:
    import tokenizers

    merges = files["merges.txt"].decode().splitlines()[1:]
    loaded = tokenizers.ByteLevelBPETokenizer(
        vocab=json.loads(files["vocab.json"]), merges=[tuple(line.split(" ")) for line in merges]
    )
    snippet = (
        "from tokenizers import ByteLevelBPETokenizer\n\n"
        'tokenizer = ByteLevelBPETokenizer("vocab.json", "merges.txt")\n'
    )
    if tokenizer.special_tokens:
        snippet += f"tokenizer.add_special_tokens({list(tokenizer.special_tokens)!r})\n"
        loaded.add_special_tokens(list(tokenizer.special_tokens))
    snippet += 'tokenizer.encode("你好").ids\n'
    return "tokenizers", tokenizers.__version__, lambda text: list(loaded.encode(text).ids), snippet


def _tiktoken(tokenizer: Encoder, files: Mapping[str, bytes]) -> tuple[str, str, Encode, str]:
    import tiktoken
    from tiktoken.load import load_tiktoken_bpe

    (name, content), *_ = files.items()
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / name
        path.write_bytes(content)
        ranks = load_tiktoken_bpe(str(path))
    name_of_pattern = tokenizer.pattern or "none"
    pattern = PATTERNS.get(name_of_pattern) or r"[\s\S]+"
    if own_pattern.is_own(name_of_pattern):
        pattern = own_pattern.expression(name_of_pattern)
    specials = dict(tokenizer.special_tokens)
    try:
        loaded = tiktoken.Encoding(
            "trained", pat_str=pattern, mergeable_ranks=ranks, special_tokens=specials
        )
    except ValueError as error:
        raise BPEError(
            "tiktoken cannot read the split pattern: “{reason}”", reason=str(error)
        ) from error
    snippet = (
        "import tiktoken\nfrom tiktoken.load import load_tiktoken_bpe\n\n"
        "tokenizer = tiktoken.Encoding(\n"
        '    "trained",\n'
        f"    pat_str={pattern!r},\n"
        f'    mergeable_ranks=load_tiktoken_bpe("{name}"),\n'
        f"    special_tokens={specials!r},\n"
        ")\n"
        'tokenizer.encode("你好")\n'
    )
    return (
        "tiktoken",
        tiktoken.__version__,
        lambda text: list(loaded.encode_ordinary(text)),
        snippet,
    )


# What is drawn


@fragment
def popover(trained: Trained, corpus: Corpus, code: str) -> None:
    """Draw the button behind which the downloads are.

    A fragment, so that a choice in it leaves the page and with it the open popover as they are.
    """
    place = st.popover(
        _("Download"), icon=":material/download:", key="downloads", on_change="rerun"
    )
    with place:
        if place.open:
            current.naming(code)
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
