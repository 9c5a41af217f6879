"""``bpe verify``: our ids beside those of the tokenizers that are installed here, on hostile texts.

Tests, benchmarks and fuzzing have these texts from here.
"""

import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib.metadata import version
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any
from unicodedata import normalize

import click

import bpe
from bpe.cli.output import as_json, print_columns, print_json
from bpe.cli.tokenizers import encoder_of, names, tokenizer_option
from bpe.documents import samples
from bpe.encoders import catalog
from bpe.encoders.base import Encoder
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.errors import BPEError
from bpe.files import format_for
from bpe.reading import errors_as
from bpe.text.pretokenize import PATTERNS
from bpe.text.unicode import scalar_text

Encode = Callable[[str], Sequence[int]]
_Compared = tuple[Encode, Encode, str]
"""Our encoding, theirs, and where theirs has the vocabulary from."""
_NUMBERS = ("strings", "ids", "differ")


@click.command()
@tokenizer_option(
    "The name of an encoding, or a file: tokenizer.json or .model; may be repeated. Default: all "
    "encodings.",
    multiple=True,
)
@click.option("--strings", default=2_000, show_default=True, help="Hostile strings.")
@click.option("--seed", default=1, show_default=True, help="Another one gives other strings.")
@click.option("--seconds", default=40, show_default=True, help="Of the processor, to begin in.")
@as_json
def verify(chosen: Sequence[str], strings: int, seed: int, seconds: int, as_json: bool) -> None:
    """Compare our ids with those of tiktoken, sentencepiece and tokenizers, as installed here.

    On hostile strings and the sample texts of this package, with the file that an engine has of a
    vocabulary, or else with ours as it is exported. Ends with 1 where an id differs or nothing was
    compared, and names what could not be.

    \b
    bpe verify
    bpe verify -t o200k_base -t llama3 --strings 100000 --json
    bpe verify -t tokenizer.json
    """
    random, end = Random(seed), time.process_time() + seconds
    texts = [scalar_text(random_text(random)) for _ in range(strings)]
    texts += [text for pair in samples.pairs() for text in (pair.zh, pair.en)]
    rows = []
    for name, engine in _pairs(  # a model's name stands for its encoding
        name if name in names() or Path(name).exists() else encoder_of(name).name
        for name in chosen or names()
    ):
        row: dict[str, Any] = {"vocabulary": name, "engine": engine}
        try:
            if time.process_time() > end:
                raise TimeoutError("no time was left; --seconds gives more")
            row["version"], encoder = version(engine), encoder_of(name)
            with tempfile.TemporaryDirectory() as folder:
                ours, theirs, row["source"] = _ENGINES[engine](encoder, name, Path(folder))
            is_nfc = encoder.normalises == "NFC"  # of Python's Unicode; tokenizers' is older
            row |= compare(ours, theirs, (normalize("NFC", t) if is_nfc else t for t in texts))
        except (ImportError, BPEError, OSError) as error:
            row["not_compared"] = str(error)
        rows.append(row)
    sums = {part: sum(row.get(part, 0) for row in rows) for part in _NUMBERS}
    if as_json:
        print_json({**sums, "seed": seed, "rows": rows})
    else:
        lines = [("vocabulary", "engine", "its vocabulary", *_NUMBERS, "")]
        for row in rows:
            cells = [f"{row[part]:,}" if part in row else "–" for part in _NUMBERS]
            note = row.get("not_compared") or (row["first"] and repr(row["first"])) or ""
            engine = f"{row['engine']} {row.get('version', '')}"
            lines.append((row["vocabulary"], engine, row.get("source", "–"), *cells, note))
        print_columns(lines, right=[3, 4, 5])
        click.echo("{ids:,} ids of {strings:,} strings compared: {differ:,} differ.".format(**sums))
    if sums["differ"] or not sums["strings"]:  # nothing compared is nothing proved
        raise click.exceptions.Exit(1)


def compare(ours: Encode, theirs: Encode, texts: Iterable[str]) -> dict[str, Any]:
    """Return how many texts and ids of theirs there are, how many ids differ, and the first text.

    >>> compare(lambda text: [*map(ord, text)], lambda text: [97] * len(text), ["aa", "ab"])
    {'strings': 2, 'ids': 4, 'differ': 1, 'first': 'ab'}
    """
    strings = ids = differ = 0
    first = None
    for text in texts:
        mine, expected = ours(text), theirs(text)
        off = sum(one != other for one, other in zip_longest(mine, expected))
        first = text if off and first is None else first
        strings, ids, differ = strings + 1, ids + len(expected), differ + off
    return {"strings": strings, "ids": ids, "differ": differ, "first": first}


def _pairs(chosen: Iterable[str]) -> list[tuple[str, str]]:
    """Return each vocabulary with its engines: small ones first, and those of tokenizers last."""
    size = {entry.name: entry.vocabulary_size for entry in catalog.encodings()}
    pairs = []
    for name in chosen:
        byte_level = name in size and bool(catalog.facts(name).pattern)
        if name in size or name.endswith(".model"):
            pairs.append((name, "tiktoken" if byte_level else "sentencepiece"))
        if not name.endswith(".model"):
            pairs.append((name, "tokenizers"))
    return sorted(pairs, key=lambda pair: (pair[1] == "tokenizers", size.get(pair[0], 0)))


def _by_tiktoken(encoder: Encoder, name: str, _folder: Path) -> _Compared:
    import tiktoken
    import tiktoken.load

    assert isinstance(encoder, BytePairEncoder)  # as the catalogue says
    read_file, tiktoken.load.read_file = tiktoken.load.read_file, _without_network
    try:
        engine, source = tiktoken.get_encoding(name), "its own, cached"
    except (ValueError, OSError):
        ranks, pattern = dict(encoder.ranks), PATTERNS[encoder.pattern or ""] or ""
        engine = tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
        source = "ours"
    finally:
        tiktoken.load.read_file = read_file
    return encoder.encode_ordinary, engine.encode_ordinary, source


def _without_network(blobpath: str) -> bytes:
    raise OSError


def _by_sentencepiece(encoder: Encoder, name: str, folder: Path) -> _Compared:
    from sentencepiece import SentencePieceProcessor

    path, source = _file(encoder, name, folder / "m.model", "sentencepiece")
    engine = SentencePieceProcessor(model_proto=path.read_bytes())
    return encoder.encode_ordinary, engine.encode, source


def _by_tokenizers(encoder: Encoder, name: str, folder: Path) -> _Compared:
    from tokenizers import Tokenizer

    path, source = _file(encoder, name, folder / "tokenizer.json", "huggingface")
    with errors_as("“{name}” is not a tokenizer that can be read: “{reason}”", name=path.name):
        engine = Tokenizer.from_file(str(path / "tokenizer.json" if path.is_dir() else path))
    engine.no_truncation()
    engine.no_padding()
    return (
        partial(encoder.encode, allowed_special="all"),
        lambda text: engine.encode(text, add_special_tokens=False).ids,
        source,
    )


def _file(encoder: Encoder, name: str, path: Path, format: Any) -> tuple[Path, str]:
    """Return the file of a tokenizer, and whose it is; what has none in the format is exported."""
    if name not in names() and format_for(encoder, Path(name)) == format:
        return Path(name), "the file"
    bpe.save(encoder, path, format=format)
    return path, "ours"


_ENGINES = {
    "tiktoken": _by_tiktoken,
    "sentencepiece": _by_sentencepiece,
    "tokenizers": _by_tokenizers,
}


SPECIALS = ("<|endoftext|>", "<|end|>", "<s>", "[INST]", "<｜User｜>", "<think>", "<unk>", "中")

# What a pattern, a normalisation or a vendor treats in a way of its own, and what once failed.
PIECES = list("aBzésſK中龘𠮷ンあ〇⺀・，。'’/_-1９½<|> \n\r\t\u3000\u00a0\u2028\u200b\x00\ufeff")
PIECES += list("▁\ufffd\u0301\u0307\u0345\u1abf\u3099\u200d\ufe0fﾞ\u0e33ΣİßǅﬁﷺK㎏각👩🏻🇨\U0003d000")
PIECES += ["'ll", "'RE", "  ", "\r\n", "ing", " the", "的", "2024", "ᄀ\u1161", "<|", *SPECIALS]

MARKS = "\u0301\u0323\u0307\u0345\u3099\u1abf\u200d\ufe0f"
HALF_PAIRS = "a中 \ud83d\ude00\ud800\udfff"


def random_text(random: Random) -> str:
    """Return a hostile text by plain chance, of one seed the same everywhere."""
    return random.choice(_KINDS)(random)


def _of(signs: Sequence[str], most: int) -> Callable[[Random], str]:
    return lambda random: "".join(random.choices(signs, k=random.randint(1, most)))


def _of_any_plane(random: Random) -> str:
    planes = random.choices(range(17), k=random.randint(1, 10))
    return "".join(chr(plane << 16 | random.randrange(1 << 16)) for plane in planes)


def _marks(random: Random) -> str:
    marks = random.choices(MARKS, k=random.randint(1, 40))
    return random.choice(PIECES) + "".join(marks) + random.choice(PIECES)


def _run(random: Random) -> str:
    return random.choice(PIECES) * random.randint(2, 120) + random.choice(PIECES)


def _special_tokens(random: Random) -> str:
    tokens = random.choices(SPECIALS, k=random.randint(1, 3))
    return random.choice(PIECES).join(["", *tokens, ""])


_KINDS: tuple[Callable[[Random], str], ...] = (
    *[_of(PIECES, 24)] * 3, *[_of_any_plane] * 2, _marks, _of(HALF_PAIRS, 9), _run, _special_tokens,
)  # fmt: skip
