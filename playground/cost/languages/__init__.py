"""The cost of a text on each model, once or for a month, in one language or in two."""

import json
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from bpe.pricing import Model, Sentence, messages
from playground.cost import layout, models
from playground.cost.languages import comparing
from playground.cost.languages.comparing import Comparison, badge
from playground.cost.languages.inputs import Inputs, choose, peak_share
from playground.cost.price_settings import PricingContext
from playground.text_pair import Language
from playground.ui import charts, tables
from playground.ui.charts import REFERENCE
from playground.ui.i18n import _, names_joined, plain, sentence, sentences_joined

__all__ = ["Inputs", "choose", "show"]

_NAMED = 3
"""Of more models than these the first sentence has the number."""


def show(context: PricingContext, inputs: Inputs) -> None:
    if not inputs.models:
        models.ask_for_one()
        return
    rows = comparing.compare(context, inputs) if inputs.prompts else []
    if not any(count.tokens for row in rows for count in row.prompts.values()):
        st.info(_("Type a text in the settings, or choose a sample."), icon=":material/edit:")
        return
    st.markdown(_reading(context, rows, inputs))
    _chart(context, rows, inputs.volume)
    notes = layout.show_hours(context, _notes(context, inputs, rows))
    show_table(context, rows)
    more = _unsure_notes(context, rows)
    layout.show_notes(context, notes, inputs.models, reasoning=inputs.reasoning, more=more)


def _notes(
    context: PricingContext, inputs: Inputs, rows: Sequence[Comparison]
) -> Iterator[tuple[Model, list[Sentence]]]:
    """Yield what the prices leave open; of weekends in a month only where hours are at peak."""
    weekend = messages.WEEKEND
    for row in rows:
        notes = [note for note in row.notes if not (inputs.traffic and note.template == weekend)]
        if inputs.traffic and not context.free_weekends and row.model.weekends_off_peak_from:
            at_peak = peak_share(row.model, inputs.busy, context.terms)
            notes += [Sentence(weekend)] if at_peak else []
        yield row.model, notes


def _reading(context: PricingContext, rows: Sequence[Comparison], inputs: Inputs) -> str:
    priced = [row for row in rows if row.fits is not False]
    sentences = [_extremes(context, priced, inputs.volume)]
    if len(rows[0].languages) > 1:
        sentences += _languages(context, priced)
    if refused := [context.names[row.model.id] for row in rows if row.fits is False]:
        template = _("Refused, as a request is longer than the model takes: {models}.")
        sentences.append(template.format(models=plain(names_joined(refused))))
    elif all(row.fits for row in rows):
        sentences.append(_("Each request fits the window of every model."))
    return sentences_joined(*filter(None, sentences))


def _extremes(context: PricingContext, rows: Sequence[Comparison], volume: str) -> str:
    """Say what the cheapest and the dearest model take, in the first language."""
    code: Language = "zh" if rows and "zh" in rows[0].languages else "en"
    priced = sorted((row for row in rows if row.cost(code)), key=lambda row: row.cost(code))
    if not priced:
        return ""
    if len(rows[0].languages) < 2:
        ranges = {row.model.id: row.ranges[code] for row in priced}
        return layout.cheapest_and_dearest(context, volume, ranges)
    least, most = priced[0], priced[-1]
    if most.cost(code) < 2 * least.cost(code):
        return ""
    return _(
        "**{dear} costs about {ratio} times as much as {cheap}** for this in Chinese: {many} "
        "against {few} {volume}."
    ).format(
        cheap=plain(context.names[least.model.id]), dear=plain(context.names[most.model.id]),
        few=context.money.markdown(least.cost(code)), many=context.money.markdown(most.cost(code)),
        volume=volume, ratio=f"{most.cost(code) / least.cost(code):.0f}",
    )  # fmt: skip


def _languages(context: PricingContext, rows: Sequence[Comparison]) -> Iterator[str]:
    """Say where Chinese costs less than English, and where more; a trifle is neither."""
    sure = sorted((row for row in rows if not row.is_unsure), key=lambda row: -abs(row.change))
    less, more, equal = (
        [row for row in sure if row.cheaper == code] for code in ("zh", "en", None)
    )
    if less:
        template = _("In Chinese it costs less than in English on {less}.")
        yield template.format(less=_named(context, less))
    if more:
        template = _("In Chinese it costs more than in English on {more}.")
        yield template.format(more=_named(context, more))
    if rows and not (less or more):
        template = _("Neither language is surely cheaper here.")
        if equal:
            template = _("On {models} of {all} models, both languages cost the same.")
        yield template.format(models=len(equal), all=len(rows))


def _named(context: PricingContext, rows: Sequence[Comparison]) -> str:
    """Name a few models with how much more or less Chinese costs there."""
    names = []
    for row in rows[:_NAMED]:
        name = plain(context.names[row.model.id])
        if row.change:
            name = _("{model} ({percent}%)").format(
                model=name, percent=f"{100 * abs(row.change):.0f}"
            )
        names.append(name)
    if len(rows) > _NAMED:
        names.append(_("{count} more").format(count=len(rows) - _NAMED))
    return names_joined(names)


def _chart(context: PricingContext, rows: Sequence[Comparison], volume: str) -> None:
    title = _("{currency} {volume}").format(currency=context.money.name, volume=volume)
    frame = by_model_and_language(context, rows)
    charts.show(
        partial(costs_by_language, frame, title=title),
        alt_text=_("Cost of each model in each language"),
    )
    if (frame["high"] > frame["low"]).any():
        st.caption(_("A thin line is the range of an estimate; the amount beside it is the bar's."))


def _unsure_notes(context: PricingContext, rows: Sequence[Comparison]) -> list[str]:
    unsure = [context.names[row.model.id] for row in rows if row.is_unsure]
    template = _(
        "Which language costs less cannot be said, as the ranges of estimates overlap: {models}."
    )
    return [template.format(models=plain(names_joined(unsure)))] if unsure else []


def by_model_and_language(context: PricingContext, rows: Sequence[Comparison]) -> pd.DataFrame:
    """Return a row for each model and language: ``cost`` lies between ``low`` and ``high``.

    ``money`` and ``range`` say so in words.
    """
    money = context.money
    cells = [(row, code) for row in rows for code in row.languages]
    amounts = money.texts([row.cost(code) for row, code in cells])
    data = []
    for (row, code), amount in zip(cells, amounts, strict=True):
        low, cost, high = row.ranges[code]
        is_refused = row.bills[code].fits is False
        data.append(
            {
                "model": context.names[row.model.id],
                "language": charts.languages()[code],
                "cost": float(cost),
                "low": float(low),
                "high": float(high),
                "money": f"{amount} · {_('refused')}" if is_refused else amount,
                "range": f"{money.text(low)} – {money.text(high)}",
            }
        )
    return pd.DataFrame(data)


def costs_by_language(data: pd.DataFrame, *, title: str) -> Any:
    order = list(dict.fromkeys(data.sort_values("cost")["model"]))
    of_each: dict[str, Any] = {
        "y": alt.Y("model:N", sort=order, axis=layout.MODEL_AXIS),
        "yOffset": alt.YOffset("language:N", sort=list(charts.languages().values())),
        "tooltip": [
            alt.Tooltip("model:N", title=_("Model")),
            alt.Tooltip("language:N", title=_("Language")),
            alt.Tooltip("money:N", title=title),
            alt.Tooltip("range:N", title=_("Range")),
        ],
    }
    base = alt.Chart(data.assign(end=data[["cost", "high"]].max(axis=1))).encode(**of_each)
    layers = [
        base.mark_bar(height={"band": 0.85}).encode(
            x=alt.X("cost:Q", title=title, axis=layout.AMOUNT_AXIS), color=charts.language_colour()
        )
    ]
    estimated = data[data["high"] > data["low"]]
    if len(estimated):
        whiskers = alt.Chart(estimated).mark_rule(color=REFERENCE, strokeWidth=1.5)
        layers.append(whiskers.encode(**of_each, x="low:Q", x2="high:Q"))
    is_first = f"datum.model === {json.dumps(order[0])}" if data["language"].nunique() > 1 else ""
    amounts = charts.amounts(base, "datum.money", is_first)
    layers.append(amounts.encode(x=alt.X("end:Q", title=title)))
    return alt.layer(*layers).properties(height=40 * len(order) + 80)


def show_table(context: PricingContext, rows: Sequence[Comparison]) -> None:
    """Draw the figures; what compares two languages only where there are two."""
    names = charts.languages()
    languages = rows[0].languages
    columns: dict[str, tables.Column] = {
        **layout.model_column(context),
        **{code: _tokens(_("Tokens, {language}"), "prompts", code) for code in languages},
        "count": (tables.text(_("Count")), lambda row: badge(row.worse_count)),
    }
    answers = {
        f"answer_{code}": _tokens(_("Answer tokens, {language}"), "answers", code)
        for code in rows[0].answers
    }
    if len(languages) > 1:
        ratio = tables.number(
            _("Chinese ÷ English"), form="%.2f", help=_("Chinese tokens for each English one")
        )
        share = tables.number(_("Chinese instead of English"), form="percent")
        columns |= {
            "premium": (ratio, lambda row: row.premium),
            "zh_zh": (_("All in Chinese"), lambda row: row.cost("zh")),
            "en_en": (_("All in English"), lambda row: row.cost("en")),
            "saving": (_("Saving"), lambda row: row.saving),
            "share": (share, lambda row: row.change),
            "cheaper": (
                tables.text(_("Cheaper language")),
                lambda row: names.get(row.cheaper or "", _("equal")),
            ),
        }
    else:
        columns["cost"] = _("Cost"), lambda row: row.cost(languages[0])
    layout.show_rows(
        context,
        sorted(rows, key=lambda row: row.cost(languages[0])),
        {
            **columns,
            **answers,
            "fits": (tables.text(_("Fits the window")), lambda row: layout.fits(row.fits)),
            **layout.price_columns(context),
            "method": (tables.text(_("How it was counted"), width="large"), _method),
        },
        alt_text=_("Tokens and cost of each model in each language, with price source"),
    )


def _tokens(label: str, of: str, code: str) -> tables.Column:
    heading = tables.number(label.format(language=charts.languages()[code]))
    return heading, lambda row: getattr(row, of)[code].tokens


def _method(row: Comparison) -> str:
    method = next(iter(row.prompts.values())).method
    return sentence(method) if method else ""
