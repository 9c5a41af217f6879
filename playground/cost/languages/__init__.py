"""The same meaning in Chinese and in English: what it costs on each model, and what one saves."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from bpe import pricing
from bpe.pricing import LANGUAGES, Model, messages
from playground import text_pair
from playground.cost import layout, models
from playground.cost.context import PricingContext
from playground.cost.languages import comparing, results
from playground.cost.languages.comparing import ModelComparison
from playground.cost.languages.inputs import Inputs, choose, choose_texts
from playground.ui import charts, settings
from playground.ui.i18n import _, names_joined, plain, sentences_joined

__all__ = ["Inputs", "choose", "choose_texts", "show"]

_NAMED = 3
"""Of more models than these the first sentence has the number."""


def show(context: PricingContext, inputs: Inputs) -> None:
    if not inputs.models:
        models.ask_for_one()
        return
    rows = comparing.compare(context, inputs)
    if not any(row.prompts["zh"].tokens and row.prompts["en"].tokens for row in rows):
        st.info(
            _("Give the same text in both languages in the settings, or choose a sample."),
            icon=":material/edit:",
        )
        return
    if still := len(inputs.typed) == 2 and text_pair.still_sample(inputs.typed):
        st.info(
            _(
                "The text in {language} is still the sample's: the two no longer say the same, so "
                "nothing is said of what a language saves. Change it as well, or choose a sample."
            ).format(language=charts.languages()[still]),
            icon=":material/translate:",
        )
    else:
        st.markdown(_reading(context, rows, inputs.volume))
        _say_lengths(inputs)
    _chart(context, rows, inputs.volume)
    notes = layout.show_hours(
        context,
        (
            (row.model, note)
            for row in rows
            for note in (*row.costs.notes, *layout.model_notes(context, row.model))
        ),
    )
    if not still:
        _say_mixed(context, rows, inputs.volume)
    results.show_table(context, rows, comparable=not still)
    layout.show_notes(
        context,
        notes,
        models=inputs.models,
        reasoning=inputs.reasoning,
        more=_more_notes(context, inputs, rows),
    )


def _reading(context: PricingContext, rows: Sequence[ModelComparison], volume: str) -> str:
    refused = [row for row in rows if row.costs.fits is False]
    priced = [row for row in rows if row not in refused]
    said = (
        _extremes(context, priced, volume),
        _languages(context, priced),
        layout.refused_sentence(context, [row.model for row in refused]),
    )
    return sentences_joined(*filter(None, said))


def _extremes(context: PricingContext, rows: Sequence[ModelComparison], volume: str) -> str:
    priced = sorted(
        (row for row in rows if row.costs.cost("zh")), key=lambda row: row.costs.cost("zh")
    )
    if len(priced) < 2:
        return ""
    least, most = priced[0], priced[-1]
    few, many = least.costs.cost("zh"), most.costs.cost("zh")
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
    return template.format(
        dear=plain(context.names[most.model.id]),
        cheap=plain(context.names[least.model.id]),
        ratio=f"{many / few:.0f}",
        many=context.money.markdown(many),
        few=context.money.markdown(few),
        volume=volume,
    )


def _languages(context: PricingContext, rows: Sequence[ModelComparison]) -> str:
    ordered = sorted(rows, key=lambda row: row.costs.saving_share, reverse=True)
    less, more = (
        [row for row in ordered if row.costs.cheaper == cheaper and not row.is_unsure]
        for cheaper in LANGUAGES
    )
    if not (less or more):
        equal = [row for row in rows if not row.costs.saving]
        if not equal:
            return _("Neither language is surely cheaper here.") if rows else ""
        return _("On {models} of {all} models, both languages cost the same.").format(
            models=len(equal), all=len(rows)
        )
    template = _("In Chinese it costs less than in English on {less}, and more on {more}.")
    if not more:
        template = _("In Chinese it costs less than in English on {less}.")
    elif not less:
        template = _("In Chinese it costs more than in English on {more}.")
    return template.format(less=_named(context, less), more=_named(context, more))


def _named(context: PricingContext, rows: Sequence[ModelComparison]) -> str:
    """Name a few models with how much more or less Chinese costs there."""
    names = []
    for row in rows[:_NAMED]:
        name, english = plain(context.names[row.model.id]), row.costs.cost("en")
        if english:
            percent = f"{100 * abs(row.costs.cost('zh') / english - 1):.0f}"
            name = _("{model} ({percent}%)").format(model=name, percent=percent)
        names.append(name)
    if len(rows) > _NAMED:
        names.append(_("{count} more").format(count=len(rows) - _NAMED))
    return names_joined(names)


def _say_mixed(context: PricingContext, rows: Sequence[ModelComparison], volume: str) -> None:
    saved = {
        row.model.id: row.costs.cost("zh") - row.costs.cost("zh", "en")
        for row in rows
        if row.costs.fits is not False
        and not any(each.uncertainty for each in row.answers.values())
    }
    most = max(saved, key=lambda name: saved[name], default="")
    if most and saved[most] > 0:
        st.markdown(
            _(
                "On {model}, asking in Chinese but having it answer in English would save {money} "
                "{volume}."
            ).format(
                model=plain(context.names[most]),
                money=context.money.markdown(saved[most]),
                volume=volume,
            )
        )


def _say_lengths(inputs: Inputs) -> None:
    lengths = {code: size for code, size in inputs.answers.items() if isinstance(size, int)}
    if lengths:
        st.caption(
            _("Answers of {zh} tokens in Chinese and {en} in English, as set.").format(
                **{code: f"{size:,}" for code, size in lengths.items()}
            )
        )


def _chart(context: PricingContext, rows: Sequence[ModelComparison], volume: str) -> None:
    title = _("{currency} {volume}").format(currency=context.money.name, volume=volume)
    view = settings.segments(
        _("Chart"),
        {"bars": _("Cost of each model"), "window": _("Cost against context window")},
        key="chart",
        label_visibility="collapsed",
    )
    frame = results.by_model_and_language(context, rows)
    if view == "bars":
        charts.show(
            partial(results.costs_by_language, frame, title=title),
            alt_text=_("Cost of each model in Chinese and English"),
        )
        if (frame["high"] > frame["low"]).any():
            st.caption(
                _("A thin line is the range of an estimate; the amount beside it is the bar's.")
            )
        return
    layout.show_unknown_windows(context, [row.model for row in rows])
    known = frame[frame["window"].notna() & (frame["cost"] > 0)]
    if len(known):
        charts.show(
            partial(results.cost_against_window, known, title=title),
            alt_text=_("Cost of each model over its context window, in Chinese and English"),
        )


def _more_notes(
    context: PricingContext, inputs: Inputs, rows: Sequence[ModelComparison]
) -> list[str]:
    unsure = [context.names[row.model.id] for row in rows if row.is_unsure]
    said = _(
        "Which language costs less cannot be said, as the ranges of estimates overlap: {models}."
    )
    notes = [said.format(models=plain(names_joined(unsure)))] if unsure else []
    return notes + (_chat_notes(context, inputs.models) if inputs.messages else [])


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
