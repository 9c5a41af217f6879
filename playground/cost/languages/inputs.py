"""What is entered: prompts as texts or as pairs from a file, answers, models, and requests."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from bpe.documents import parallel_texts, reader, samples
from bpe.documents.parallel_texts import Pairs
from bpe.encoders import catalog
from bpe.errors import BPEError
from bpe.pricing import LANGUAGES, Language, Model, Scenario
from playground import text_pair
from playground.cost import layout, models
from playground.cost.context import PricingContext
from playground.editor import plain_text
from playground.ui import fields, settings, unseen, uploads
from playground.ui.i18n import _, error_text

_FILLED = "cost_answers_filled_with"
_KIND = "answers"
_BY_LENGTH = "the answers are by length as the prompt is the reader's own"

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
    month: Callable[[Model], Scenario] | None = None
    """The traffic to a model in a month, if the requests are those of one."""

    @property
    def volume(self) -> str:
        said = _("for {requests} requests")
        if self.month:
            said = _("for a month of {requests} requests")
        return said.format(requests=f"{self.requests:,}")

    @property
    def typed(self) -> dict[str, str]:
        """The texts of the prompts by language, where they are not from a file."""
        if isinstance(self.prompts, PairFile):
            return {}
        return {code: text for code, text in self.prompts.items() if isinstance(text, str)}


def choose(context: PricingContext) -> Inputs:
    inputs = choose_texts(context)
    requests = fields.whole(_("Requests"), "requests", 1000, least=1, most=1_000_000_000, step=1000)
    return replace(inputs, requests=requests)


def choose_texts(context: PricingContext) -> Inputs:
    """Draw all but the number of requests, which is 1."""
    source = settings.segments(
        _("Prompts"),
        {"texts": _("A sample or my own"), "pairs": _("Pairs from a file")},
        key="prompts",
    )
    prompts: dict[Language, TextOrLength] | PairFile
    domain = text_pair.OWN
    if source == "pairs":
        prompts = _pair_file() or PairFile("", ())
    else:
        typed = text_pair.text_areas()
        for code, text in typed.items():
            unseen.notice(text, key=f"cost_{code}", load=partial(catalog.encoding, "o200k_base"))
        prompts = {**typed}
        chosen = st.session_state.get("sample")
        if chosen in samples.DOMAINS and typed == text_pair.sample_texts(chosen):
            domain = chosen
    return Inputs(
        prompts,
        models=models.choose(context),
        answers=_answers(domain),
        reasoning=layout.reasoning_tokens("reasoning"),
        requests=1,
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
    """Draw the upload and the choice of columns; return the pairs, or say why there are none."""
    file = uploads.one_file(
        _("A file of pairs"),
        parallel_texts.TABLES,
        key="pair_file",
        most_bytes=reader.MAX_BYTES,
        help=_("A column in Chinese and one in English; each row says the same in both."),
    )
    if file is None:
        return None
    data, name = file
    try:
        found, _others = text_pair.from_table(
            data, name, places=(st, st), key=f"{name}-{len(data)}", max_bytes=reader.MAX_BYTES
        )
    except BPEError as error:
        st.error(error_text(error))
        return None
    st.caption(_("{pairs} pairs").format(pairs=f"{len(found):,}"))
    return PairFile(name, found)


def _answers(domain: str) -> dict[Language, TextOrLength]:
    """Draw the answers to the sample ``domain``, or to the reader's own prompts.

    Return the text of each, or its length.
    """
    _follow_prompts(domain)
    kind = settings.segments(
        _("Answers"),
        {"text": _("As texts"), "tokens": _("By length")},
        key=_KIND,
    )
    return _answer_lengths() if kind == "tokens" else _answer_texts(domain)


def _follow_prompts(domain: str) -> None:
    """Give each sample its answers, and take them from a prompt that is not a sample's.

    What a sample answers says nothing of another prompt: that has answers by length, until the
    reader asks for texts and types them.
    """
    state = st.session_state
    if domain == state.get(_FILLED):
        return
    keys = {code: f"answer_text_{code}" for code in LANGUAGES}
    if domain in samples.DOMAINS:
        for code, text in text_pair.sample_texts(domain, answers=True).items():
            state[keys[code]] = text
        if state.pop(_BY_LENGTH, False) and state.get(_KIND) == "tokens":
            state[_KIND] = "text"
    else:
        shown = {code: state.get(key) for code, key in keys.items()}
        if any(shown == text_pair.sample_texts(each, answers=True) for each in samples.DOMAINS):
            state.update(dict.fromkeys(keys.values(), ""))
            if state.get(_KIND) != "tokens":
                state[_KIND], state[_BY_LENGTH] = "tokens", True
    state[_FILLED] = domain


def _answer_lengths() -> dict[Language, TextOrLength]:
    left, right = st.columns(2)
    zh = fields.whole(_("Chinese, tokens"), "answer_zh", 300, place=left)
    en = fields.whole(_("English, tokens"), "answer_en", 300, place=right)
    return {"zh": zh, "en": en}


def _answer_texts(domain: str) -> dict[Language, TextOrLength]:
    known = domain in samples.DOMAINS
    sample = text_pair.sample_texts(domain, answers=True) if known else {}
    with st.expander(_("The answers")):
        labels: dict[Language, str] = {"zh": _("Answer in Chinese"), "en": _("Answer in English")}
        return {
            code: plain_text(label, key=f"answer_text_{code}", default=sample.get(code, ""), rows=4)
            for code, label in labels.items()
        }
