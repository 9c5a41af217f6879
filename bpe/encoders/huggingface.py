"""The parts of a ``tokenizer.json``, and a process for what in one may take any time or memory.

An expression of the file may search for hours, and a few replacements make gigabytes of three
letters. A file in which all is known to be harmless is run in this process, any other by
:mod:`bpe.sandbox`, which calls :func:`opened`.
"""

import json
import re
import unicodedata
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Any

from bpe.errors import BPEError, library
from bpe.reading import errors_as
from bpe.sandbox import TooLargeError, TooLongError, Worker
from bpe.text.split_patterns import published_patterns


def values_of(model: Mapping[str, Any], **parts: Any) -> dict[str, Any]:
    """Return all values of a file; of the parts that are not given there is none."""
    names = ("truncation", "padding", "added_tokens", *_WITHOUT_VOCABULARY)
    return {"version": "1.0", **dict.fromkeys(names), "added_tokens": [], **parts, "model": model}


def added_token(content: str, token_id: int, **facts: bool) -> dict[str, Any]:
    """Return a special token, or by ``facts`` another one that is found in a text first."""
    special = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {"id": token_id, "content": content, **special, "special": True, **facts}


def bpe_model(
    vocabulary: Mapping[str, int], merges: Sequence[Sequence[str]], **facts: Any
) -> dict[str, Any]:
    return {
        "type": "BPE",
        **dict.fromkeys(
            ("dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix")
        ),
        **dict.fromkeys(("fuse_unk", "byte_fallback", "ignore_merges"), False),
        **facts,
        "vocab": vocabulary,
        "merges": merges,
    }


def replace(pattern: Mapping[str, str], content: str) -> dict[str, Any]:
    """Return the normalizer, or decoder, that puts ``content`` in place of a pattern."""
    return {"type": "Replace", "pattern": pattern, "content": content}


def split(pattern: Mapping[str, str]) -> dict[str, Any]:
    """Return the pre-tokenizer that makes a piece of each match, and of what is between two."""
    return {"type": "Split", "pattern": pattern, "behavior": "Isolated", "invert": False}


MOST_GROWTH = 32
"""How many times longer harmless replacements make a text at the most."""
LONGEST_WORD = 1_000
"""Characters of a word that WordPiece tries all parts of."""

MOST_TOKENS = 64
"""Tokens for each byte of a text; what makes more is no tokenizer."""

_LONG = 10_000
"""Characters of a text that other threads should not wait for."""
_WITHOUT_VOCABULARY = ("normalizer", "pre_tokenizer", "post_processor", "decoder")
_FEW = 1_000
_BYTES_A_BYTE = 512  # of memory for each of a text; 390 measured where each is a token
_MOST_STEPS = 200
_LONGEST_ADDED = 100

_CASED = r"[\p{Cased}&&[^\p{Case_Ignorable}]]"
FINAL_SIGMA = rf"{_CASED}\p{{Case_Ignorable}}*\KΣ(?!\p{{Case_Ignorable}}*{_CASED})"
"""Σ at the end of a word, in files of our own."""


@cache
def normalizer(normalisation: str) -> dict[str, Any] | None:
    """Return the normalizer of a recipe's normalisation by name, ``None`` for ``"none"``.

    Before NFKC stand the few characters that its older tables there leave alone, and before lower
    case Σ at the end of a word, which Python makes ς and Rust does not.
    """
    if normalisation == "none":
        return None
    steps: list[dict[str, Any]] = []
    for name in normalisation.split("+"):
        match name:
            case "NFKC":
                older = library("tokenizers").normalizers.NFKC()
                for old in map(chr, range(0x110000)):
                    new = unicodedata.normalize("NFKC", old)
                    if new != old and older.normalize_str(old) != new:
                        steps.append(replace({"String": old}, new))
                steps.append({"type": "NFKC"})
            case "lowercase":
                steps += [replace({"Regex": FINAL_SIGMA}, "ς"), {"type": "Lowercase"}]
            case "strip-punctuation":
                steps.append(replace({"Regex": r"[\p{P}\p{S}]+"}, ""))
            case _:
                steps.append({"type": name})
    return {"type": "Sequence", "normalizers": steps}


# Letters, signs and classes in a row, with a repeat at the end alone: nothing can fail behind it,
# so that each character is looked at once.
_ATOM = (
    r"(?:[^\\^$.|?*+()\[\]{}]|\.|\\[pP]\{\^?\w+\}|\\[dswDSW]|\\[nrtfv]|\\[^\w]"
    r"|\[\^?(?:[^\\\[\]&]|\\[pP]\{\^?\w+\}|\\[dswDSW]|\\[nrtfv]|\\[^\w])+\])"
)
_ROW = rf"{_ATOM}{{1,40}}(?:[*+?]|\{{\d{{1,2}}(?:,\d{{0,2}})?\}})?"
_HARMLESS = re.compile(rf"{_ROW}(?:\|{_ROW}){{0,20}}")


def is_harmless(values: Mapping[str, Any]) -> bool:
    """Return whether nothing in a ``tokenizer.json`` can take more than its text is long."""
    model = values.get("model") or {}
    added = [model.get("continuing_subword_prefix"), model.get("end_of_word_suffix")]
    inside = (each for part in _WITHOUT_VOCABULARY for each in _mappings(values.get(part)))
    expressions = (each["Regex"] for each in inside if isinstance(each.get("Regex"), str))
    return (
        all(map(_is_harmless_expression, expressions))
        and _growth(_mappings(values.get("normalizer"))) <= MOST_GROWTH
        and all(len(each) <= _LONGEST_ADDED for each in added if isinstance(each, str))
        and _number(model.get("max_input_chars_per_word")) <= LONGEST_WORD
    )


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _is_harmless_expression(source: str) -> bool:
    ours = {each for sources in published_patterns() for each in sources} | {FINAL_SIGMA}
    return source in ours or (len(source) < 1_000 and _HARMLESS.fullmatch(source) is not None)


def _mappings(part: Any) -> Iterator[Mapping[str, Any]]:
    """Yield all objects in a part of a file, in their order and however deep they are."""
    waiting = [part]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Mapping):
            yield part
            waiting += reversed(list(part.values()))
        elif isinstance(part, list):
            waiting += reversed(part)


def _growth(steps: Iterable[Mapping[str, Any]]) -> float:
    """Return how many times longer the replacements may make a text, one after the other."""
    replaced: list[tuple[str | None, str]] = []
    for step in steps:
        if isinstance(content := step.get("content"), str) and "pattern" in step:
            pattern = step["pattern"]
            written = pattern.get("String") if isinstance(pattern, Mapping) else None
            replaced.append((written if isinstance(written, str) else None, content))
        if isinstance(before := step.get("prepend"), str) and len(before) > _LONGEST_ADDED:
            return float("inf")
    if len(replaced) > _MOST_STEPS:
        return float("inf")
    most = 1.0
    for number, (written, content) in enumerate(replaced):
        length = 3 * max(1, len(written or ""))
        made = content * 3  # so that what lies across two of them is seen, too
        for later, instead in replaced[number + 1 :]:
            if later is None:
                if len(instead) > 1:
                    return float("inf")
            else:
                made = made.replace(later, instead) if later else instead.join([*made, "", ""])
            if len(made) > length * MOST_GROWTH:
                break
        most = max(most, len(made) / length)
    return most


class LocalEngine:
    """The tokenizer of a ``tokenizer.json``, run in this process."""

    def __init__(self, name: str, file: str) -> None:
        self._name = name
        self.engine = _engine(file)

    @cached_property
    def _promoting(self) -> Any:
        """The engine that finds special tokens itself; a copy, as the setting is not per call."""
        engine = _engine(self.engine.to_str())
        engine.encode_special_tokens = False
        return engine

    def ids(self, text: str, *, promote: bool) -> list[int]:
        """Return the ids of a text; with ``promote`` special tokens in it are found."""
        ids: list[int] = self._encoded(text, promote, many=len(text) > _LONG).ids
        return ids

    def with_spans(self, text: str, *, promote: bool) -> tuple[list[int], list[tuple[int, int]]]:
        """Return the ids, and the span of characters of each."""
        encoding = self._encoded(text, promote, many=False)
        return encoding.ids, list(encoding.offsets)

    def _encoded(self, text: str, promote: bool, many: bool) -> Any:
        engine = self._promoting if promote else self.engine
        with errors_as("“{name}” cannot encode this text: “{reason}”", name=self._name):
            if not many:
                return engine.encode(text, add_special_tokens=False)
            # Only so does it let other threads run meanwhile.
            (encoding,) = engine.encode_batch_fast([text], add_special_tokens=False)
            return encoding

    def decode(self, ids: list[int]) -> str:
        with errors_as("“{name}” cannot decode these ids: “{reason}”", name=self._name):
            text: str = self.engine.decode(ids, skip_special_tokens=False)
            return text


def _engine(file: str) -> Any:
    engine = library("tokenizers").Tokenizer.from_str(file)
    engine.no_truncation()
    engine.no_padding()
    engine.encode_special_tokens = True  # as the text that they are
    return engine


class GuardedEngine:
    """A :class:`LocalEngine` in a process with limits of time and memory."""

    def __init__(self, name: str, file: str) -> None:
        self._name = name
        self._refused: set[int] = set()
        self._worker = Worker(
            f"{__name__}:opened", json.dumps(name).encode() + b"\n" + file.encode()
        )
        self._worker.open()

    def ids(self, text: str, *, promote: bool) -> list[int]:
        return self._numbers(b"P" if promote else b"E", text, 1)

    def with_spans(self, text: str, *, promote: bool) -> tuple[list[int], list[tuple[int, int]]]:
        numbers = self._numbers(b"p" if promote else b"e", text, 3)
        return numbers[::3], list(zip(numbers[1::3], numbers[2::3], strict=True))

    def _numbers(self, kind: bytes, text: str, each: int) -> list[int]:
        question = kind + text.encode()
        numbers: list[int] = array("I", self._ask(question)).tolist()
        if len(numbers) > each * (MOST_TOKENS * len(question) + _FEW):
            raise self._too_much()
        return numbers

    def decode(self, ids: list[int]) -> str:
        return self._ask(b"D" + array("I", ids).tobytes()).decode()

    def _ask(self, question: bytes) -> bytes:
        """Return the answer; a question that was refused before is refused at once."""
        if hash(question) in self._refused:
            raise self._too_much()
        try:
            return self._worker.ask(question, memory=_BYTES_A_BYTE * len(question))
        except (TooLongError, TooLargeError) as error:
            self._refused.add(hash(question))
            raise self._too_much() from error

    def _too_much(self) -> BPEError:
        return BPEError(
            "“{name}” needs too much time or memory for this text. Use a shorter text, or another "
            "tokenizer.",
            name=self._name,
        )


def without_what_runs(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a file whose texts are encoded elsewhere: vocabulary and tokens."""
    return {**values, **dict.fromkeys(_WITHOUT_VOCABULARY)}


def opened(data: bytes) -> Callable[[bytes], bytes]:
    """Return what answers the questions of :class:`GuardedEngine`; called by the process."""
    head, file = data.decode().split("\n", 1)
    name = json.loads(head)
    with errors_as("“{name}” is not a tokenizer that can be read: “{reason}”", name=name):
        engine = LocalEngine(name, file)

    def answer(question: bytes) -> bytes:
        kind, content = question[:1], question[1:]
        if kind == b"D":
            return engine.decode(array("I", content).tolist()).encode()
        promote = kind in b"Pp"
        if kind in b"EP":
            return array("I", engine.ids(content.decode(), promote=promote)).tobytes()
        rows = zip(*engine.with_spans(content.decode(), promote=promote), strict=True)
        return array("I", (number for i, span in rows for number in (i, *span))).tobytes()

    return answer
