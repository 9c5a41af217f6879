"""Which tokens of a text are final: what is written behind it cannot change them any more.

Two things are open at the end of a text. The split pattern may cut it elsewhere: patterns look at a
run of characters and a few behind it, so that all its cuts are seen with the continuations of
:data:`PROBES`. And merges may join the end of the last pre-token with what follows. The tokens of a
word, up to any of them, are the tokens of that beginning by itself; so whatever follows, one token
reaches over the end of the text, and what stands before it is encoded as if it stood alone. Each
token of the vocabulary that begins with the last bytes of the text is such a one. Those that give
the earliest change are tried out, and the continuation that does it is the proof.
"""

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import islice, takewhile
from typing import NamedTuple

from bpe.encoders.base import Encoder
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.errors import BPEError
from bpe.text.cuts import between_pre_tokens
from bpe.text.own_pattern import is_own
from bpe.text.pretokenize import split_spans
from bpe.text.special_tokens import split_specials
from bpe.text.unicode import scalar_text

CLASSES = "abslvremtdAǅʰא中々〇あー・゛\u3040\u0301\u302a1½/'!$。€⺀\u200b\x00 \t\u3000\n\r"
"""A character of each class that a published pattern tells from others."""
_BLANK = " \t\u3000\n\r"
PROBES = ("", *CLASSES, *(a + b for a in _BLANK for b in CLASSES), "ll", "ve", "re")
_LOOKED_AT, _TRIED = 1_000, 200
"""Tokens that are looked at, and tried, at one place: nearly always the first does it."""
_COMPLETED = 64
_BACK = 64
LONGEST = 5_000
"""Characters of the last word, each of whose ends is encoded by itself."""


class Final(NamedTuple):
    """How many tokens at the start of a text are final: exactly, or at least."""

    count: int  # type: ignore[assignment]  # hides tuple.count
    by: str
    """A continuation that changes the next token; empty where none is needed, or none is found."""
    exact: bool
    """Whether ``count`` is exact. It is never too high: where a vocabulary is not byte-level BPE,
    its split pattern one's own, or the last word longer than :data:`LONGEST`, fewer tokens may be
    known to be final than there are."""


_Change = tuple[list[int], Callable[[], Iterator[str | None]]]
"""The ids up to a place where a continuation may lead elsewhere, and continuations to try: ``None``
where there are more than can be tried, none of which is known to be impossible."""


def final_tokens(encoder: Encoder, text: str) -> Final:
    """Return how many tokens at the start of ``text`` are the same whatever is written behind it.

    Special tokens in the text are taken as ordinary text.

    >>> from bpe.encoders.catalog import encoding
    >>> final_tokens(encoding("o200k_base"), "The capital of France is ")
    Final(count=5, by='(', exact=True)
    """
    text = scalar_text(text)
    ids = encoder.encode_ordinary(text)
    if not ids:
        return Final(0, "", True)
    is_published = encoder.pattern is not None and not is_own(encoder.pattern)
    if is_published and encoder.normalises in (None, "NFC"):
        if not isinstance(encoder, BytePairEncoder):
            raise BPEError(
                "{name} has a split pattern, but is no byte-level BPE of this library, so it is "
                "not known where it cuts. Leave its “pattern” out, or choose another encoder.",
                name=encoder.name,
            )
        changes = _changes(encoder, text)
    else:
        changes = iter([_by_cut(encoder, text)])
    count, exact = len(ids), True
    for place, tried in sorted(((common(ids, row), tried) for row, tried in changes), key=_place):
        if place > count or place == len(ids):
            break
        for more in tried():
            if more is None:
                count, exact = place, False
            elif (least := common(ids, encoder.encode_ordinary(text + more))) <= place:
                return Final(least, more, True)
    return Final(count, "", exact)


def _place(change: tuple[int, object]) -> int:
    return change[0]


def common(one: Iterable[object], other: Iterable[object]) -> int:
    """Return how many ids, or merges, two rows have in common at their starts."""
    return sum(
        1 for _same in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    )


def _by_cut(encoder: Encoder, text: str) -> _Change:
    """Return the ids before the last place where the encoder is known to cut any text."""
    end, after = 0, 0
    while (cut := encoder.next_cut(text, after)) and cut.next + encoder.reach <= len(text):
        end, after = (cut.end if cut.free else end), cut.next + 1
    return encoder.encode_ordinary(text[:end]), lambda: iter((*PROBES, None))


def _changes(encoder: BytePairEncoder, text: str) -> Iterator[_Change]:
    for token in encoder.added_tokens:
        for size in range(1, min(len(token), len(text) + 1)):
            if text.endswith(token[:size]):
                rest = token[size:]
                yield encoder.encode_ordinary(text[:-size]), partial(iter, [rest])
    *parts, (last, is_added) = split_specials(text, encoder.added_tokens)
    if is_added:
        return
    before = text[: len(text) - len(last)] if parts else ""
    head = encoder.encode_ordinary(before) if before else []
    if encoder.normaliser:
        last = encoder.normaliser(last)
    yield from _of_words(encoder, head, last)
    if encoder.normaliser and (end := _composed(last)) < len(last):
        for row, _tried in _of_words(encoder, head, last[:end]):
            yield row, lambda: iter((*_MARKS, None))


def _of_words(encoder: BytePairEncoder, head: list[int], text: str) -> Iterator[_Change]:
    """Yield how the tokens of a normalised text that goes on may begin behind those of ``head``."""
    pattern = str(encoder.pattern)
    border = _last_border(text, pattern)
    head = head + (encoder.engine.ids(text[:border]) if border else [])
    tail = text[border:]
    if len(tail) > LONGEST:
        yield head, lambda: iter((None,))
        return
    by_cuts: dict[tuple[int, ...], list[str]] = {}
    for probe in PROBES:
        cuts = tuple(place for _, place in split_spans(tail + probe, pattern) if place < len(tail))
        by_cuts.setdefault(cuts, []).append(probe)
    merged = encoder.model.merged
    tokens, longest = _sorted_tokens(encoder)
    for cuts, probes in by_cuts.items():
        row, start = list(head), 0
        for cut in cuts:
            row += encoder.encode_word(tail[start:cut].encode())
            start = cut
        word = tail[start:].encode()
        for place in range(max(0, len(word) - longest), len(word)):
            if next(_beginning(tokens, word[place:]), None):
                reaching = partial(_reaching, encoder, tail, word, place)
                yield row + merged(word[:place]), reaching
        yield row + encoder.encode_word(word), partial(iter, probes)
        # In a longer word, merges alone decide, also where this one is a token as a whole.
        if merged(word) != encoder.encode_word(word):
            yield row + merged(word), partial(iter, (*PROBES, None))


def _reaching(encoder: BytePairEncoder, tail: str, word: bytes, place: int) -> Iterator[str | None]:
    """Yield continuations by which a token from ``at`` in the open word reaches over its end."""
    merged, ids, encoded = encoder.model.merged, encoder._ids_by_bytes, encoder.encode_word
    before = merged(word[:place])
    start = len(tail.encode()) - len(word) + place
    tokens = list(islice(_beginning(_sorted_tokens(encoder)[0], word[place:]), _LOOKED_AT))
    is_open = len(tokens) == _LOOKED_AT

    def order(token: bytes) -> tuple[bool, bool, int]:
        return not _is_text(token), token.isspace(), ids[token]

    tried = 0
    for token in sorted(tokens, key=order):
        row = [*before, ids[token]]
        if merged(word[:place] + token) != row and (place or encoded(token) != row):
            continue
        if (tried := tried + 1) > _TRIED:
            is_open = True
            break
        all_of_them, continuations = _texts(token[len(word) - place :])
        for more in continuations:
            yield more
            yield more + "a"
            is_open = is_open or not _is_cut(encoder, tail + more, start, start + len(token))
        is_open = is_open or not all_of_them
    if is_open:
        yield None


def _is_cut(encoder: BytePairEncoder, text: str, start: int, end: int) -> bool:
    """Whether the pattern cuts between two bytes of a text, whatever is written behind it."""
    pattern = str(encoder.pattern)
    return all(
        any(
            start < len(text[:place].encode()) < end
            for _, place in split_spans(text + probe, pattern)
        )
        for probe in PROBES
    )


def _texts(data: bytes) -> tuple[bool, list[str]]:
    """Return texts that begin with these bytes, which may end inside a character; whether all."""
    try:
        return True, [data.decode()]
    except UnicodeDecodeError as error:
        whole, part = data[: error.start], data[error.start :]
    size = 2 if part[0] < 0xE0 else 3 if part[0] < 0xF0 else 4
    missing = size - len(part)
    if part[0] < 0xC2 or missing < 1:
        return True, []
    of_all = 64**missing
    texts = []
    for number in range(0, of_all, of_all // _COMPLETED):
        rest = bytes(0x80 | (number >> 6 * place) & 63 for place in reversed(range(missing)))
        try:
            texts.append((whole + part + rest).decode())
        except UnicodeDecodeError:
            continue
    return missing == 1 or not texts, texts


def _last_border(text: str, pattern: str) -> int:
    """Return the last place in a text where every continuation is cut, too; 0 if there is none."""
    cutter = between_pre_tokens(pattern)
    back = _BACK
    while cutter:
        start, border = max(0, len(text) - back), 0
        while (cut := cutter(text, max(start, border + 1))) and cut.next < len(text):
            border = cut.next
        if border or not start:
            return border
        back *= 4
    return 0


@lru_cache(maxsize=16)
def _sorted_tokens(encoder: Encoder) -> tuple[list[bytes], int]:
    """Return the tokens in the order of bytes, and the length of the longest."""
    specials = set(encoder.special_tokens.values())
    tokens = sorted(
        data
        for token_id, data in enumerate(encoder.token_table)
        if data and token_id not in specials
    )
    return tokens, max(map(len, tokens))


def _is_text(data: bytes) -> bool:
    return "\ufffd" not in data.decode("utf-8", "replace")


def _beginning(tokens: Sequence[bytes], start: bytes) -> Iterator[bytes]:
    """Yield the tokens that begin with these bytes and go on."""
    behind = map(tokens.__getitem__, range(bisect_right(tokens, start), len(tokens)))
    return takewhile(lambda token: token.startswith(start), behind)


_MARKS = "\u0301\u0300\u0308\u0323\u0338\u3099\u1161\u11a8"


def _composed(text: str) -> int:
    """Return from where on a text in NFC may be composed otherwise with what follows."""
    if text[-1:] not in _composing() and not unicodedata.combining(text[-1:] or " "):
        return len(text)
    start = len(text) - 1
    while start > 0 and (
        unicodedata.category(text[start])[0] == "M" or "\u1160" <= text[start] <= "\u11ff"
    ):
        start -= 1
    return start


@lru_cache(maxsize=1)
def _composing() -> frozenset[str]:
    """Return the characters that compose with one behind them."""
    parts = (unicodedata.decomposition(chr(code)).split() for code in range(0xC0, 0x12000))
    listed = {chr(int(pair[0], 16)) for pair in parts if len(pair) == 2 and pair[0][0] != "<"}
    hangul = {*map(chr, range(0x1100, 0x1113)), *map(chr, range(0xAC00, 0xD7A4, 28))}
    return frozenset(listed | hangul)
