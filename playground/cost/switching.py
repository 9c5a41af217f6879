"""A change of model or tokenizer: the reader's texts before and after, and their cost a month."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import pandas as pd
import streamlit as st

from bpe.analysis.switching import Switch, percent_more, writing_of
from bpe.pricing import SIGNS, Currency, money_text
from playground.ui import caches, fields, frame, progress, tables
from playground.ui.i18n import _, plain, sentences_joined

_BEGINNING = 200
"""Characters of a text that the tables have."""


@dataclass(frozen=True)
class Side:
    """A model or a tokenizer with the tokens of each text, and how sure they are.

    ``costs`` are what a request with each text costs.
    """

    name: str
    tokens: Sequence[int]
    sure: str
    costs: Sequence[Decimal]


def show(
    make: Callable[[], tuple[Sequence[str], Mapping[str, Side]]],
    *,
    key: str,
    currency: Currency,
) -> None:
    """Draw a closed section that holds two models or tokenizers against each other.

    ``make`` returns the texts and the sides to choose from; it is called once it is open. ``key``
    begins the names of its fields in the URL.
    """
    place = frame.opened(
        _("From one to another: what a change costs"), icon=":material/swap_horiz:", key=key
    )
    if place is None:
        return
    texts, sides = make()
    with place:
        if len(sides) < 2:
            st.info(_("Choose at least two to change between."), icon=":material/checklist:")
            return
        old, new, requests = _choose(sides, key)
        writings = caches.latest(f"writing of {key}", texts, lambda: list(map(_writing, texts)))
        switch = Switch(old.tokens, new.tokens)
        table = pd.DataFrame(
            {
                "row": range(1, len(texts) + 1), "writing": writings,
                "before": switch.before, "after": switch.after, "percent": switch.percents,
                **_monthly(old, new, requests), "text": texts,
            }
        )  # fmt: skip
        st.markdown(_reading(old, new, switch, table, requests, currency))
        _show_sums(table, currency)
        st.markdown(_("**The texts that grow most**"))
        _show_most(table.iloc[switch.growing_most()], currency)
        tables.download(
            _("Download all rows as csv"), lambda: _as_csv(table, currency),
            "change.csv", key="switch_download",
        )  # fmt: skip


def _as_csv(table: pd.DataFrame, currency: Currency) -> bytes:
    names = {"paid": f"before {currency} a month", "pays": f"after {currency} a month"}
    amounts = {name: table[name].map("{:f}".format) for name in names}
    return tables.as_csv(table.assign(**amounts).rename(columns=names))


def _choose(sides: Mapping[str, Side], key: str) -> tuple[Side, Side, int]:
    names = {code: side.name for code, side in sides.items()}
    first, second = list(names)[:2]
    one, two, three = st.columns(3, vertical_alignment="bottom")
    with one:
        old = fields.select(_("Before the change"), names, key=f"{key}_from", default=first)
    with two:
        new = fields.select(_("After the change"), names, key=f"{key}_to", default=second)
    requests = fields.whole(_("Requests a month"), f"{key}_requests", 30_000, place=three)
    return sides[old], sides[new], requests


def _monthly(old: Side, new: Side, requests: int) -> dict[str, list[Decimal]]:
    """Return what each text costs a month on both sides, if they are all asked equally often."""
    each = Decimal(requests) / len(old.tokens)
    paid, pays = ([cost * each for cost in side.costs] for side in (old, new))
    return {"paid": paid, "pays": pays}


def _writing(text: str) -> str:
    progress.checkpoint()
    return writing_of(text)


def _reading(
    old: Side, new: Side, switch: Switch, table: pd.DataFrame, requests: int, currency: Currency
) -> str:
    sentences = [
        _(
            "**{old}** takes {before} tokens ({old_sure}), **{new}** {after} ({new_sure}): "
            "{percent}."
        ).format(
            old=plain(old.name), before=f"{sum(switch.before):,}", old_sure=old.sure,
            new=plain(new.name), after=f"{sum(switch.after):,}", new_sure=new.sure,
            percent=f"{switch.percent:+.1f}%",
        )
    ]  # fmt: skip
    if len(table) > 1:
        sentences.append(
            _(
                "Of {texts} texts, the one in the middle changes by {median}; nine of ten by "
                "{ninth} at the most."
            ).format(
                texts=f"{len(table):,}", median=f"{switch.at(0.5):+.1f}%",
                ninth=f"{switch.at(0.9):+.1f}%",
            )
        )  # fmt: skip
    before, after = (Decimal(table[name].sum()) for name in ("paid", "pays"))
    template = _("{requests} such requests a month cost {before} and then {after}: {off} more.")
    if after < before:
        template = _("{requests} such requests a month cost {before} and then {after}: {off} less.")
    amounts = {"before": before, "after": after, "off": abs(after - before)}
    texts = {name: plain(money_text(amount, currency)) for name, amount in amounts.items()}
    sentences.append(template.format(requests=f"{requests:,}", **texts))
    return sentences_joined(*sentences)


def _show_sums(table: pd.DataFrame, currency: Currency) -> None:
    names = {
        "all": _("All"),
        "han": _("Chinese characters"),
        "latin": _("Latin letters"),
        "other": _("other letters or none"),
    }
    parts = {"all": table}
    if table["writing"].nunique() > 1:
        groups = sorted(table.groupby("writing"), key=lambda group: -len(group[1]))
        parts |= {str(writing): part for writing, part in groups}
    rows = [
        {
            "writing": names[writing],
            "texts": len(part),
            **part[["before", "after", "paid", "pays"]].sum(),
        }
        for writing, part in parts.items()
    ]
    columns = {
        "writing": tables.text(_("Written in"), pinned=True),
        "texts": tables.number(_("Texts")),
    }
    _show(pd.DataFrame(rows), columns, currency, _("Tokens and money before and after, by writing"))


def _show_most(table: pd.DataFrame, currency: Currency) -> None:
    columns = {"row": tables.number(_("Row"), pinned=True)}
    begins = {"text": tables.text(_("Begins"), width="large")}
    shown = table.assign(text=table["text"].str[:_BEGINNING])
    _show(shown, columns, currency, _("The ten texts that grow most"), begins)


def _show(
    table: pd.DataFrame,
    first: Mapping[str, Any],
    currency: Currency,
    alt_text: str,
    last: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Draw the change of each row between its ``first`` columns and its ``last``."""
    amounts = [cost for name in ("paid", "pays") for cost in table[name] if cost]
    form = f"{SIGNS[currency]}%,.{4 if min(amounts, default=1) < 1 else 2}f"
    change = [
        percent_more(*pair) / 100 for pair in zip(table["before"], table["after"], strict=True)
    ]
    columns = {
        **first,
        "before": tables.number(_("Tokens before")),
        "after": tables.number(_("Tokens after")),
        "change": tables.number(_("Change"), form="percent"),
        "paid": tables.number(_("A month before"), form=form),
        "pays": tables.number(_("A month after"), form=form),
        **last,
    }
    table = table.assign(change=change)
    shown = {name: heading for name, heading in columns.items() if name in table}
    numbers = {name: table[name].astype(float) for name in ("paid", "pays")}
    tables.show(table.assign(**numbers)[list(shown)], shown, alt_text=alt_text)
