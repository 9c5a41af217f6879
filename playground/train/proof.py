"""Files of a tokenizer, loaded by the library that they are for, and held against our own ids."""

import json
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bpe import files as formats
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.text import own_pattern
from bpe.text.pretokenize import PATTERNS

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
    """What came of encoding the same texts by the library and by us."""

    library: str
    version: str
    texts: int
    ids: int
    differing: tuple[str, ...]
    """The texts to which the library gave other ids."""
    snippet: str
    """How to load the files in a program."""


def prove(
    tokenizer: Encoder,
    format: formats.Format,
    files: Mapping[str, bytes],
    texts: Iterable[str],
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
