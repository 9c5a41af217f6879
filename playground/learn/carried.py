"""Own tokenizers in a link: a recipe and what it was trained on are enough to train it again."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import streamlit as st

from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.trained import Tokenizer
from bpe.errors import BPEError
from bpe.text import documents, samples
from bpe.training.identity import digest
from bpe.training.recipe import Recipe
from bpe.training.train import train
from playground import session
from playground.train import examples

LONGEST = 2_000
"""Characters of a typed text that a link carries."""
MOST = 4
"""Tokenizers in a link."""
_MOST_WORDS = 100_000


@dataclass(frozen=True)
class Carried:
    """A tokenizer by its name, its recipe, and its corpus: the code of a sample, or a text."""

    name: str
    recipe: dict[str, Any]
    sample: str = ""
    text: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """What it was trained on."""
        return _texts(self.text) if self.text else _samples()[self.sample]

    def as_json(self) -> dict[str, Any]:
        """Return the fields as JSON values, the recipe's only where they are not the usual."""
        usual = Recipe().as_json()
        recipe = {key: value for key, value in self.recipe.items() if value != usual[key]}
        return {key: value for key, value in (asdict(self) | {"recipe": recipe}).items() if value}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Carried":
        """Return what :meth:`as_json` wrote; what it cannot have written is a ``ValueError``."""
        recipe = Recipe.from_json({**Recipe().as_json(), **values.get("recipe", {})}).as_json()
        sample, text = str(values.get("sample", "")), str(values.get("text", ""))[:LONGEST]
        if not (_texts(text) if text else sample in _samples()):
            raise ValueError("no corpus")
        return cls(str(values.get("name", ""))[:60], recipe, sample, text)


def own() -> list[Carried]:
    """Return the reader's tokenizers whose corpus is a sample, or the text now typed on Train."""
    typed = str(st.session_state.get(examples.TEXT) or "")
    known = {digest(texts): (code, "") for code, texts in _samples().items()}
    if typed and len(typed) <= LONGEST and (texts := _texts(typed)):
        known[digest(texts)] = ("", typed)
    found = [
        Carried(session.label(code), tokenizer.recipe.as_json(), *known[tokenizer.corpus_digest])
        for code, tokenizer in session.own().items()
        if isinstance(tokenizer, Tokenizer | CharacterTokenizer)
        and tokenizer.corpus_digest in known
    ]
    return found[-MOST:]


def train_again(carried: list[Carried]) -> None:
    """Train tokenizers and keep them in the session."""
    for entry in carried[:MOST]:
        tokenizer = train(entry.texts, Recipe.from_json(entry.recipe))
        if isinstance(tokenizer, Tokenizer | CharacterTokenizer):
            session.keep_trained(
                tokenizer,
                tokenizer.corpus_digest,
                tokenizer.recipe.digest,
                entry.name or tokenizer.name,
                by_url=False,
            )


def _samples() -> dict[str, tuple[str, ...]]:
    zh, en = (samples.corpus("zh"),), (samples.corpus("en"),)
    return {"both": zh + en, "zh": zh, "en": en}


def _texts(typed: str) -> tuple[str, ...]:
    """Return the documents of a typed text as Train makes them; none where they are too many."""
    try:
        words = documents.counted_words(typed)
    except BPEError:
        return ()
    if words is None:
        return (typed,)
    return tuple(documents.repeated(words)) if sum(words.values()) <= _MOST_WORDS else ()
