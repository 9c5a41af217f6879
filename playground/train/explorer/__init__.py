"""The explorer: a trained tokenizer whose vocabulary size is a slider.

Python sends the merges, how often each is made in the corpus, and a text cut into pre-tokens; the
browser works out every smaller vocabulary, its tokens, curves and lists, and asks nothing while
the slider is dragged. Only a text that the reader types comes back, to be cut.
"""

from collections import Counter
from contextlib import suppress
from typing import Any, cast

import streamlit as st

from bpe.algorithm.films import Film
from bpe.algorithm.recipe import Recipe
from bpe.encoders.base import METASPACE, Encoder, TrainingRecord
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
    recipe = trained.record.recipe
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
            "model": model(trained.tokenizer, usage),
            "version": trained.identity,
            "film": film,
            "text": shown[: 2 * MOST_TEXT],
            "pieces": pieces(trained.record, shown[:MOST_TEXT], usage.film),
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
        more = session.elsewhere(bytes.fromhex(token), session.compared())
        return {"token": token, "more": more}
    return None


def model(tokenizer: Encoder, usage: Usage) -> dict[str, Any]:
    """Return a trained tokenizer and its usage as JSON values, numbers in flat arrays."""
    record, film = tokenizer.training, usage.film
    assert record is not None  # as its usage was counted
    totals = zip(("zh", "other"), usage.sizes, usage.symbols, strict=True)
    zh, other = usage.made.tolist()
    shared: dict[str, Any] = {
        "specials": list(record.recipe.special_tokens),
        "count": [merge.count for merge in record.merges],
        "zh": zh,
        "other": other,
        "base": usage.base.tolist(),
        "totals": {name: {"size": size, "symbols": symbols} for name, size, symbols in totals},
    }
    if isinstance(tokenizer, Tokenizer):
        left, right = ([merge[side] for merge in record.merges] for side in (0, 1))
        return {"unit": "bytes", "left": left, "right": right, **shared}
    assert isinstance(tokenizer, CharacterTokenizer | TokenizerJsonEncoder)  # not of bytes
    symbols = film.symbols if film else record.symbols
    numbers = {symbol: number for number, symbol in enumerate(symbols)}
    left, right, made, removed = [], [], [], []
    sizes = [len(symbols)]
    for rank, merge in enumerate(record.merges):
        left.append(numbers[merge.left])
        right.append(numbers[merge.right])
        made.append(numbers.setdefault(merge.new, len(numbers)))
        sizes.append(len(numbers) if film else merge.vocabulary_size)
        if not film and merge.removed:
            removed.append((rank, [numbers[symbol] for symbol in merge.removed]))
    occurs = Counter(dict(zip(symbols, shared["base"], strict=True)))
    for step, dropped in enumerate(film.dropped if film else ()):
        sizes.append(sizes[-1] - len(dropped))
        removed.append((step, [numbers[symbol] for symbol in dropped]))
        shared["count"].append(sum(occurs[symbol] for symbol in dropped))
        occurs.update(usage.changes[step] if usage.changes else {})
    changes = usage.changes and [
        [number for symbol, n in changed.items() if n for number in (numbers[symbol], n)]
        for changed in usage.changes
    ]
    return {
        "unit": "characters",
        "symbols": [_spelled(symbol, film) for symbol in symbols],
        "fixed": len(cast(OfPieces, algorithm_of(record.recipe)).fixed) if film else 0,
        "end": "" if film else record.recipe.end_of_word,
        "inside": [at for at, symbol in enumerate(symbols) if film and film.is_inside(symbol)],
        "left": left,
        "right": right,
        "made": made,
        "removed": removed,
        "ids": [tokenizer.ids.get(symbol) for symbol in numbers],
        "sizes": sizes,
        "changes": changes,
        **shared,
    }


def _spelled(symbol: str, film: Film | None) -> str | int:
    """Return a symbol as the text it stands for; a byte as its number."""
    if film and symbol in film.bytes:
        return int(symbol[3:5], 16)
    if film and film.is_inside(symbol):
        return symbol.removeprefix(film.inside)
    return symbol.replace(METASPACE, " ") if film else symbol


def pieces(record: TrainingRecord, text: str, film: Film | None = None) -> list[tuple[Any, ...]]:
    """Cut a text as is done before merging; say which pieces are special tokens.

    With a film every other piece has its cuts as well: steps, and the numbers of symbols, or what
    is unknown as it is.
    """
    algorithm = algorithm_of(record.recipe)
    cut: list[tuple[str, bool]] = []
    for part, special in algorithm.parts(text):
        cut += [(part, True)] if special else ((word, False) for word in algorithm.split(part))
    if film is None:
        return list(cut)
    names = dict.fromkeys([*film.symbols, *(merge.new for merge in record.merges)])
    numbers: dict[str, int | str] = {name: number for number, name in enumerate(names)}
    words_cut = list(dict.fromkeys(word for word, special in cut if not special))
    cuts_of = {
        word: [
            (step, [numbers.get(symbol, symbol) for symbol in symbols]) for step, symbols in cuts
        ]
        for word, cuts in zip(words_cut, film.cuts(words_cut), strict=True)
    }
    return [(piece, True) if special else (piece, False, cuts_of[piece]) for piece, special in cut]


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
