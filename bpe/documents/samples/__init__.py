"""Short parallel texts in Chinese and English, for showing and training tokenizers.

Here are pairs of texts written for this package, in seven kinds of writing (`DOMAINS`): the
Chinese and the English of a `Pair` say the same thing, so that differences in token counts come
from the languages and the tokenizer, not from the content. The `news` domain also has each text
in Traditional Chinese as it would be written in Taiwan, with its own vocabulary, not as a
character-by-character conversion.

Here is *not* a corpus large enough to train a tokenizer for real use, nor a translation
benchmark, nor anything quoted: people, places and events are invented.

Each domain is one file, `<domain>.jsonl`: UTF-8 in NFC, one JSON object per line with the keys
`zh`, `en` and, optionally, `zh_hant`. A text never contains a line break.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, TypeAlias

Language: TypeAlias = Literal["zh", "en", "zh_hant"]
"""Simplified Chinese, English, or Traditional Chinese."""

DOMAINS: tuple[str, ...] = (
    "news",
    "dialogue",
    "documentation",
    "law",
    "literary",
    "code",
    "social",
)
"""The names of the domains, in the order in which `pairs` returns them."""


@dataclass(frozen=True)
class Pair:
    """A short passage that says the same thing in each language."""

    domain: str
    zh: str
    en: str
    zh_hant: str | None = None


def pairs(domain: str | None = None) -> tuple[Pair, ...]:
    """Return the pairs of one of `DOMAINS`, or of all of them when `domain` is None.

    The order is that of `DOMAINS` and, within a domain, that of its file, so it is the same on
    every call.
    """
    names = DOMAINS if domain is None else (domain,)
    return tuple(pair for name in names for pair in _read(name))


def corpus(language: Language, domain: str | None = None) -> str:
    """Return the texts in one language as a training document, one text per line.

    Pairs without a text in `language` are left out; only `zh_hant` has such gaps.
    """
    return "\n".join(filter(None, (getattr(pair, language) for pair in pairs(domain))))


@cache
def _read(domain: str) -> tuple[Pair, ...]:
    # Split on "\n" only: str.splitlines would also break at characters such as U+2028,
    # which JSON allows inside a string.
    lines = (files(__name__) / f"{domain}.jsonl").read_text(encoding="utf-8").split("\n")
    return tuple(Pair(domain=domain, **json.loads(line)) for line in lines if line)
