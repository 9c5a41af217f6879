"""The same meaning in Chinese and in English: what it costs on each model, and what one saves."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import Model, words
from bpe.pricing.languages import Language
from playground.cost import models, notes
from playground.cost.desk import Desk
from playground.cost.languages import answers, drawing, lengths, pair_files, table, vendor
from playground.cost.languages.comparing import Row, compare
from playground.cost.languages.lengths import Lengths
from playground.cost.languages.pair_files import PairFile
from playground.ui import charts, fields, settings, text_pair
from playground.ui.i18n import _, error_text, plain


@dataclass(frozen=True)
class Inputs:
    """What the reader has entered; the prompts are texts, or pairs of them from a file."""

    prompts: dict[Language, str | int] | PairFile
    answers: dict[Language, str | int]
    models: list[Model]
    requests: int
    messages: int

    @property
    def typed(self) -> dict[str, str]:
        """The texts of the prompts by language, where they are not from a file."""
        if isinstance(self.prompts, PairFile):
            return {}
        return {code: text for code, text in self.prompts.items() if isinstance(text, str)}

    def count_prompts(self) -> Lengths:
        """Return the lengths of the prompts for each model."""
        if isinstance(self.prompts, PairFile):
            return lengths.of_pairs(self.models, self.prompts)
        return lengths.of_texts(self.models, self.prompts)


def section(desk: Desk) -> None:
    """Draw the texts on the left and what they cost on the right."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        inputs = _inputs(desk)
    with right:
        if not inputs.models:
            models.ask_for_one()
            return
        vendor.answer(desk, inputs.models, inputs.typed)
        try:
            rows = _rows(desk, inputs)
        except BPEError as error:
            st.error(error_text(error))
            return
        if not any(row.prompts["zh"].tokens and row.prompts["en"].tokens for row in rows):
            st.info(
                _("Give the same text in both languages on the left, or choose a sample."),
                icon=":material/edit:",
            )
            return
        _result(desk, rows, inputs)


def _inputs(desk: Desk) -> Inputs:
    source = settings.segments(
        _("Prompts"),
        {"texts": _("a sample or my own"), "pairs": _("pairs from a file")},
        key="prompts",
    )
    prompts: dict[Language, str | int] | PairFile
    if source == "pairs":
        prompts = pair_files.upload() or PairFile("", ())
    else:
        typed = text_pair.text_areas("cost")
        prompts = {"zh": typed["zh"], "en": typed["en"]}
    chosen = models.choose(desk)
    replies = answers.choose()
    requests = fields.whole(_("Requests"), "requests", 1000, least=1, most=1_000_000_000, step=1000)
    messages = fields.whole(
        _("Messages in each request"),
        "messages",
        0,
        most=10_000,
        step=1,
        hint=_(
            "A chat adds tokens for each message and its role. With 0, only the text is counted."
        ),
    )
    return Inputs(prompts, replies, chosen, requests, messages)


def _rows(desk: Desk, inputs: Inputs) -> list[Row]:
    prompts = inputs.count_prompts()
    replies = lengths.of_texts(inputs.models, inputs.answers)
    return [
        compare(desk, model, prompts, replies, requests=inputs.requests, messages=inputs.messages)
        for model in inputs.models
    ]


def _result(desk: Desk, rows: Sequence[Row], inputs: Inputs) -> None:
    st.markdown(_reading(desk, rows, inputs.requests))
    _chart(desk, rows, inputs.requests)
    table.show(desk, rows)
    notes.below(desk, notes.of_prices(desk, inputs.models))
    notes.stale(desk, inputs.models)
    if inputs.messages:
        _chat_notes(desk, inputs.models)
    if inputs.typed:
        vendor.ask(desk, inputs.models, inputs.typed)


def _reading(desk: Desk, rows: Sequence[Row], requests: int) -> str:
    """Say in words where the language matters most, and what the answer's language does."""
    sure = [row for row in rows if row.surely_differs]
    if not sure:
        if not any(row.costs.saving for row in rows):
            return _("On these models, both languages cost the same.")
        return _("The ranges of the estimates overlap: neither language is surely cheaper here.")
    most = max(sure, key=lambda row: row.costs.saving)
    said = _(
        "**{model}**: writing in {language} saves {money} for {requests} requests ({percent} %), "
        "the most among these models."
    ).format(
        model=plain(desk.names[most.model.id]),
        language=charts.languages()[most.costs.cheaper or "en"],
        money=desk.money.words(most.costs.saving),
        requests=f"{requests:,}",
        percent=f"{100 * most.costs.saving_share:.0f}",
    )
    zh, mixed = most.costs.cost("zh"), most.costs.cost("zh", "en")
    if mixed < zh:
        said += "\n\n" + _(
            "Asking it in Chinese but having it answer in English would save {money}."
        ).format(money=desk.money.words(zh - mixed))
    elif mixed > zh:
        said += "\n\n" + _(
            "Asking it in Chinese but having it answer in English would cost {money} more."
        ).format(money=desk.money.words(mixed - zh))
    return said


def _chart(desk: Desk, rows: Sequence[Row], requests: int) -> None:
    title = _("{currency} for {requests} requests").format(
        currency=desk.money.name, requests=f"{requests:,}"
    )
    view = settings.segments(
        _("Chart"),
        {"bars": _("Cost of each model"), "window": _("Cost against context window")},
        key="chart",
        label_visibility="collapsed",
    )
    frame = drawing.frame(desk, rows)
    if view == "bars":
        charts.show(
            drawing.costs_by_language(frame, title=title),
            alt_text=_("Cost of each model in Chinese and English"),
        )
        if (frame["high"] > frame["low"]).any():
            st.caption(_("A thin line is the range of an estimate."))
        return
    notes.unknown_window(desk, [row.model for row in rows])
    known = frame[frame["window"].notna() & (frame["cost"] > 0)]
    if len(known):
        charts.show(
            drawing.cost_against_window(known, title=title),
            alt_text=_("Cost of each model over its context window, in Chinese and English"),
        )


def _chat_notes(desk: Desk, chosen: Sequence[Model]) -> None:
    """Cite the rule for what a chat adds, where one is known."""
    rules = [(model, pricing.chat_overhead(model, 1)) for model in chosen]
    notes.below(
        desk,
        (
            (model, known.rule if known else pricing.Sentence(words.CHAT_UNKNOWN))
            for model, known in rules
        ),
    )
    source = next((known.source for _model, known in rules if known), None)
    if source:
        st.caption(f"[{_('The rule at its source')}]({source})")
