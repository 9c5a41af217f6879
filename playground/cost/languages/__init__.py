"""The same meaning in Chinese and in English: what it costs on each model, and what one saves."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from bpe import pricing
from bpe.pricing import Model, messages
from playground import text_pair
from playground.cost import layout, models
from playground.cost.context import PricingContext
from playground.cost.languages import comparing, results, vendor
from playground.cost.languages.comparing import ModelComparison
from playground.cost.languages.inputs import Inputs, choose, choose_texts
from playground.ui import charts, settings
from playground.ui.i18n import _, names_joined, plain, sentences_joined

__all__ = ["Inputs", "choose", "choose_texts", "show"]


def show(context: PricingContext, inputs: Inputs) -> None:
    """Draw the costs of both languages: a sentence, a chart, a table, and what they leave open."""
    if not inputs.models:
        models.ask_for_one()
        return
    vendor.answer(context, inputs.models, inputs.typed)
    rows = comparing.compare(context, inputs)
    if not any(row.prompts["zh"].tokens and row.prompts["en"].tokens for row in rows):
        st.info(
            _("Give the same text in both languages in the settings, or choose a sample."),
            icon=":material/edit:",
        )
        return
    said: list[str] = []
    if (still := text_pair.still_sample(inputs.typed)) and len(inputs.typed) == 2:
        st.info(
            _(
                "The text in {language} is still the sample's: the two no longer say the same, so "
                "nothing is said of what a language saves. Change it as well, or choose a sample."
            ).format(language=charts.languages()[still]),
            icon=":material/translate:",
        )
    else:
        story = _story(context, rows, inputs.volume)
        said = [story] * bool(story) + [_reading(context, rows, inputs.volume)]
        st.markdown(said[0])
        _say_lengths(inputs)
    _chart(context, rows, inputs.volume)
    for paragraph in said[1:]:
        st.markdown(paragraph)
    results.show_table(context, rows)
    layout.show_notes(
        context,
        (
            (row.model, note)
            for row in rows
            for note in (*row.costs.notes, *layout.model_notes(context, row.model))
        ),
        models=inputs.models,
        reasoning=inputs.reasoning,
        more=_chat_notes(context, inputs.models) if inputs.messages else (),
    )
    if inputs.typed and not inputs.month:
        vendor.ask(context, inputs.models, inputs.typed)


def _story(context: PricingContext, rows: Sequence[ModelComparison], volume: str) -> str:
    """Say which model costs the most and which the least, and what the language changes there."""
    priced = [row for row in rows if row.costs.fits is not False and row.costs.cost("zh")]
    if len(priced) < 2:
        return ""
    least, *_between, most = sorted(priced, key=lambda row: row.costs.cost("zh"))
    few, many, english = least.costs.cost("zh"), most.costs.cost("zh"), least.costs.cost("en")
    if many < 2 * few:
        return ""
    template = _(
        "**{dear} costs {ratio} times as much as {cheap}** for this in Chinese: {many} against "
        "{few} {volume}."
    )
    if least.worse_count.uncertainty or most.worse_count.uncertainty:
        template = _(
            "**{dear} costs about {ratio} times as much as {cheap}** for this in Chinese: {many} "
            "against {few} {volume}."
        )
    cheap = plain(context.names[least.model.id])
    said = template.format(
        dear=plain(context.names[most.model.id]),
        cheap=cheap,
        ratio=f"{many / few:.0f}",
        many=context.money.markdown(many),
        few=context.money.markdown(few),
        volume=volume,
    )
    percent = round(100 * (few / english - 1)) if english and not least.is_unsure else 0
    if not percent:
        return said
    template = _("On {cheap}, Chinese costs {percent}% more than English.")
    if percent < 0:
        template = _("On {cheap}, Chinese costs {percent}% less than English.")
    return sentences_joined(said, template.format(cheap=cheap, percent=abs(percent)))


def _reading(context: PricingContext, rows: Sequence[ModelComparison], volume: str) -> str:
    refused = [row for row in rows if row.costs.fits is False]
    unsure = [row for row in rows if row.is_unsure and row not in refused]
    sure = [row for row in rows if row not in refused and row not in unsure]
    left_out = sentences_joined(
        *filter(
            None,
            (
                _overlapping(context, unsure),
                layout.refused_sentence(context, [row.model for row in refused]),
            ),
        )
    )
    if not any(row.costs.saving for row in sure):
        said = _("Neither language is surely cheaper here.")
        if sure:
            said = _("On {models} of {all} models, both languages cost the same.").format(
                models=len(sure), all=len(rows)
            )
        return sentences_joined(said, left_out) if left_out else said
    most = max(sure, key=lambda row: row.costs.saving)
    template = _("**{model}**: writing in {language} saves {money} {volume} ({percent}%).")
    if len(rows) > 1:
        template = _(
            "**{model}**: writing in {language} saves {money} {volume} ({percent}%), the most "
            "among {models} of {all} models."
        )
    said = template.format(
        model=plain(context.names[most.model.id]),
        language=charts.languages()[most.costs.cheaper or "en"],
        money=context.money.markdown(most.costs.saving),
        volume=volume,
        percent=f"{100 * most.costs.saving_share:.0f}",
        models=len(sure),
        all=len(rows),
    )
    if left_out:
        said = sentences_joined(said, left_out)
    zh, mixed = most.costs.cost("zh"), most.costs.cost("zh", "en")
    if mixed < zh:
        said += "\n\n" + _(
            "Asking it in Chinese but having it answer in English would save {money}."
        ).format(money=context.money.markdown(zh - mixed))
    elif mixed > zh:
        said += "\n\n" + _(
            "Asking it in Chinese but having it answer in English would cost {money} more."
        ).format(money=context.money.markdown(mixed - zh))
    return said


def _say_lengths(inputs: Inputs) -> None:
    lengths = {code: size for code, size in inputs.answers.items() if isinstance(size, int)}
    if lengths:
        st.caption(
            _("Answers of {zh} tokens in Chinese and {en} in English, as set.").format(
                **{code: f"{size:,}" for code, size in lengths.items()}
            )
        )


def _overlapping(context: PricingContext, rows: Sequence[ModelComparison]) -> str:
    names = [context.names[row.model.id] for row in rows]
    if not names:
        return ""
    return _("Left out, as the ranges of their estimates overlap: {models}.").format(
        models=plain(names_joined(names))
    )


def _chart(context: PricingContext, rows: Sequence[ModelComparison], volume: str) -> None:
    title = _("{currency} {volume}").format(currency=context.money.name, volume=volume)
    view = settings.segments(
        _("Chart"),
        {"bars": _("Cost of each model"), "window": _("Cost against context window")},
        key="chart",
        label_visibility="collapsed",
    )
    frame = results.frame(context, rows)
    if view == "bars":
        charts.show(
            partial(results.costs_by_language, frame, title=title),
            alt_text=_("Cost of each model in Chinese and English"),
        )
        if (frame["high"] > frame["low"]).any():
            st.caption(_("A thin line is the range of an estimate."))
        return
    layout.show_unknown_windows(context, [row.model for row in rows])
    known = frame[frame["window"].notna() & (frame["cost"] > 0)]
    if len(known):
        charts.show(
            partial(results.cost_against_window, known, title=title),
            alt_text=_("Cost of each model over its context window, in Chinese and English"),
        )


def _chat_notes(context: PricingContext, chosen: Sequence[Model]) -> list[str]:
    rules = [(model, pricing.frame_of(model)) for model in chosen]
    lines = layout.note_lines(
        context,
        (
            (model, known.rule if known else pricing.Sentence(messages.CHAT_UNKNOWN))
            for model, known in rules
        ),
    )
    sources = [known.source for _model, known in rules if known][:1]
    return lines + [f"[{_('The rule at its source')}]({source})" for source in sources]
