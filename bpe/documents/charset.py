"""Bytes of unknown origin to text: how the bytes were read, and whether that was a guess.

A byte order mark is asked first, then strict UTF-8, then the Chinese encodings by how much *common*
Chinese they yield, then charset-normalizer for the rest of the world.
"""

import codecs
import contextlib
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from bpe.errors import BPEError

ENCODINGS: tuple[str, ...] = (
    *("utf-8", "gb18030", "big5hkscs", "utf-16-le", "utf-16-be"),
    *("shift_jis", "euc_jp", "euc_kr", "cp1252"),
)
"""The encodings to offer where a guess is to be overridden; :func:`decode` knows more."""

_NO_CHARSETS = {"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"}
"""Codecs of Python that decode, but what no file is written in."""

_WESTERN = set("àáâãäåæçèéêëìíîïñòóôõöøœùúûüÿß¡¿ªº‘’“”‚„«»–—…·•°§©®™€£\xa0")
"""Lower-case letters and signs beyond ASCII of Western European languages in Windows-1252."""

PLAIN: tuple[str, ...] = (".txt", ".md", ".json", ".csv", ".tsv", ".jsonl", ".ndjson")
"""Suffixes of files that are text, so that their encoding may have to be chosen."""
SUFFIXES: tuple[str, ...] = (*PLAIN, ".parquet", ".xlsx", ".xls", ".ods", ".pdf", ".docx")

_BYTE_ORDER_MARKS = (  # UTF-32-LE begins like UTF-16-LE, so it comes first
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    ("\ufeff".encode("gb18030"), "gb18030"),
)

_SIGNATURES = (
    (b"%PDF-", "PDF"),
    (b"PK\x03\x04", "ZIP (docx, xlsx, …)"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Microsoft Office"),
    (b"\x89PNG", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF8", "GIF"),
    (b"\x1f\x8b", "gzip"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!", "RAR"),
    (b"PAR1", "Parquet"),
    (b"SQLite format 3\0", "SQLite"),
    (b"\x7fELF", "ELF"),
)

_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f]")
_MOST_CONTROL = 0.05  # of the characters; more of them than that, and it is no text

_WIDE, _NARROW = ("utf-16-le", "utf-16-be"), ("gb18030", "big5hkscs")
_ENOUGH = 0.8  # of the characters beyond ASCII must be common Chinese
_BETTER_THAN_NOTHING = 0.5  # where nothing else is found
_SAMPLE = 1 << 17  # bytes to guess from; the whole is then decoded strictly
_BLOCK = 1 << 20  # one at a time, so that other threads have their turn


@dataclass(frozen=True)
class Decoded:
    """A text, the Python name of the encoding it was read in, and whether that was guessed."""

    text: str
    encoding: str
    guessed: bool


def decode(data: bytes, *, encoding: str | None = None) -> Decoded:
    """Read ``data`` in ``encoding``, or in the encoding that it seems to have.

    A byte order mark and valid UTF-8 are taken at their word (``guessed`` is false); anything
    else is a guess that its owner should see and may override: EUC-KR, for one, looks like
    GB18030. The byte order mark is not part of the text. Empty, binary and undecodable data
    raise :class:`BPEError`.

    >>> decode("学而时习之，不亦说乎？".encode("gb18030"))
    Decoded(text='学而时习之，不亦说乎？', encoding='gb18030', guessed=True)
    """
    if not data:
        raise BPEError("The file is empty. Choose one that has some text in it.")
    if kind := signature_of(data):
        raise BPEError(
            "This is a {kind} file, not plain text. Save its text as UTF-8 first.", kind=kind
        )
    decoded = _detect(data) if encoding is None else _override(data, encoding)
    if _controls(decoded.text) > _MOST_CONTROL * len(decoded.text):
        if encoding is None:
            raise BPEError("This file is not text: it is full of control characters.")
        raise BPEError(
            "Read as {encoding}, this file is full of control characters. Choose another encoding.",
            encoding=decoded.encoding,
        )
    if not decoded.text:
        raise BPEError("The file is empty. Choose one that has some text in it.")
    return decoded


def signature_of(data: bytes) -> str:
    """Return which kind of binary file begins so, or nothing."""
    return next((kind for signature, kind in _SIGNATURES if data.startswith(signature)), "")


def marked(data: bytes) -> str | None:
    """Return the charset that a byte order mark at the beginning says."""
    return next((name for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), None)


def known_charset(name: str) -> str:
    """Return the name that Python has for a charset, or raise :class:`BPEError`."""
    try:
        codec = codecs.lookup(name).name
        io.TextIOWrapper(io.BytesIO(), codec)  # LookupError for what decodes to no text: base64
        if codec not in _NO_CHARSETS:
            return codec
    except (LookupError, ValueError):  # ValueError: a NUL in the name
        pass
    raise BPEError(
        "There is no text encoding “{encoding}”. Choose one of: {names}.",
        encoding=name,
        names=", ".join(ENCODINGS),
    )


def _override(data: bytes, encoding: str) -> Decoded:
    codec = known_charset(encoding)
    try:
        return Decoded(_decode(data, codec).removeprefix("\ufeff"), codec, guessed=False)
    except UnicodeDecodeError as error:
        raise BPEError(
            "This file is not {encoding}: byte {position} does not fit. Choose another encoding.",
            encoding=encoding,
            position=error.start + 1,
        ) from error
    except UnicodeError as error:
        raise BPEError(
            "This file is not {encoding}. Choose another encoding.", encoding=encoding
        ) from error


def _detect(data: bytes) -> Decoded:
    if name := marked(data):
        return _override(data, name)
    text = _strictly(data, "utf-8")
    if text is not None and not _controls(text):
        return Decoded(text, "utf-8", guessed=False)
    for name in _guesses(data, is_utf8=text is not None):
        guessed = _strictly(data, name)
        if guessed is not None:
            return Decoded(guessed.removeprefix("\ufeff"), name, guessed=True)
    raise BPEError(
        "The encoding of this file cannot be told. Save it as UTF-8, or choose its encoding."
    )


def _decode(data: bytes, encoding: str) -> str:
    """Return ``data.decode(encoding)``, made block by block."""
    blocks = (data[start : start + _BLOCK] for start in range(0, len(data), _BLOCK))
    try:
        return "".join(codecs.iterdecode(blocks, encoding))
    except UnicodeDecodeError:
        return data.decode(encoding)  # raises the same, with the place in all of the data


def _strictly(data: bytes, encoding: str) -> str | None:
    try:
        return _decode(data, encoding)
    except UnicodeDecodeError:
        return None


def _controls(text: str) -> int:
    blocks = (text[start : start + _BLOCK] for start in range(0, len(text), _BLOCK))
    return sum(len(_CONTROL.findall(block)) for block in blocks)


def _sample(data: bytes) -> bytes:
    """Return a stretch of bytes from the first one beyond ASCII on, at an even offset."""
    beyond = re.search(rb"[\x80-\xff]", data)
    start = beyond.start() & ~1 if beyond else 0
    return data[start : start + _SAMPLE]


def _guesses(data: bytes, *, is_utf8: bool) -> list[str]:
    """Return the encodings that data may be in, the likeliest first.

    UTF-16 is asked before the others: read in the wrong byte width hardly one character in five is
    common Chinese. Within a width the higher score wins.
    """
    sample = _sample(data)
    scores: dict[str, float] = {}
    for name in (*_WIDE, *_NARROW):
        with contextlib.suppress(UnicodeDecodeError):
            scores[name] = _score(codecs.getincrementaldecoder(name)().decode(sample))

    def at_least(least: float, names: Iterable[str]) -> list[str]:
        passed = [name for name in names if scores.get(name, 0) >= least]
        return sorted(passed, key=scores.__getitem__, reverse=True)

    wide = at_least(_ENOUGH, _WIDE)
    if is_utf8:  # so is UTF-16 that has no byte above 127
        return [*wide, "utf-8"]
    if likely := wide + at_least(_ENOUGH, _NARROW):
        return likely
    _refuse_broken_utf8(data, sample)
    from charset_normalizer import from_bytes  # takes longer than most files

    matches = from_bytes(sample)
    best = matches.best()
    others = [] if best is None else [best.encoding]
    if _is_western(sample) and any("cp1252" in each.could_be_from_charset for each in matches):
        others = ["cp1252"]  # which of its neighbours fits as well is luck
    return others + at_least(_BETTER_THAN_NOTHING, scores)


def _is_western(data: bytes) -> bool:
    """Whether data is Windows-1252 with the letters and signs of Western languages alone."""
    text = _strictly(data, "cp1252")
    return text is not None and {sign for sign in text.lower() if sign >= "\x80"} <= _WESTERN


def _refuse_broken_utf8(data: bytes, sample: bytes) -> None:
    beyond_ascii = [c for c in sample.decode("utf-8", "replace") if c >= "\x80"]
    if beyond_ascii.count("\ufffd") * 10 >= len(beyond_ascii):
        return
    try:
        data.decode()
    except UnicodeDecodeError as error:
        raise BPEError(
            "This file is UTF-8, but byte {position} is broken. Mend it, or choose its encoding.",
            position=error.start + 1,
        ) from error


def _score(text: str) -> float:
    """Return the share of common Chinese among characters beyond ASCII.

    Text that is ASCII after all scores 1 where it is free of control characters: that is how
    English in UTF-16 is found.
    """
    beyond_ascii = [character for character in text if character >= "\x80"]
    if not beyond_ascii:
        return float(not _CONTROL.search(text))
    common = _common_chinese()
    return sum(character in common for character in beyond_ascii) / len(beyond_ascii)


@lru_cache(maxsize=1)
def _common_chinese() -> frozenset[str]:
    """Level 1 of GB 2312 (3,755 characters) and of Big5 (5,401), and Chinese punctuation."""
    trails = (*range(0x40, 0x7F), *range(0xA1, 0xFF))
    level_1 = [(lead, trail, "gb2312") for lead in range(0xB0, 0xD8) for trail in trails[63:]]
    level_1 += [(lead, trail, "big5") for lead in range(0xA4, 0xC7) for trail in trails]
    characters = set()
    for lead, trail, encoding in level_1:
        text = _strictly(bytes((lead, trail)), encoding)
        if text is not None and "\u4e00" <= text <= "\u9fff":
            characters.add(text)
    for first, last in (("\u3000", "\u301f"), ("\uff00", "\uff65"), ("\u2010", "\u2027")):
        characters.update(map(chr, range(ord(first), ord(last) + 1)))
    return frozenset(characters | {"·", "\ufeff"})
