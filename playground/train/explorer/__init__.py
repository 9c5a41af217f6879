"""The explorer: a trained tokenizer whose vocabulary size is a slider.

Python sends the merges, how often each is made in the corpus, and a text cut into pre-tokens; the
browser works out every smaller vocabulary, its tokens, curves and lists, and asks nothing while
the slider is dragged. Only a text that the reader types comes back, to be cut.
"""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, cast

import streamlit as st

from bpe.algorithm.films import Film
from bpe.algorithm.recipe import Recipe
from bpe.encoders.base import METASPACE, Encoder
from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.tokenizer_json import TokenizerJsonEncoder
from bpe.encoders.trained import Tokenizer
from bpe.text.unicode import scalar_text
from bpe.training.algorithms import algorithm_of
from bpe.training.algorithms.pieces import OfPieces
from playground import browser, session
from playground.token_view import words
from playground.train.corpus import text_to_show
from playground.train.job import Trained
from playground.train.usage import Usage
from playground.ui import chart_files
from playground.ui.i18n import _, names_joined
from playground.ui.state import Field, component
from playground.ui.streamlit_private import fragment

MOST_TYPED = 100_000
MOST_TEXT = 1_000
"""Characters of a text that are cut: all of them are cut again with every step of the slider."""

_KEY = "explorer"
_TAKEN = Field("text was typed in the explorer", False)

_component = browser.component("bpe_explorer", "train/explorer/view.js", "train/explorer/view.css")


@fragment
def explorer(trained: Trained, usage: Usage, text: str, *, film: str, excerpt: bool) -> None:
    """Draw a tokenizer, how its merges are used, and the visitor's text, or ``text`` at first.

    The training is played by itself once for each ``film``. ``text`` may be an ``excerpt`` of the
    corpus, which is said.
    """
    tokenizer, recipe = trained.tokenizer, trained.recipe
    merges = trained.merges if usage.film else None
    shown = text_to_show(text)
    notes = [_note(usage)]
    if recipe.kind.unit == "bytes" and recipe.special_tokens:
        first = _("starting from 256 bytes and {specials}")
        notes.append(first.format(specials=names_joined(recipe.special_tokens)))
    if len(shown) > MOST_TEXT:
        notes.insert(0, _("the first {size} characters").format(size=f"{MOST_TEXT:,}"))
    elif excerpt and shown == text:
        notes.insert(0, _("an excerpt of the corpus"))
    _component(
        key=_KEY,
        data={
            "model": model(tokenizer, recipe, usage, merges),
            "version": trained.identity,
            "film": film,
            "text": shown[: 2 * MOST_TEXT],
            "pieces": pieces(recipe, shown[:MOST_TEXT], usage.film, merges or ()),
            "size": size(recipe, shown[:MOST_TEXT]),
            "notes": notes,
            "height": 260,
            "told": _told(component(_KEY, {"asked": str}).get("asked", "")),
            "labels": labels() | (leaving() if usage.film and usage.film.dropped else {}),
            "words": words.labels(),
        },
        on_text_change=_take,
        on_asked_change=lambda: None,
    )
    if _TAKEN.pop():
        st.rerun()  # the whole page, at whose end the tab stores the text


def _take() -> None:
    """Make a text that was typed here the visitor's, on all pages."""
    if text := scalar_text(component(_KEY, {"text": str}).get("text", ""))[:MOST_TYPED]:
        session.set_text(text)
        _TAKEN.set(True)


def _told(token: str) -> dict[str, Any] | None:
    """Return the ids elsewhere of the token that was clicked, whose bytes come in hexadecimal."""
    if not token or len(token) > MOST_TEXT:
        return None
    with suppress(ValueError):
        more = session.elsewhere(bytes.fromhex(token), session.compared(), datetime.now(UTC))
        return {"token": token, "more": more}
    return None


def model(
    tokenizer: Encoder, recipe: Recipe, usage: Usage, merges: Sequence[Any] | None = None
) -> dict[str, Any]:
    """Return a tokenizer and its usage as JSON values, numbers in flat arrays."""
    record = tokenizer.training
    learned = record.merges if merges is None and record else merges or ()
    shared: dict[str, Any] = {
        "specials": list(recipe.special_tokens),
        "count": [merge.count for merge in learned],
        "zh": usage.zh.made.tolist(),
        "other": usage.other.made.tolist(),
        "base": usage.base.tolist(),
        "totals": {
            "zh": {"size": usage.zh.size, "symbols": usage.zh.symbols},
            "other": {"size": usage.other.size, "symbols": usage.other.symbols},
        },
    }
    if tokenizer.kind == Tokenizer.kind:
        return {
            "unit": "bytes",
            "left": [merge.left for merge in learned],
            "right": [merge.right for merge in learned],
            **shared,
        }
    film = usage.film
    assert isinstance(tokenizer, CharacterTokenizer | TokenizerJsonEncoder)  # not of bytes
    symbols = film.symbols if film else record.symbols if record else ()
    numbers = {symbol: number for number, symbol in enumerate(symbols)}
    ids = tokenizer.ids
    left, right, made, removed = [], [], [], []
    sizes = [len(symbols)]
    for rank, merge in enumerate(learned):
        left.append(numbers[merge.left])
        right.append(numbers[merge.right])
        made.append(numbers.setdefault(merge.new, len(numbers)))
        sizes.append(len(numbers) if film else merge.vocabulary_size)
        if not film and merge.removed:
            removed.append((rank, [numbers[symbol] for symbol in merge.removed]))
    occurs = Counter(dict(zip(symbols, usage.base.tolist(), strict=True)))
    for step, dropped in enumerate(film.dropped if film else ()):
        sizes.append(sizes[-1] - len(dropped))
        removed.append((step, [numbers[symbol] for symbol in dropped]))
        shared["count"].append(sum(occurs[symbol] for symbol in dropped))
        occurs.update(usage.changes[step] if usage.changes else {})
    return {
        "unit": "characters",
        "symbols": [_spelled(symbol, film) for symbol in symbols],
        "fixed": len(cast(OfPieces, algorithm_of(recipe)).fixed) if film else 0,
        "end": "" if film else recipe.end_of_word,
        "inside": [
            place for place, symbol in enumerate(symbols) if film and film.is_inside(symbol)
        ],
        "left": left,
        "right": right,
        "made": made,
        "removed": removed,
        "ids": [ids.get(symbol) for symbol in numbers],
        "sizes": sizes,
        "changes": usage.changes
        and [
            [number for symbol, n in changed.items() if n for number in (numbers[symbol], n)]
            for changed in usage.changes
        ],
        **shared,
    }


def _spelled(symbol: str, film: Film | None) -> str | int:
    """Return a symbol as the text it stands for; a byte as its number."""
    if film and symbol in film.bytes:
        return int(symbol[3:5], 16)
    if film and film.is_inside(symbol):
        return symbol.removeprefix(film.inside)
    return symbol.replace(METASPACE, " ") if film else symbol


def pieces(
    recipe: Recipe, text: str, film: Film | None = None, merges: Sequence[Any] = ()
) -> list[tuple[Any, ...]]:
    """Cut a text as is done before merging; say which pieces are special tokens.

    With a film every other piece has its cuts as well: steps, and the numbers of symbols, or what
    is unknown as it is.
    """
    names = dict.fromkeys([*(film.symbols if film else ()), *(merge.new for merge in merges)])
    numbers: dict[str, int | str] = {name: number for number, name in enumerate(names)}

    algorithm = algorithm_of(recipe)
    cut: list[tuple[Any, ...]] = []
    for part, special in algorithm.parts(text):
        if special:
            cut.append((part, True))
        else:
            cut += ((word, False) for word in algorithm.split(part))
    if film is None:
        return cut
    ordinary = list(dict.fromkeys(word for word, special in cut if not special))
    cut_words = {
        word: [(step, [numbers.get(symbol, symbol) for symbol in pieces]) for step, pieces in cuts]
        for word, cuts in zip(ordinary, film.cuts(ordinary), strict=True)
    }
    return [piece if piece[1] else (*piece, cut_words[piece[0]]) for piece in cut]


def size(recipe: Recipe, text: str) -> int:
    """Return the bytes of a text as it is cut, with the white space that becomes no token."""
    return sum(len(part.encode()) for part, _special in algorithm_of(recipe).parts(text))


def _note(usage: Usage) -> str:
    if usage.head:
        return _("curves and lists from the first {size} characters of the corpus").format(
            size=f"{usage.head:,}"
        )
    if usage.film and usage.film.dropped:
        return _(
            "from all the pieces that the training begins with to those it keeps; in between, the "
            "least likely are dropped first, which the training decides in a few large rounds"
        )
    return ""


def leaving() -> dict[str, Any]:
    """Return what is said otherwise where pieces are dropped, none merged."""
    return {
        "play": _("Watch pieces drop out"),
        "place": _("Vocabulary {size} · {merges} rounds"),
        "counts": _("How often the pieces dropped next occur"),
        "merges": _("Rounds"),
        "lastMerges": _("Dropped last"),
        "residue": _("Unused: {n} pieces ({share})"),
        "residueHint": _("The likeliest cut of the corpus does without them."),
    }


def labels() -> dict[str, Any]:
    return {
        "play": _("Watch it learn"),
        "pause": _("Pause"),
        "paused": _("paused"),
        "slider": _("Vocabulary size"),
        "place": _("Vocabulary {size} · merges: {merges}"),
        "own": _("Type a text to see it cut"),
        "pen": _("Your own text"),
        "curves": _("Curves"),
        "lists": _("Lists of tokens"),
        "perToken": _("{value} bytes per token"),
        "newest": _("newest merge"),
        "film": _("Save the film as a video"),
        "compression": _("Bytes per token"),
        "zh": _("with Chinese"),
        "other": _("without"),
        "kinds": _("What the tokens of the corpus are"),
        "kind": [
            _("part of a character"),
            _("one Chinese character"),
            _("several Chinese characters"),
            _("everything else"),
        ],
        "counts": _("How often the next pair occurs"),
        "merges": _("Merges"),
        "times": _("Times"),
        "save": chart_files.labels(),
        "first": [
            _("First part of a character: merge {merge}"),
            _("First whole Chinese character: merge {merge}"),
            _("First of several Chinese characters: merge {merge}"),
        ],
        "lastMerges": _("The last merges"),
        "byScript": _("The vocabulary by script"),
        "scripts": {
            "han": _("Chinese characters"),
            "latin": _("Latin letters"),
            "mixed": _("Chinese mixed with others"),
            "digits": _("digits"),
            "signs": _("signs"),
            "space": _("white space"),
            "other": _("other letters"),
            "part": _("parts of characters"),
        },
        "byLength": _("The vocabulary by length"),
        "lengths": [_("1 character"), _("{n} characters")],
        "longest": _("The longest tokens, and how often they occur"),
        "residue": _("Scaffolding: {n} tokens ({share})"),
        "residueHint": _(
            "They were steps on the way to longer tokens; in the corpus they no longer occur."
        ),
        "rare": _("Rare: {n} tokens occur once or twice"),
        "never": _("Never used: {n} of the 256 bytes"),
    }
