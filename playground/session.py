"""The tokenizers of a session: trained here, shared through the process cache by their identity.

Training runs outside the cached function, because drawing progress and being cancelled need
Streamlit calls between merges; what is cached is the shelf that its result is put on. The same
corpus and recipe are therefore trained once for everybody, and a click in the middle of a
training stops it, leaving the shelf empty.
"""

import gc
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from bpe import compiled
from bpe.algorithm import character, replay
from bpe.algorithm.character import CharacterTokenizer
from bpe.analysis import merge_tree
from bpe.analysis.metrics import count_hanzi
from bpe.analysis.segmentation import Segmentation, segment
from bpe.encoders import catalog
from bpe.encoders.base import Encoder
from bpe.encoders.tokenizer import Tokenizer
from bpe.errors import BPEError
from bpe.text.readable import readable
from bpe.training import pretokenize
from bpe.training.identity import digest
from bpe.training.recipe import Merge, Recipe
from bpe.training.train import Training
from playground.token_view import Made
from playground.train.progress_bar import TrainingBar
from playground.ui.i18n import _

_SWITCH_SECONDS = 0.001

CURVE_CHARACTERS = 100_000
"""How much of a corpus the curve over merges is measured on."""

_OWN = "own tokenizers"


@dataclass
class Trained:
    """A trained tokenizer with what its page shows beside it."""

    tokenizer: Tokenizer | CharacterTokenizer
    documents: int
    corpus_bytes: int
    seconds: float
    learner: str
    """Which learner found the merges."""
    curve: pd.DataFrame
    """Columns ``merges``, ``script`` ("zh" or "other"), ``bytes_per_token``."""
    curve_is_whole: bool
    """Whether the curve was measured on the whole corpus."""


@st.cache_resource(show_spinner=False)
def warm_up() -> None:
    """Have the kernels compiled in the background and sessions take turns, once per server.

    What a session computes in plain Python holds the lock of the interpreter. Another session asks
    for it dozens of times to answer one click, and waits this long each time.
    """
    sys.setswitchinterval(_SWITCH_SECONDS)
    threading.Thread(target=_warm_and_settle, name="warm up", daemon=True).start()


def _warm_and_settle() -> None:
    compiled.warm(background=False)
    # What libraries have made by now stays. To look through it for garbage again and again would
    # stop every session for a tenth of a second each time.
    gc.freeze()


@dataclass
class _Shelf:
    trained: Trained | None = None


@st.cache_resource(max_entries=24, show_spinner=False)
def _shelf(identity: str) -> _Shelf:
    return _Shelf()


def train(texts: Sequence[str], recipe: Recipe) -> Trained:
    """Return the tokenizer of a corpus and a recipe, drawing progress while it is trained."""
    shelf = _shelf(f"{digest(texts)}-{recipe.digest}")
    if shelf.trained is None:
        bar = TrainingBar()
        started = time.perf_counter()
        training = Training(texts, recipe, on_progress=bar.hear)
        spellings = [bytes([byte]) for byte in range(256)]
        spellings += [token.encode() for token in recipe.special_tokens]
        for number, merge in enumerate(training, start=1):
            if isinstance(merge, Merge):
                spellings.append(spellings[merge.left] + spellings[merge.right])
            if bar.is_due():
                new = readable(spellings[-1]) if isinstance(merge, Merge) else merge.new
                bar.merged(number, recipe.merge_limit, new, merge.count)
        seconds = time.perf_counter() - started
        bar.measuring()
        tokenizer = training.tokenizer()
        sample, whole = _head(texts, CURVE_CHARACTERS)
        shelf.trained = Trained(
            tokenizer,
            training.documents,
            training.corpus_bytes,
            seconds,
            training.learner,
            _curve(tokenizer, sample, bar.measuring),
            whole,
        )
        bar.remove()
    return shelf.trained


def _head(texts: Iterable[str], size: int) -> tuple[list[str], bool]:
    """Return the first ``size`` characters of the texts, and whether that is all of them."""
    head: list[str] = []
    for text in texts:
        if size <= 0:
            return head, False
        head.append(text[:size])
        if len(text) > size:
            return head, False
        size -= len(text)
    return head, True


def _curve(
    tokenizer: Tokenizer | CharacterTokenizer,
    texts: Sequence[str],
    breathe: Callable[[], object],
) -> pd.DataFrame:
    """Measure bytes per token over the merges, pre-tokens with 汉字 and without apart.

    ``breathe`` is called now and then; it may raise to stop the work.
    """
    recipe = tokenizer.recipe
    merges: list[tuple[Any, Any, Any]]
    words: list[tuple[Sequence[Any], int, str]]
    if isinstance(tokenizer, CharacterTokenizer):
        merges = [(merge.left, merge.right, merge.new) for merge in tokenizer.merges]
        words = [
            (character.split_word(word, recipe), count, word)
            for word, count in character.count_words(texts, recipe).items()
        ]
    else:
        merges = [(merge.left, merge.right, merge.new_id) for merge in tokenizer.merges]
        counts = pretokenize.count_words(
            texts,
            recipe.pattern,
            special_tokens=recipe.special_tokens,
            normalisation=recipe.normalisation,
        )
        words = [(list(word), count, word.decode()) for word, count in counts.items()]
    rows = []
    steps = sorted({round(len(merges) * step / 120) for step in range(121)})
    for script in ("zh", "other"):
        chosen = [word for word in words if (count_hanzi(word[2]) > 0) == (script == "zh")]
        size = sum(len(text.encode()) * count for _symbols, count, text in chosen)
        if not size:
            continue
        tokens = []
        for left in replay.token_counts([word[:2] for word in chosen], merges):
            tokens.append(left)
            if len(tokens) % 2_000 == 0:
                breathe()
        rows += [(step, script, size / tokens[step]) for step in steps]
    return pd.DataFrame(rows, columns=["merges", "script", "bytes_per_token"])


def merges_table(tokenizer: Tokenizer | CharacterTokenizer) -> pd.DataFrame:
    """Return the merges as a reader sees them: number, left, right, new token, count, id."""
    if isinstance(tokenizer, CharacterTokenizer):
        rows = [
            (number, merge.left, merge.right, merge.new, merge.count, tokenizer.ids.get(merge.new))
            for number, merge in enumerate(tokenizer.merges, start=1)
        ]
    else:
        rows = [
            (
                number,
                readable(tokenizer.token_bytes(merge.left)),
                readable(tokenizer.token_bytes(merge.right)),
                readable(tokenizer.token_bytes(merge.new_id)),
                merge.count,
                merge.new_id,
            )
            for number, merge in enumerate(tokenizer.merges, start=1)
        ]
    return pd.DataFrame(rows, columns=["number", "left", "right", "new", "count", "id"])


def keep_trained(trained: Trained) -> str:
    """Keep a trained tokenizer in this session; return the code that it is chosen by."""
    tokenizer = trained.tokenizer
    code = f"own-{tokenizer.corpus_digest[:4]}{tokenizer.recipe.digest[:4]}"
    keep(code, tokenizer)
    return code


def keep(code: str, tokenizer: Encoder) -> None:
    """Keep a tokenizer in this session, for the pages that compare and count."""
    own().pop(code, None)
    own()[code] = tokenizer


def forget(code: str) -> None:
    """Drop a tokenizer of this session."""
    own().pop(code, None)


def own() -> dict[str, Encoder]:
    """Return the tokenizers of this session by code, in the order in which they came."""
    tokenizers: dict[str, Encoder] = st.session_state.setdefault(_OWN, {})
    return tokenizers


def short(code: str) -> str:
    """Return what a tokenizer is called where there is little room."""
    return label(code) if code in own() else code


def label(code: str) -> str:
    """Return what a tokenizer is called in the reader's language, with the models that use it."""
    tokenizer = own().get(code)
    if isinstance(tokenizer, Tokenizer | CharacterTokenizer):
        of_bytes = isinstance(tokenizer, Tokenizer)
        return _("mine: {kind}, {size} entries ({code})").format(
            kind=tokenizer.recipe.pattern if of_bytes else "</w>",
            size=f"{tokenizer.vocabulary_size:,}",
            code=code.removeprefix("own-"),
        )
    if tokenizer is not None:
        return tokenizer.name
    facts = catalog.facts(code)
    text = f"{code} · {', '.join(facts.models[:2])}"
    return f"{text} · {_('needs the network')}" if facts.needs_network else text


def codes() -> list[str]:
    """Return the codes of all tokenizers to choose from: the session's own, then the catalogue."""
    return [*reversed(own()), *(entry.name for entry in catalog.encodings())]


def encoder(code: str) -> Encoder:
    """Return the tokenizer of that code; an unknown one raises :class:`bpe.BPEError`."""
    return own()[code] if code in own() else catalog.encoding(code)


def made(tokenizer: Encoder) -> Callable[[int], Made | None]:
    """Return what says how a token was made, where merges are known."""

    def tell(token_id: int) -> Made | None:
        if token_id in tokenizer.special_tokens.values():
            return None
        try:
            tree = merge_tree.token_tree(tokenizer, token_id)
        except BPEError:
            return None
        if len(tree.parts) != 2:
            return None if tree.parts else Made(None)
        left, right = ((part.id or 0, part.bytes) for part in tree.parts)
        count = None
        if isinstance(tokenizer, Tokenizer):
            count = tokenizer.merges[token_id - tokenizer.recipe.first_merge_id].count
        return Made(tree.rank, left, right, count)

    return tell


SEGMENTED = 3_000_000
"""How many tokens of a session's last texts are remembered, some 60 bytes each."""


def segmentation(tokenizer: Encoder, text: str) -> Segmentation:
    """Return a text cut into tokens, remembered for this session's last few texts."""
    cache: dict[tuple[int, str], tuple[Encoder, Segmentation]] = st.session_state.setdefault(
        "segmentations", {}
    )
    key = (id(tokenizer), text)  # the tokenizer is kept with it, so that no other has its id
    if key not in cache:
        cut = segment(tokenizer, text)
        room = SEGMENTED - len(cut)
        while cache and sum(len(kept) for _, kept in cache.values()) > room:
            cache.pop(next(iter(cache)))
        cache[key] = (tokenizer, cut)
    return cache[key][1]


def is_segmented(tokenizer: Encoder, text: str) -> bool:
    """Whether :func:`segmentation` will answer at once."""
    return (id(tokenizer), text) in st.session_state.get("segmentations", {})
