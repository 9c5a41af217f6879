"""The corpus of the Train page: sample texts, what the reader types, or files."""

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePath

import regex
import streamlit as st

from bpe.algorithm.counts import WordCounts
from bpe.algorithm.recipe import Recipe
from bpe.documents import documents, samples
from bpe.errors import BPEError
from bpe.text.digests import digest
from playground.editor import plain_text
from playground.session import CorpusSource
from playground.train import counted_words, examples
from playground.ui import restorable, settings, uploads
from playground.ui.i18n import _, error_text, names_joined, plain

PREVIEW = 400
"""Characters of the corpus that are shown."""

OPENING = 160
"""Characters of the first line of each of the first texts that are tokenized at first sight."""

MOST_TYPED = 1_000_000
"""Characters of a typed text that a file brings back."""

_SEPARATOR = "---"
_BLOCK = 1 << 20
_HANZI = regex.compile(r"\p{Script=Han}+")
_LAST = "corpus made last"


@dataclass(frozen=True)
class Corpus:
    """The documents that a tokenizer is trained on, and what they are called."""

    name: str
    texts: tuple[str, ...]
    words: int | None = None
    """How many different words, where the corpus is words with their counts."""
    opening: str = ""
    """A text to look at: how the corpus begins, each repeated document once."""
    counts: WordCounts | None = None
    """What is trained on instead of the texts, which then are the most frequent words."""
    source: CorpusSource | None = None
    """How to have the same corpus again, of samples or a typed text."""

    @cached_property
    def digest(self) -> str:
        """The digest of what is trained on."""
        return digest(self.texts) if self.counts is None else self.counts.digest

    @cached_property
    def characters(self) -> int:
        """How many characters the texts have together."""
        return sum(map(len, self.texts))

    @cached_property
    def size(self) -> int:
        """How many bytes the texts have together in UTF-8."""
        return sum(len(block.encode("utf-8", "surrogatepass")) for block in self._blocks())

    @cached_property
    def hanzi(self) -> int:
        """How many of the characters are 汉字."""
        return sum(len(run) for block in self._blocks() for run in _HANZI.findall(block))

    def cut(self, recipe: Recipe) -> Recipe:
        """Return a recipe that cuts words as they were counted, where that is said."""
        said = self.counts.counted if self.counts is not None else None
        if said is None:
            return recipe
        return replace(
            recipe,
            pattern=said.pattern,
            normalisation=said.normalisation,
            special_tokens=said.special_tokens,
        )

    def _blocks(self) -> list[str]:
        """The texts in blocks, so that other threads have their turn; short ones together.

        Of counted words, each of them once: that is what takes the time and the memory.
        """
        if self.counts is not None:
            return [self.counts.text.tobytes().decode("utf-8", "replace")]
        if len(self.texts) > 1000:
            return ["".join(self.texts[at : at + 1000]) for at in range(0, len(self.texts), 1000)]
        return [text[at : at + _BLOCK] for text in self.texts for at in range(0, len(text), _BLOCK)]


def size_text(size: float) -> str:
    """Return a number of bytes with its unit."""
    if size < 1000:
        return f"{size} B"
    return f"{size / 1000:.1f} KB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


def choose() -> Corpus | None:
    """Draw the choice of a corpus and return it; ``None`` where there is none yet.

    What cannot be a corpus is said below it.
    """
    source = settings.segments(
        _("Text to train on"),
        {
            "both": _("Both samples"),
            "zh": _("Chinese"),
            "en": _("English"),
            "text": _("Type or paste"),
            "upload": _("Files"),
            "counts": _("Counted words"),
        },
        key="corpus",
    )
    if source == "counts":
        return _counted()
    name = _("samples")
    texts: tuple[str, ...]
    if source == "text":
        name, texts = _("typed"), _typed()
    elif source == "upload":
        read = uploads.documents()
        texts = tuple(text for document in read for text in document.texts)
        names = [PurePath(document.name).stem for document in read]
        name = names_joined(names[:2]) + ("…" if len(names) > 2 else "")
    else:
        texts = _sampled()[source]
    below_text = st.container()
    examples.chips()
    with st.expander(_("Preview and documents")):
        try:
            corpus = _separated(name, texts, source)
        except BPEError as error:
            below_text.error(error_text(error))
            return None
        if corpus:
            _preview(corpus)
    return corpus


def _counted() -> Corpus | None:
    if (read := counted_words.choose()) is None:
        return None
    name, words = read
    opening = counted_words.most_frequent(words, OPENING)
    last = st.session_state.get(_LAST)
    if last and last[1] is words:
        corpus: Corpus = last[2]
    else:
        corpus = Corpus(name, (opening,), len(words), opening, words)
        st.session_state[_LAST] = (None, words, corpus)
    facts = [_("Different words: {number}").format(number=f"{len(words):,}")]
    if words.counted is not None:
        facts += [
            _("Documents: {number}").format(number=f"{words.counted.documents:,}"),
            size_text(words.counted.bytes),
        ]
    st.caption(" · ".join(facts))
    if words.counted is not None:
        st.caption(
            _(
                "They were cut by the pattern {name}: split pattern, normalisation and special "
                "tokens are those of the file, whatever is chosen below."
            ).format(name=plain(words.counted.pattern))
        )
    return corpus


def _typed() -> tuple[str, ...]:
    text = plain_text(
        _("Your text"),
        key=examples.TEXT,
        placeholder=_('Type or paste a text, or words with their counts: {"hug": 10, "pug": 5}'),
        limit=MOST_TYPED,
    )
    return (text,) if text.strip() else ()


def _separated(name: str, texts: tuple[str, ...], source: str) -> Corpus | None:
    """Draw the choice of a separator; return the documents, the last ones if they are the same.

    So their digest and their sizes are worked out once, not with every click.
    """
    chosen = settings.select(
        _("A new document begins"),
        {
            "text": _("with each file or text"),
            "paragraph": _("after an empty line"),
            "line": _("with each line"),
            "own": _("after a separator of my own"),
        },
        key="documents",
    )
    st.caption(_("No merge crosses from one document into the next; separators are not learned."))
    separator: str | None = None if chosen == "text" else chosen
    if chosen == "own":
        separator = st.text_input(
            _("Separator"), **restorable.text("separator", _SEPARATOR, most=100)
        )
    asked = (name, separator, source)
    last = st.session_state.get(_LAST)
    if last and last[0] == asked and last[1] == texts:
        corpus: Corpus | None = last[2]
        return corpus
    corpus = _made(name, texts, separator)
    if corpus is not None and source in _sampled():
        corpus = replace(corpus, source=CorpusSource(sample=source, separator=separator))
    elif corpus is not None and source == "text":
        corpus = replace(corpus, source=CorpusSource(text=texts[0], separator=separator))
    st.session_state[_LAST] = (asked, texts, corpus)
    return corpus


def of(source: CorpusSource) -> Corpus | None:
    """Return the corpus that a link or a file names; ``None`` where there is no such."""
    if source.sample:
        texts = _sampled().get(source.sample)
        return _made(_("samples"), texts, source.separator) if texts else None
    if not source.text.strip():
        return None
    return _made(_("typed"), (source.text,), source.separator)


def _sampled() -> dict[str, tuple[str, ...]]:
    """Return the texts of each choice of samples."""
    zh, en = (samples.corpus("zh"),), (samples.corpus("en"),)
    return {"both": zh + en, "zh": zh, "en": en}


def _made(name: str, texts: tuple[str, ...], separator: str | None) -> Corpus | None:
    words = documents.counted_words(texts[0]) if len(texts) == 1 else None
    if words is not None:
        return Corpus(name, tuple(documents.repeated(words)), len(words), " ".join(words))
    cut = tuple(documents.separated(texts, separator))
    return Corpus(name, cut, opening=_opening(cut)) if cut else None


def _opening(texts: tuple[str, ...]) -> str:
    """Return the first lines of the first two texts; a short corpus is shown whole."""
    if sum(map(len, texts[:20])) <= 2 * OPENING and len(texts) <= 20:
        return "\n".join(texts)
    return "\n".join(text[:OPENING].split("\n")[0] for text in texts[:2])


def _preview(corpus: Corpus) -> None:
    facts = [
        _("Documents: {number}").format(number=f"{len(corpus.texts):,}"),
        _("Characters: {number}").format(number=f"{corpus.characters:,}"),
        _("汉字: {share:.0%}").format(share=corpus.hanzi / max(corpus.characters, 1)),
        size_text(corpus.size),
    ]
    if corpus.words is not None:
        facts.insert(0, _("Different words: {number}").format(number=f"{corpus.words:,}"))
    st.caption(" · ".join(facts))
    shown = ""
    for text in corpus.texts[:100]:
        shown += ("\n" if shown else "") + text[:PREVIEW]
    more = len(shown) > PREVIEW or len(corpus.texts) > 100
    st.text(shown[:PREVIEW] + ("…" if more else ""))
