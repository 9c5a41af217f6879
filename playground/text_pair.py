"""Chinese and English texts of the same meaning: samples by domain, or the reader's own."""

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any

from bpe.documents import parallel_texts, samples
from bpe.pricing import Language
from playground.editor import plain_text
from playground.ui import caches, fields, state
from playground.ui.i18n import ENGLISH, _, language
from playground.ui.state import Field

OWN = "own"
SAMPLE = Field("sample", "")
_MOST_OTHERS = 10
"""Languages beside the two that are measured unless the reader chooses more."""
SENTENCES = 3
"""How many sample pairs make a text: enough to see, few enough to read."""


def domain_names() -> dict[str, str]:
    return {
        "news": _("News"),
        "dialogue": _("Dialogue"),
        "documentation": _("Documentation"),
        "law": _("Law"),
        "literary": _("Literature"),
        "code": _("Numbers and code"),
        "social": _("Social media"),
    }


def sample_texts(domain: str, *, answers: bool = False) -> dict[Language, str]:
    """Return a few samples of a domain as a text in each language, a line for each.

    ``answers`` are the samples that follow these.
    """
    start = SENTENCES if answers else 0
    chosen = samples.pairs(domain)[start : start + SENTENCES]
    return {
        "zh": "\n".join(pair.zh for pair in chosen),
        "en": "\n".join(pair.en for pair in chosen),
    }


def choose_sample(page: str, label: str, own: str) -> str:
    """Draw the choice of a sample or of the reader's own text, which put a sample into its fields.

    Return the domain, or :data:`OWN`, which is called ``own``.
    """
    domain = fields.select(label, {**domain_names(), OWN: own}, key="sample")
    if (filled := _filled_with(page)).get() != domain:
        filled.set(domain)
        if domain != OWN:
            state.fill({f"{page}_{code}": text for code, text in sample_texts(domain).items()})
    return domain


def take_as_own(page: str) -> None:
    """Take the texts of a page for the reader's own, as one of them was changed."""
    SAMPLE.set(OWN)
    _filled_with(page).set(OWN)


def _filled_with(page: str) -> Field[str]:
    return Field(f"{page}_filled_with", "")


def still_sample(texts: Mapping[str, str]) -> str | None:
    """Return the language whose text is that of a sample while the other has been changed.

    Such texts do not say the same. ``None`` where both are a sample's, or both the reader's.
    """
    for domain in domain_names():
        sample = sample_texts(domain)
        alike = [code for code in sample if texts.get(code) == sample[code]]
        if len(alike) == 1:
            return alike[0]
    return None


def text_areas(page: str) -> dict[Language, str]:
    """Draw the choice of a sample and both texts; return them by language.

    A sample that is changed is no sample any more. What the reader types stays in the session
    and out of the URL.
    """
    domain = choose_sample(page, _("Sample texts"), _("My own texts"))
    typed = partial(take_as_own, page)
    sample = {} if domain == OWN else sample_texts(domain)
    labels: dict[Language, str] = {"zh": _("Chinese"), "en": _("English")}
    order = labels if language() != ENGLISH else reversed(labels)
    return {
        code: plain_text(
            labels[code], key=f"{page}_{code}", default=sample.get(code, ""), on_edit=typed
        )
        for code in order
    }


def from_table(
    data: bytes,
    name: str,
    *,
    places: Sequence[Any],
    key: str,
    max_bytes: int,
) -> tuple[parallel_texts.Pairs, dict[str, parallel_texts.Pairs]]:
    """Draw the choice of a column for each language at two places; return the pairs of the rows.

    At a third place the reader chooses other languages: their pairs, with English, are returned by
    the name of their column. ``key`` names the file. A row with only one of Chinese and English
    raises BPEError.
    """
    content = hashlib.sha256(data).digest()

    @cache
    def table() -> parallel_texts.Table:
        return parallel_texts.read_table(data, name, max_bytes=max_bytes)

    columns, languages, guess = caches.latest(
        "columns of the table of pairs",
        content,
        lambda: (table().columns, table().languages, (table().zh, table().en)),
    )
    zh, en = (
        place.selectbox(
            label,
            columns,
            index=columns.index(guessed),
            key=f"{language} column {key}",
        )
        for place, label, language, guessed in zip(
            places[:2],
            (_("Chinese column"), _("English column")),
            ("zh", "en"),
            guess,
            strict=True,
        )
    )
    others: list[str] = []
    if len(columns) > 2 and len(places) > 2:
        others = places[2].multiselect(
            _("Other languages"),
            [column for column in columns if column not in (zh, en)],
            [column for column in languages if column not in (zh, en)][:_MOST_OTHERS],
            key=f"other columns {key} {zh} {en}",
            select_all=False,
        )
    pairs = caches.latest("table of pairs", (content, zh, en), lambda: table().pairs(zh, en))
    more = caches.latest(
        "other languages of the table",
        (content, en, tuple(others)),
        lambda: {other: table().pairs(other, en, gaps=True) for other in others},
    )
    return pairs, more
