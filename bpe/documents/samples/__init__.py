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
from typing import Literal, TypeAlias, get_args

from bpe.errors import BPEError

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
    """Return the pairs of one domain, or of all domains when `domain` is None.

    The order is that of `DOMAINS` and, within a domain, that of its file, so it is the same on
    every call.

    Raises:
        BPEError: a ValueError; `domain` is not one of `DOMAINS`.
    """
    if domain is None:
        return tuple(pair for name in DOMAINS for pair in _read(name))
    if domain not in DOMAINS:
        raise BPEError(
            "There is no domain “{domain}”. Choose one of: {domains}.",
            domain=domain,
            domains=", ".join(DOMAINS),
        )
    return _read(domain)


def corpus(language: Language, domain: str | None = None) -> str:
    """Return the texts in one language as a training document, one text per line.

    Pairs without a text in `language` are left out; only `zh_hant` has such gaps.

    Raises:
        BPEError: a ValueError; `language` or `domain` is unknown, or the domain has no text in
            `language`.
    """
    if language not in get_args(Language):
        raise BPEError(
            "There is no language “{language}” here. Choose one of: {languages}.",
            language=language,
            languages=", ".join(get_args(Language)),
        )
    texts = [text for pair in pairs(domain) if (text := getattr(pair, language)) is not None]
    if not texts:
        raise BPEError(
            "There are no texts in {language} in the domain “{domain}”. Choose another domain.",
            language=language,
            domain=domain,
        )
    return "\n".join(texts)


@cache
def _read(domain: str) -> tuple[Pair, ...]:
    # Split on "\n" only: str.splitlines would also break at characters such as U+2028,
    # which JSON allows inside a string.
    lines = (files(__name__) / f"{domain}.jsonl").read_text(encoding="utf-8").split("\n")
    return tuple(Pair(domain=domain, **json.loads(line)) for line in lines if line)
