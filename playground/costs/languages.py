"""The same meaning in Chinese and in English: what it costs on each model, and what one saves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

import pandas as pd
import streamlit as st

from bpe import corpus, pricing
from bpe.errors import BPEError
from bpe.pricing import Languages, Model, Texts, words
from playground import charts, pairs, settings
from playground.costs import answers, counting, drawing, fields, models, notes, pair_files, vendor
from playground.costs.desk import Desk
from playground.texts import _, error_text, plain, sentence

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, ...] = ("zh", "en")


@dataclass(frozen=True)
class Length:
    """The tokens of a text for a model (of many texts: their mean), and the range they are in."""

    tokens: int
    low: int
    high: int
    badge: str = ""
    method: str = ""
    total: int = 0
    """All tokens, where ``tokens`` is a mean."""


@dataclass(frozen=True)
class Row:
    """A model with the lengths of its prompts, and costs at, below and above its counts."""

    model: Model
    prompts: Mapping[Language, Length]
    answers: Mapping[Language, Length]
    frame: int | None
    costs: Languages
    low: Languages
    high: Languages

    @property
    def surely_differs(self) -> bool:
        """Whether one language costs less wherever in their ranges the counts really are."""
        return bool(
            self.low.cost("zh") > self.high.cost("en") or self.low.cost("en") > self.high.cost("zh")
        )

    @property
    def premium(self) -> Decimal | None:
        """Chinese prompt tokens for each English one."""
        zh, en = self.prompts["zh"].total, self.prompts["en"].total
        return Decimal(zh) / en if en else None


def section(desk: Desk) -> None:
    """Draw the texts on the left and what they cost on the right."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        prompts, chosen, replies, requests, messages = _inputs(desk)
    with right:
        if not chosen:
            st.info(_("Choose at least one model on the left."), icon=":material/checklist:")
            return
        names = models.names(desk.table.all_models)
        texts = {code: text for code, text in prompts.items() if isinstance(text, str)}
        vendor.answer(chosen, names, texts)
        try:
            counted = {code: _lengths(chosen, text, code) for code, text in prompts.items()}
            replied = {code: _lengths(chosen, text, code) for code, text in replies.items()}
            rows = [_row(desk, model, counted, replied, requests, messages) for model in chosen]
        except BPEError as error:
            st.error(error_text(error))
            return
        if not any(row.prompts["zh"].tokens and row.prompts["en"].tokens for row in rows):
            st.info(
                _("Give the same text in both languages on the left, or choose a sample."),
                icon=":material/edit:",
            )
            return
        _result(desk, rows, names, requests)
        if messages:
            _chat_notes(rows, names)
        if texts:
            vendor.ask(chosen, names, texts)


def _inputs(
    desk: Desk,
) -> tuple[dict[str, str | Sequence[str]], list[Model], dict[str, str | int], int, int]:
    source = settings.segments(
        _("Prompts"),
        {"texts": _("a sample or my own"), "pairs": _("pairs from a file")},
        key="prompts",
    )
    prompts: dict[str, str | Sequence[str]]
    if source == "pairs":
        file = pair_files.upload()
        prompts = {"zh": file.zh if file else "", "en": file.en if file else ""}
    else:
        prompts = dict(pairs.text_areas("cost"))
    chosen = models.choose(desk)
    texts, lengths = answers.choose()
    replies: dict[str, str | int] = {
        code: lengths.get(code, 0) if lengths else texts.get(code, "") for code in LANGUAGES
    }
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
    return prompts, chosen, replies, requests, messages


def _lengths(
    chosen: Sequence[Model], text: str | int | Sequence[str], code: str
) -> dict[str, Length]:
    """Return how long a text is for each model by id; a number is a length already."""
    if isinstance(text, int):
        return {model.id: Length(text, text, text, total=text) for model in chosen}
    if isinstance(text, str):
        return {
            name: Length(
                counted.tokens,
                counted.low,
                counted.high,
                counting.badge(counted),
                sentence(counted.method),
                counted.tokens,
            )
            for name, counted in counting.count(chosen, text).items()
        }
    columns = counting.count_many(chosen, text, f"{code}-{corpus.digest(text)}")
    return {name: _mean(column) for name, column in columns.items()}


def _mean(column: counting.Column) -> Length:
    number = len(column.high) or 1

    def mean(counts: Sequence[int]) -> int:
        return (2 * sum(counts) + number) // (2 * number)

    return Length(
        mean(column.tokens),
        mean(column.low),
        mean(column.high),
        column.badge,
        _("the mean of {texts} texts").format(texts=f"{number:,}"),
        sum(column.tokens),
    )


def _row(
    desk: Desk,
    model: Model,
    prompts: Mapping[str, Mapping[str, Length]],
    replies: Mapping[str, Mapping[str, Length]],
    requests: int,
    messages: int,
) -> Row:
    overhead = pricing.chat_overhead(model, messages) if messages else None
    added = overhead.tokens if overhead else 0
    asked = {code: prompts[code][model.id] for code in LANGUAGES}
    answered = {code: replies[code][model.id] for code in LANGUAGES}

    def costs(end: Literal["tokens", "low", "high"]) -> Languages:
        zh, en = (
            Texts(getattr(asked[code], end) + added, getattr(answered[code], end))
            for code in LANGUAGES
        )
        return pricing.compare_languages(
            model,
            zh,
            en,
            requests=requests,
            when=desk.when,
            overrides=desk.overrides.get(model.id),
            free_weekends=desk.free_weekends,
        )

    return Row(
        model,
        asked,
        answered,
        overhead.tokens if overhead else None,
        costs("tokens"),
        costs("low"),
        costs("high"),
    )


def _result(desk: Desk, rows: list[Row], names: Mapping[str, str], requests: int) -> None:
    st.markdown(_reading(desk, rows, names, requests))
    frame = _frame(desk, rows, names)
    title = _("{currency} for {requests} requests").format(
        currency=desk.money.name, requests=f"{requests:,}"
    )
    order = list(dict.fromkeys(frame.sort_values("cost")["model"]))
    view = settings.segments(
        _("Chart"),
        {"bars": _("Cost of each model"), "window": _("Cost against context window")},
        key="chart",
        label_visibility="collapsed",
    )
    known = frame[frame["window"].notna() & (frame["cost"] > 0)]
    if view == "window":
        missing = [row.model for row in rows]
        notes.unknown_window(missing, names)
    if view == "window" and len(known):
        charts.show(
            drawing.cost_against_window(known, title=title),
            alt_text=_("Cost of each model over its context window, in Chinese and English"),
        )
    elif view == "bars":
        charts.show(
            drawing.costs_by_language(frame, title=title, order=order),
            alt_text=_("Cost of each model in Chinese and English"),
        )
        if (frame["high"] > frame["low"]).any():
            st.caption(_("A thin line is the range of an estimate."))
    _table(desk, rows, names)
    notes.of_prices(desk, [row.model for row in rows], names)
    notes.stale(desk, [row.model for row in rows], names)


def _reading(desk: Desk, rows: list[Row], names: Mapping[str, str], requests: int) -> str:
    """Say in words where the language matters most, and what the answer's language does."""
    sure = [row for row in rows if row.surely_differs]
    if not sure:
        if not any(row.costs.saving for row in rows):
            return _("On these models, both languages cost the same.")
        return _("The ranges of the estimates overlap: neither language is surely cheaper here.")
    most = max(sure, key=lambda row: row.costs.saving)
    cheaper = most.costs.cheaper or "en"
    said = _(
        "**{model}**: writing in {language} saves {money} for {requests} requests ({percent} %), "
        "the most among these models."
    ).format(
        model=plain(names[most.model.id]),
        language=charts.languages()[cheaper],
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


def _frame(desk: Desk, rows: list[Row], names: Mapping[str, str]) -> pd.DataFrame:
    """Return a row for each model and language, for the charts."""
    return pd.DataFrame(
        [
            {
                "model": names[row.model.id],
                "language": code,
                "cost": desk.money.number(row.costs.cost(code)),
                "low": desk.money.number(row.low.cost(code)),
                "high": desk.money.number(row.high.cost(code)),
                "money": desk.money.text(row.costs.cost(code)),
                "range": f"{desk.money.text(row.low.cost(code))} – "
                f"{desk.money.text(row.high.cost(code))}",
                "window": row.model.context_window,
            }
            for row in rows
            for code in LANGUAGES
        ]
    )


def _table(desk: Desk, rows: list[Row], names: Mapping[str, str]) -> None:
    money = desk.money
    frame = pd.DataFrame(
        [
            {
                "model": names[row.model.id],
                "zh": row.prompts["zh"].tokens,
                "en": row.prompts["en"].tokens,
                "count": _worse(row),
                "premium": None if row.premium is None else float(row.premium),
                "zh_zh": money.number(row.costs.cost("zh")),
                "en_en": money.number(row.costs.cost("en")),
                "cheaper": charts.languages().get(row.costs.cheaper or "", _("equal")),
                "saving": money.number(row.costs.saving),
                "share": float(row.costs.saving_share),
                "zh_en": money.number(row.costs.cost("zh", "en")),
                "en_zh": money.number(row.costs.cost("en", "zh")),
                "answer_zh": row.answers["zh"].tokens,
                "answer_en": row.answers["en"].tokens,
                "frame": row.frame,
                "changed": bool(desk.overrides.get(row.model.id)),
                "date": models.price_day(row.model),
                "source": row.model.sources[0] if row.model.sources else None,
                "method": row.prompts["zh"].method,
            }
            for row in sorted(rows, key=lambda row: row.costs.cost("zh"))
        ]
    )
    if frame["frame"].isna().all():
        frame = frame.drop(columns="frame")
    if not frame["changed"].any():
        frame = frame.drop(columns="changed")
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    amounts = {
        name: money.column(label, frame[name])
        for name, label in {
            "zh_zh": _("All in Chinese"),
            "en_en": _("All in English"),
            "zh_en": _("Chinese, answer in English"),
            "en_zh": _("English, answer in Chinese"),
            "saving": _("Saving"),
        }.items()
    }
    config: dict[str, Any] = {
        "model": text(_("Model"), pinned=True),
        "zh": number(_("Tokens, Chinese"), format="localized"),
        "en": number(_("Tokens, English"), format="localized"),
        "count": text(_("Count")),
        "premium": number(
            _("Premium"), format="%.2f", help=_("Chinese tokens for each English one")
        ),
        "cheaper": text(_("Cheaper language")),
        "share": number(_("Saving, share"), format="percent"),
        "answer_zh": number(_("Answer tokens, Chinese"), format="localized"),
        "answer_en": number(_("Answer tokens, English"), format="localized"),
        "frame": number(_("Chat frame, tokens"), format="localized"),
        "changed": st.column_config.CheckboxColumn(_("Price changed by hand")),
        "date": text(_("Price date")),
        "source": st.column_config.LinkColumn(_("Price source"), display_text=_("source")),
        "method": text(_("How it was counted"), width="large"),
    }
    st.dataframe(
        frame,
        hide_index=True,
        lazy=False,
        placeholder="–",
        column_config=config | amounts,
        alt=_("Tokens, premium and cost of each model in both languages, with price source"),
    )


def _worse(row: Row) -> str:
    """Return the badge of the language whose count is less certain."""
    return max(
        (row.prompts[code] for code in LANGUAGES),
        key=lambda length: (length.high - length.low) / (length.tokens or 1),
    ).badge


def _chat_notes(rows: list[Row], names: Mapping[str, str]) -> None:
    """Cite the rule for what a chat adds, where one is known."""
    overhead = {row.model.id: pricing.chat_overhead(row.model, 1) for row in rows}
    notes.below(
        (
            names[name],
            known.rule if known else pricing.Sentence(words.CHAT_UNKNOWN),
        )
        for name, known in overhead.items()
    )
    source = next((known.source for known in overhead.values() if known), None)
    if source:
        st.caption(f"[{_('The rule at its source')}]({source})")
