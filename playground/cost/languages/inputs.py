"""What is entered: prompts as texts or as pairs from a file, answers, models, and requests."""

from dataclasses import dataclass

import streamlit as st

from bpe.errors import BPEError
from bpe.pricing import LANGUAGES, Language, Model
from bpe.text import corpus, parallel_texts, samples
from bpe.text.parallel_texts import Pairs
from playground.cost import layout, models
from playground.cost.context import PricingContext
from playground.ui import fields, settings, text_pair
from playground.ui.i18n import _, error_text, plain
from playground.ui.uploader import file_uploader

_PAIR_FILE = "uploaded pairs"
_FILLED = "cost_answers_filled_with"

TextOrLength = str | int
"""A text, which is counted for each model, or how many tokens it has for all of them."""


@dataclass(frozen=True)
class PairFile:
    """A file of pairs, the same meaning in Chinese and in English in each row."""

    name: str
    pairs: Pairs


@dataclass(frozen=True)
class Inputs:
    """What the reader has entered."""

    prompts: dict[Language, TextOrLength] | PairFile
    answers: dict[Language, TextOrLength]
    models: list[Model]
    reasoning: int
    requests: int
    messages: int

    @property
    def typed(self) -> dict[str, str]:
        """The texts of the prompts by language, where they are not from a file."""
        if isinstance(self.prompts, PairFile):
            return {}
        return {code: text for code, text in self.prompts.items() if isinstance(text, str)}


def choose(context: PricingContext) -> Inputs:
    """Draw the fields and return what they hold."""
    source = settings.segments(
        _("Prompts"),
        {"texts": _("a sample or my own"), "pairs": _("pairs from a file")},
        key="prompts",
    )
    prompts: dict[Language, TextOrLength] | PairFile
    if source == "pairs":
        prompts = _pair_file() or PairFile("", ())
    else:
        typed = text_pair.text_areas("cost")
        prompts = {code: typed[code] for code in LANGUAGES}
    return Inputs(
        prompts,
        models=models.choose(context),
        answers=_answers(),
        reasoning=layout.reasoning_tokens("reasoning"),
        requests=fields.whole(
            _("Requests"), "requests", 1000, least=1, most=1_000_000_000, step=1000
        ),
        messages=fields.whole(
            _("Messages in each request"),
            "messages",
            0,
            most=10_000,
            step=1,
            hint=_(
                "A chat adds tokens for each message and its role. With 0, only the text is "
                "counted."
            ),
        ),
    )


def _pair_file() -> PairFile | None:
    """Draw the upload and the choice of columns; return the pairs, or say why there are none.

    What was read outlives a visit to another section, which empties the widget.
    """
    file = file_uploader(
        _("A file of pairs"),
        parallel_texts.TABLES,
        key="pair_file",
        most_bytes=corpus.MAX_BYTES,
        help=_("A column in Chinese and one in English; each row says the same in both."),
    )
    kept: PairFile | None = st.session_state.get(_PAIR_FILE)
    if file is None:
        if kept:
            st.caption(_("Still here from before: {names}").format(names=plain(kept.name)))
        return kept
    try:
        found = text_pair.from_table(
            file.getvalue(),
            file.name,
            places=(st, st),
            key=file.file_id,
            max_bytes=corpus.MAX_BYTES,
        )
    except BPEError as error:
        st.error(error_text(error))
        read = None
    else:
        st.caption(_("{pairs} pairs").format(pairs=f"{len(found):,}"))
        read = PairFile(file.name, found)
    st.session_state[_PAIR_FILE] = read
    return read


def _answers() -> dict[Language, TextOrLength]:
    """Draw the answers; return the text of each, or its length."""
    kind = settings.segments(
        _("Answers"),
        {"text": _("as texts"), "tokens": _("by length")},
        key="answers",
    )
    return _answer_lengths() if kind == "tokens" else _answer_texts()


def _answer_lengths() -> dict[Language, TextOrLength]:
    left, right = st.columns(2)
    with left:
        zh = fields.whole(_("Chinese, tokens"), "answer_zh", 300)
    with right:
        en = fields.whole(_("English, tokens"), "answer_en", 300)
    return {"zh": zh, "en": en}


def _answer_texts() -> dict[Language, TextOrLength]:
    """Draw two texts; with each choice of a sample they become the sentences after its own."""
    domain = st.session_state.get("sample")
    if domain != st.session_state.get(_FILLED):
        if domain in samples.DOMAINS:
            chosen = samples.pairs(domain)[text_pair.SENTENCES : 2 * text_pair.SENTENCES]
            st.session_state["answer_text_zh"] = "\n".join(pair.zh for pair in chosen)
            st.session_state["answer_text_en"] = "\n".join(pair.en for pair in chosen)
        st.session_state[_FILLED] = domain
    with st.expander(_("The answers")):
        zh = st.text_area(
            _("Answer in Chinese"), key="answer_text_zh", height=120, persist_state="session"
        )
        en = st.text_area(
            _("Answer in English"), key="answer_text_en", height=120, persist_state="session"
        )
    return {"zh": zh or "", "en": en or ""}
