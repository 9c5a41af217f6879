"""The changes to a text before it is split, and which characters of it each result stands for.

The last part is SentencePiece's: the longest entry of a table at each place, then white space. The
table (``precompiled_charsmap``) is a trie in a Darts-clone double array, whose layout is fixed by
https://github.com/s-yata/darts-clone, and the normalised strings behind it.
"""

import json
import struct
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from bpe.encoders.base import PickledAlike
from bpe.errors import BPEError, library
from bpe.text.special_tokens import split_specials

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.int64]

Spans = list[tuple[int, int]]


class HuggingFaceNormaliser(PickledAlike):
    """The normalizer of a ``tokenizer.json``, as a function from text to text."""

    def __init__(self, normalizer: Mapping[str, Any]) -> None:
        tokenizers = library("tokenizers")
        self.values = normalizer
        engine = tokenizers.Tokenizer(tokenizers.models.BPE())
        values = {**json.loads(engine.to_str()), "normalizer": normalizer}
        self._engine = tokenizers.Tokenizer.from_str(json.dumps(values)).normalizer

    def __call__(self, text: str) -> str:
        normalised: str = self._engine.normalize_str(text)
        return normalised

    def spans(self, text: str) -> Spans:
        spans: Spans = self._by_character.encode(text, add_special_tokens=False).offsets
        return spans

    def places(self, text: str) -> "Numbers":
        """Return :meth:`spans` as an array, a row for each."""
        import numpy as np

        return np.array(self.spans(text), np.int64).reshape(-1, 2)

    @cached_property
    def _by_character(self) -> Any:
        """A tokenizer that makes a token of each character, and knows where it was."""
        tokenizers = library("tokenizers")
        engine = tokenizers.Tokenizer(tokenizers.models.WordLevel({"": 0}, unk_token=""))
        engine.normalizer = self._engine
        each = tokenizers.Regex(r"(?m:.)")
        engine.pre_tokenizer = tokenizers.pre_tokenizers.Split(each, "isolated")
        return engine

    def __reduce__(self) -> tuple[Any, ...]:
        return HuggingFaceNormaliser, (self.values,)


@dataclass(frozen=True)
class Normaliser:
    """The normalisation of a recipe by its name (``"NFC"``), as a function from text to text."""

    name: str

    def __call__(self, text: str) -> str:
        from bpe.text.pretokenize import normaliser  # only here: regex takes long

        return normaliser(self.name)(text)

    def spans(self, text: str) -> Spans:
        """Return for each character of the normalised text the span of ``text`` it is made of."""
        return self._of_hugging_face.spans(text)

    def places(self, text: str) -> "Numbers":
        """Return :meth:`spans` as an array, a row for each; of NFC they are found where it changes.

        What composes with nothing before it, nor changes by itself, keeps both sides apart.
        """
        if self.name != "NFC" or not text:
            return self._of_hugging_face.places(text)
        import numpy as np

        codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
        table = np.zeros(0x110000, np.bool_)
        table[[ord(character) for character in set(text) if _may_change(character)]] = True
        may_change = table[codes]
        begins = ~may_change
        begins[0] = True
        starts = np.flatnonzero(begins)
        ends = np.append(starts[1:], len(text))
        is_run = (ends - starts > 1) | may_change[starts]
        spots = zip(starts[is_run].tolist(), ends[is_run].tolist(), strict=True)
        runs = [text[start:end] for start, end in spots]
        within = {run: [*chain.from_iterable(self.spans(run))] for run in set(runs)}
        counts = np.ones(len(starts), np.int64)
        counts[is_run] = [len(within[run]) >> 1 for run in runs]
        spans: Numbers = np.repeat(starts, counts)[:, None] + np.array([0, 1])
        inside = np.fromiter(chain.from_iterable(map(within.__getitem__, runs)), np.int64)
        spans[np.repeat(is_run, counts)] += inside.reshape(-1, 2) - np.array([0, 1])
        return spans

    @cached_property
    def _of_hugging_face(self) -> HuggingFaceNormaliser:
        from bpe.encoders.huggingface import normalizer  # only here: it is seldom wanted

        return HuggingFaceNormaliser(normalizer(self.name) or {})


_JAMO, _KIRAT_RAI = range(0x1160, 0x1200), range(0x16D63, 0x16D6B)  # letters that compose


def _may_change(character: str) -> bool:
    """Return whether NFC may change a character, or join it to what stands before."""
    return (
        unicodedata.category(character)[0] == "M"
        or ord(character) in _JAMO
        or ord(character) in _KIRAT_RAI
        or not unicodedata.is_normalized("NFC", character)
    )


class CharacterMap:
    """The table of a model; :class:`BPEError` if its size does not fit what it says."""

    def __init__(self, blob: bytes) -> None:
        if (
            len(blob) < 4
            or (size := int.from_bytes(blob[:4], "little")) > len(blob) - 4
            or size % 4
        ):
            raise BPEError("The normalisation table of this SentencePiece model is broken.")
        self._units = struct.unpack(f"<{size // 4}I", blob[4 : 4 + size])
        self._strings = blob[4 + size :]
        self._unchanged: set[bytes] = set()

    def longest(self, data: bytes, start: int) -> tuple[int, bytes] | None:
        """Return the length of the longest entry at ``start`` and what replaces it."""
        longest, _ = self._walk(data, start)
        return longest

    def _walk(self, data: bytes, start: int) -> tuple[tuple[int, bytes] | None, int]:
        """Return the longest entry, and how many bytes decide that there is no longer one."""
        longest = None
        place = 0
        index = start
        units = self._units
        try:
            unit = units[0]
            place ^= _offset(unit)
            for index in range(start, len(data)):
                byte = data[index]
                place ^= byte
                unit = units[place]
                if unit & 0x800000FF != byte:  # the label, of a unit that is no leaf
                    break
                place ^= _offset(unit)
                if unit >> 8 & 1:
                    longest = index + 1 - start, units[place] & 0x7FFFFFFF
            else:
                index = len(data)
        except IndexError as error:
            raise BPEError(
                "The normalisation table of this SentencePiece model is broken."
            ) from error
        seen = index + 1 - start
        if longest is None:
            return None, seen
        length, where = longest
        end = self._strings.find(b"\0", where)
        return (length, self._strings[where : end if end >= 0 else None]), seen

    def apply(self, text: str) -> str:
        """Return ``text`` with every entry of the table replaced."""
        data = text.encode()
        unchanged = self._unchanged
        made = bytearray()
        place = 0
        while place < len(data):
            length = _character_length(data[place])
            # A character and the next byte mostly decide that no entry starts here.
            beginning = data[place : place + length + 1]
            if beginning in unchanged:
                made += data[place : place + length]
            else:
                entry, seen = self._walk(data, place)
                if entry is not None:
                    length, replacement = entry
                    made += replacement
                else:
                    made += data[place : place + length]
                    if seen <= len(beginning):
                        unchanged.add(beginning)
            place += length
        return made.decode("utf-8", "replace")


def _offset(unit: int) -> int:
    return unit >> 10 << ((unit & 1 << 9) >> 6)


def _character_length(first: int) -> int:
    return 1 + (first >= 0xC0) + (first >= 0xE0) + (first >= 0xF0)


def normaliser(
    blob: bytes,
    *,
    dummy_prefix: bool,
    remove_extra_spaces: bool,
    escape: bool,
    protected: Collection[str] = (),
) -> Callable[[str], str]:
    """Return SentencePiece's function from text to what is cut into pieces.

    In its order: the table, but not in ``protected`` pieces; spaces removed at both ends and
    doubled ones within; a space put in front of what is left, if anything, or where no spaces are
    removed of any text; spaces written ``▁``.
    """
    table = CharacterMap(blob) if blob else None

    def normalise(text: str) -> str:
        new = text
        if table is not None:
            parts = split_specials(text, protected)
            new = "".join(part if special else table.apply(part) for part, special in parts)
        if remove_extra_spaces:
            new = " ".join(filter(None, new.split(" ")))
        if dummy_prefix and text and (new or not remove_extra_spaces):
            new = " " + new
        if not escape:
            return new
        new = new.replace(" ", "▁")
        return new.rstrip("▁") if remove_extra_spaces else new

    return normalise


Placed = tuple[str, int, int]
"""A character of a normalised text, and the span of the text that it stands for."""


def placed(
    text: str,
    blob: bytes,
    *,
    dummy_prefix: bool,
    remove_extra_spaces: bool,
    escape: bool,
    protected: Collection[str] = (),
) -> list[Placed]:
    """Return what :func:`normaliser` makes of a text, by character: slower, with its places."""
    row = list(_mapped(text, CharacterMap(blob) if blob else None, protected))
    if remove_extra_spaces:
        row = list(_with_single_spaces(row))
    if dummy_prefix and text and (row or not remove_extra_spaces):
        start = row[0][1] if row else 0
        row.insert(0, (" ", start, start))
    if escape:
        row = [("▁" if one == " " else one, start, end) for one, start, end in row]
        while remove_extra_spaces and row and row[-1][0] == "▁":
            row.pop()
    return row


def _mapped(text: str, table: CharacterMap | None, protected: Collection[str]) -> Iterator[Placed]:
    done = 0
    for part, special in split_specials(text, protected if table else ()):
        data = part.encode()
        place = 0
        while place < len(data):
            length = _character_length(data[place])
            new = data[place : place + length]
            if table is not None and not special and (entry := table.longest(data, place)):
                length, new = entry
            start = done
            done += sum(byte & 0xC0 != 0x80 for byte in data[place : place + length])
            yield from ((one, start, done) for one in new.decode("utf-8", "replace"))
            place += length


def _with_single_spaces(row: list[Placed]) -> Iterator[Placed]:
    space: Placed | None = None
    started = False
    for one, start, end in row:
        if one == " ":
            space = (" ", space[1] if space else start, end)
            continue
        if started and space:
            yield space
        started, space = True, None
        yield one, start, end
