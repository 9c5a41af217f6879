"""Special tokens: where they stand in a text, and whether they may.

They are cut out before anything else happens to the text, longest first, and are never merged
with anything. The three ways to treat one that a text contains are tiktoken's.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from os.path import commonprefix
from typing import Literal, TypedDict

from bpe.errors import BPEError
from bpe.text.unicode import scalar_text

Specials = Collection[str] | Literal["all"]


class SpecialRules(TypedDict, total=False):
    """Which special tokens of a text become their ids (none), and which are refused (all)."""

    allowed_special: Specials
    disallowed_special: Specials


def are_usual(allowed_special: Specials = (), disallowed_special: Specials = "all") -> bool:
    """Return whether a text without any special token has ids by these rules, and no others."""
    return allowed_special in ((), frozenset()) and disallowed_special in ("all", ())


@lru_cache(maxsize=256)
def _special_pattern(specials: frozenset[str]) -> re.Pattern[str]:
    longest_first = sorted(specials, key=lambda special: (-len(special), special))
    # What all begin with is searched for twice as fast where it stands in front.
    same = commonprefix(longest_first)  # noqa: RUF071  # of letters, not of folders
    rest = "|".join(re.escape(special.removeprefix(same)) for special in longest_first)
    return re.compile(f"({re.escape(same)}(?:{rest}))")


def split_specials(text: str, specials: Collection[str]) -> Iterator[tuple[str, bool]]:
    """Cut ``text`` at special tokens; yield ``(part, whether it is a special token)``.

    At each place the longest special token wins. Empty parts are left out.

    >>> list(split_specials("a<|end|>b", ["<|end|>"]))
    [('a', False), ('<|end|>', True), ('b', False)]
    """
    if not specials:
        if text:
            yield text, False
        return
    for index, part in enumerate(_special_pattern(frozenset(specials)).split(text)):
        if part:
            yield part, index % 2 == 1


def find_special(text: str, specials: Collection[str]) -> str | None:
    if not specials:
        return None
    match = _special_pattern(frozenset(specials)).search(text)
    return match.group() if match else None


def special_parts(
    text: str,
    special_tokens: Mapping[str, int],
    allowed_special: Specials = (),
    disallowed_special: Specials = "all",
) -> Iterator[tuple[str, int | None]]:
    """Cut ``text`` at its allowed special tokens; yield each part with its id, or ``None``.

    The rules are those of :meth:`bpe.encoders.base.Encoder.encode`, and tiktoken's.
    """
    for choice in (allowed_special, disallowed_special):
        if isinstance(choice, str) and choice != "all":
            raise BPEError(
                "Give the special tokens as a list or a set, or as “all”, not as one text: "
                "“{text}”.",
                text=choice,
            )
    allowed = set(special_tokens if allowed_special == "all" else allowed_special)
    if disallowed_special == "all":
        disallowed = special_tokens.keys() - allowed
    else:
        disallowed = set(disallowed_special) - allowed
    if unknown := allowed - special_tokens.keys():
        raise BPEError(
            "“{token}” is not a special token of this tokenizer, so it cannot be allowed.",
            token=min(unknown),
        )
    refuse_specials(text, disallowed)
    for part, special in split_specials(text, allowed):
        yield part, special_tokens[part] if special else None


def refuse_specials(text: str, disallowed: Collection[str]) -> None:
    """Raise :class:`BPEError` for a text with a disallowed special token."""
    if token := find_special(text, disallowed):
        raise BPEError(
            "The text contains the special token “{token}”. To encode it as that token, allow it "
            "(allowed_special); to encode it as ordinary text, do not disallow it "
            "(disallowed_special=()); or take it out of the text.",
            token=token,
        )


def checked_token(token: object) -> str:
    """Return ``token``; :class:`BPEError` if it cannot be special, as no file holds half a pair."""
    if not isinstance(token, str) or not token:
        raise BPEError("A special token must be a piece of text of at least one character.")
    if scalar_text(token) != token:
        raise BPEError("A token cannot hold half of a surrogate pair, which has no UTF-8.")
    return token


def checked_specials(tokens: Iterable[str], taken: Collection[str]) -> None:
    """Raise :class:`BPEError` unless ``tokens`` are different texts, none of them ``taken``."""
    seen = set(taken)
    for token in tokens:
        if checked_token(token) in seen:
            raise BPEError("The same special token is listed twice. Remove one of them.")
        seen.add(token)
