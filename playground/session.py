"""The text that a visitor works on, their tokenizers, and the names of all tokenizers.

It lives in the session of Streamlit and is seen by no other visitor.

**The text** is the same on every page: what is typed or opened on one is what the next one shows.
It stands on one of two sides, or on both with its translation; each side is a :func:`side`, which
an editor of any page may hold. While a sample is shown in its place, there is none.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from bpe.algorithm.recipe import Recipe
from bpe.analysis import metrics
from bpe.documents.documents import CorpusSource
from bpe.encoders import catalog
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from playground.ui import caches, fields, state
from playground.ui.i18n import _
from playground.ui.state import Field

DEFAULT = ("o200k_base", "deepseek_v4", "qwen3_5", "glm5")
"""The tokenizers that are compared unless the reader chooses others."""
OWN = "own-"
"""How the codes of tokenizers of a session begin."""
_DIGITS = 16
"""Hexadecimal ones of a digest in a code; links of before had eight."""


@dataclass(frozen=True)
class Made:
    """How a tokenizer was trained; ``corpus`` is ``None`` where it cannot be had again."""

    recipe: Recipe
    corpus: CorpusSource | None


@dataclass
class Entry:
    """A tokenizer of this session."""

    tokenizer: Encoder
    name: str = ""
    """Its name; one without a name is called as the tokenizer itself."""
    made: Made | None = None
    """How it was trained; ``None`` for one that was not trained here."""
    stays: bool = False
    """Whether it stays when another is trained, as the reader has named or restored it."""
    named: bool = False
    """Whether a reader has named it; otherwise its name says what it was trained on, and how."""
    digest: str = ""
    """Of its corpus and its recipe; of one that was not trained in this session, none."""


# The text

SIDES = ("zh", "en")
"""Where texts stand. Samples are in these languages; what a visitor types may be in any."""
OWN_TEXT = "own"
"""The choice of a sample that is none: the visitor's own text."""
SAMPLE = "sample"
"""The key of that choice."""

_END = re.compile(r"[。！？!?…]+|\.(?=\s)")
_SENTENCE = 60
"""Characters of a sentence, at most."""
_OPENING = 5_000
"""Characters by which the language of a text is known."""


def _sides(value: Sequence[str]) -> tuple[str, ...]:
    """Read which sides a link has: one, or both, the visitor's text first."""
    sides = tuple(value)
    if not sides or set(sides) - set(SIDES) or len(set(sides)) < len(sides):
        raise ValueError("no sides")
    return sides


TEXT_SIDES: Field[tuple[str, ...]] = Field("compare_sides", SIDES[:1], _sides)
"""The sides that the visitor's text is on, and its translation behind it."""


def side(name: str) -> Field[str]:
    """Return the field of the text that stands on a side, be it a sample or the visitor's own."""
    return Field(f"compare_{name}", "", state.words())  # as in links from before all pages had it


def has_text() -> bool:
    return bool(state.choice(SAMPLE) == OWN_TEXT)


def text() -> str:
    """Return the visitor's own text; empty where there is none."""
    return side(TEXT_SIDES.get()[0]).get() if has_text() else ""


def sentence() -> str:
    """Return how the visitor's own text begins: its first sentence, short enough for a picture."""
    line = next(filter(str.strip, text().splitlines()), "").strip()
    end = _END.search(line)
    return line[: min(end.end() if end else len(line), _SENTENCE)].rstrip()


def set_text(text: str) -> None:
    """Make a text that was typed or opened the visitor's; it stands alone, without a translation.

    For a callback, or on a page that does not draw the choice of a sample.
    """
    where = language_of(text) or TEXT_SIDES.get()[0]
    side(where).set(text)
    own_text((where,))


def own_text(sides: tuple[str, ...]) -> None:
    """Take the texts on these sides for the visitor's own; for a callback."""
    Field(SAMPLE, "").set(OWN_TEXT)
    TEXT_SIDES.set(sides)
    for other in set(SIDES) - set(sides):
        side(other).set("")  # a sample that says something else
    FILLED_WITH.set(OWN_TEXT)


FILLED_WITH = Field("compare_filled_with", "")
"""The sample that the sides were last filled with."""


TEXT_CAME = Field("text came with a link", False)
"""Whether the text of this run is that of a link or a session file, rather than typed."""


def hold_text() -> None:
    """Have links and reloads of this page carry the visitor's text, whether it is shown or not."""
    TEXT_CAME.set(any(side(name).pending is not None for name in SIDES))
    sides = TEXT_SIDES.restorable()
    if state.claim_choice(SAMPLE, OWN_TEXT):
        for name in sides:
            side(name).restorable()


def language_of(text: str) -> str | None:
    """Return ``"zh"`` or ``"en"`` by how a text begins; ``None`` of one without words."""
    return metrics.language(text[:_OPENING])


# Tokenizers

_OWN: Field[dict[str, Entry]] = Field("own tokenizers", {})


def add_trained(tokenizer: Encoder, corpus_digest: str, name: str, made: Made) -> str:
    """Add a tokenizer trained here to this session; return the code that it is chosen by.

    ``name`` is what it is called, unless it has been renamed. It replaces the same tokenizer alone,
    which may have come with a link under another code.
    """
    digest = hashlib.sha256(f"{corpus_digest} {made.recipe.digest}".encode()).hexdigest()
    same = (
        code
        for code, entry in _entries().items()
        if entry.digest == digest or (not entry.digest and made.corpus and entry.made == made)
    )
    short = OWN + digest[:_DIGITS]
    code = next(same, OWN + digest if short in _entries() else short)
    added = add(code, tokenizer)
    added.made, added.digest = made, digest
    if not added.name:
        rename(code, name)
    return code


def restore(code: str, tokenizer: Encoder, name: str, made: Made | None, *, named: bool) -> None:
    """Add a tokenizer of another session under its code and name; it stays."""
    added = add(code, tokenizer)
    added.made, added.stays, added.named = made or added.made, True, named
    rename(code, name)


def take_name(code: str, name: str) -> None:
    """Call a tokenizer what the reader has named it; it stays."""
    entry = _entries()[code]
    entry.stays = entry.named = True
    rename(code, name)


def is_named(code: str) -> bool:
    return _entries()[code].named


def persistent() -> set[str]:
    return {code for code, entry in _entries().items() if entry.stays}


def made(code: str) -> Made | None:
    return entry.made if (entry := _entries().get(code)) else None


def rename(code: str, name: str) -> None:
    """Rename a tokenizer of this session; a name that another has gets the code behind it."""
    taken = {entry.name for other, entry in _entries().items() if other != code}
    _entries()[code].name = f"{name} · {code[-4:]}" if name in taken else name


def add(code: str, tokenizer: Encoder) -> Entry:
    """Add a tokenizer as the newest; one that had the code leaves what was said of it."""
    entry = _entries().pop(code, None) or Entry(tokenizer)
    if entry.tokenizer is not tokenizer:
        caches.forget(entry.tokenizer)
    entry.tokenizer = tokenizer
    _entries()[code] = entry
    return entry


def remove(code: str) -> None:
    if entry := _entries().pop(code, None):
        caches.forget(entry.tokenizer)


def own() -> dict[str, Encoder]:
    """Return the tokenizers of this session by code, in the order in which they came."""
    return {code: entry.tokenizer for code, entry in _entries().items()}


def _entries() -> dict[str, Entry]:
    return _OWN.stored()


def short(code: str) -> str:
    """Return what people call a tokenizer: by a model that uses it, the one called like it first.

    The visitor's only one, unless they have named it, is theirs.
    """
    if code in own():
        is_only = len(own()) == 1 and not is_named(code)
        return _("Your tokenizer") if is_only and code.startswith(OWN) else label(code)
    models = catalog.facts(code).models
    alike = (model for model in models if model.lower().replace(" ", "_") == code)
    return next(alike, models[0] if models else code)


def label(code: str) -> str:
    if entry := _entries().get(code):
        return entry.name or entry.tokenizer.name
    return f"{', '.join(catalog.facts(code).models[:3])} · {code}"


def codes() -> list[str]:
    return [*reversed(own()), *(entry.name for entry in catalog.encodings())]


def encoder(code: str) -> Encoder:
    """Return the tokenizer of that code; an unknown one raises :class:`bpe.BPEError`."""
    return own()[code] if code in own() else catalog.encoding(code)


def compared() -> dict[str, Encoder]:
    """Return the published tokenizers that are chosen on Compare, without what cannot be loaded."""
    encoders = {}
    for code in fields.chosen("tokenizers", DEFAULT):
        if not code.startswith(OWN):
            with suppress(BPEError):
                encoders[code] = encoder(code)
    return encoders


def elsewhere(token: bytes, encoders: Mapping[str, Encoder]) -> list[tuple[str, str]]:
    """Return for each tokenizer its short name and the ids of a token's text there.

    A part of a character is no text, and has none.
    """
    with suppress(UnicodeDecodeError):
        text = token.decode()
        ids = {code: encoder.encode_ordinary(text) for code, encoder in encoders.items()}
        return [(short(code), " + ".join(map(str, each))) for code, each in ids.items()]
    return []
