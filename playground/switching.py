"""What a change of model or tokenizer does to the reader's texts, and to what they cost a month."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import pandas as pd
import streamlit as st

from bpe.analysis.switching import Switch, writing_of
from bpe.pricing import SIGNS, Currency, money_text
from playground.ui import caches, fields, frame, progress, tables
from playground.ui.i18n import _, plain, sentences_joined
from playground.ui.tables import Column

_BEGINNING = 200
"""Characters of a text that the tables have."""


@dataclass(frozen=True)
class Side:
    """A model or a tokenizer with the tokens of each text, and how sure they are.

    ``costs`` are what a request with each text costs, where that is known.
    """

    name: str
    tokens: Sequence[int]
    sure: str
    costs: Sequence[Decimal] | None = None


def show(
    make: Callable[[], tuple[Sequence[str], Mapping[str, Side]]],
    *,
    key: str,
    currency: Currency = "USD",
) -> None:
    """Draw a closed section that holds two models or tokenizers against each other.

    ``make`` returns the texts and the sides to choose from; it is called once it is open. ``key``
    begins the names of its fields in the URL. Sides without costs are priced by a price for a
    million tokens that the reader enters.
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
        old, new, requests, price = _choose(sides, key, currency)
        switch = Switch(old.tokens, new.tokens)
        writings = caches.latest(f"writing of {key}", texts, lambda: list(map(_writing, texts)))
        table = _Table(switch, texts, writings, _monthly(old, new, requests, price), currency)
        st.markdown(_reading(old, new, table, requests))
        table.show_sums()
        st.markdown(_("**The texts that grow most**"))
        table.show_most()
        table.download()


def _choose(
    sides: Mapping[str, Side], key: str, currency: Currency
) -> tuple[Side, Side, int, Decimal | None]:
    names = {code: side.name for code, side in sides.items()}
    first, second = list(names)[:2]
    one, two, three = st.columns(3, vertical_alignment="bottom")
    with one:
        old = fields.select(_("Before the change"), names, key=f"{key}_from", default=first)
    with two:
        new = fields.select(_("After the change"), names, key=f"{key}_to", default=second)
    requests = fields.whole(_("Requests a month"), f"{key}_requests", 30_000, place=three)
    with three:
        price = None
        if sides[old].costs is None:
            given = fields.amount(
                _("Price of a million tokens, {currency}").format(currency=currency),
                f"{key}_price", most=1e6, step=0.1, empty=_("none: tokens only"),
            )  # fmt: skip
            price = None if given is None else Decimal(str(given))
    return sides[old], sides[new], requests, price


def _monthly(
    old: Side, new: Side, requests: int, price: Decimal | None
) -> tuple[list[Decimal], list[Decimal]] | None:
    """Return what each text costs a month on both sides, if they are all asked equally often."""
    each = Decimal(requests) / len(old.tokens)
    if old.costs is not None and new.costs is not None:
        return [cost * each for cost in old.costs], [cost * each for cost in new.costs]
    if price is None:
        return None
    before, after = (
        [tokens * price * each / 10**6 for tokens in side.tokens] for side in (old, new)
    )
    return before, after


def _writing(text: str) -> str:
    progress.checkpoint()
    return writing_of(text)


def _reading(old: Side, new: Side, table: "_Table", requests: int) -> str:
    switch = table.switch
    said = [
        _(
            "**{old}** takes {before} tokens ({old_sure}), **{new}** {after} ({new_sure}): "
            "{percent}."
        ).format(
            old=plain(old.name), before=f"{sum(switch.before):,}", old_sure=old.sure,
            new=plain(new.name), after=f"{sum(switch.after):,}", new_sure=new.sure,
            percent=f"{switch.percent:+.1f}%",
        )
    ]  # fmt: skip
    if len(table.texts) > 1:
        said.append(
            _(
                "Of {texts} texts, the one in the middle changes by {median}; nine of ten by "
                "{ninth} at the most."
            ).format(
                texts=f"{len(table.texts):,}", median=f"{switch.at(0.5):+.1f}%",
                ninth=f"{switch.at(0.9):+.1f}%",
            )
        )  # fmt: skip
    if table.money:
        before, after = (sum(side, Decimal(0)) for side in table.money)
        template = _("{requests} such requests a month cost {before} and then {after}: {off} more.")
        if after < before:
            template = _(
                "{requests} such requests a month cost {before} and then {after}: {off} less."
            )
        amounts = (
            plain(money_text(each, table.currency)) for each in (before, after, abs(after - before))
        )
        said.append(
            template.format(
                requests=f"{requests:,}",
                **dict(zip(("before", "after", "off"), amounts, strict=True)),
            )
        )
    return sentences_joined(*said)


@dataclass(frozen=True)
class _Table:
    switch: Switch
    texts: Sequence[str]
    writings: Sequence[str]
    money: tuple[Sequence[Decimal], Sequence[Decimal]] | None
    currency: Currency

    def show_sums(self) -> None:
        rows = [self._row(range(len(self.texts)), _("All"))]
        names = _writings()
        for writing in self.switch.by(self.writings) if len({*self.writings}) > 1 else ():
            places = [at for at, each in enumerate(self.writings) if each == writing]
            rows.append(self._row(places, names[writing]))
        columns: dict[str, Column] = {
            "writing": (tables.text(_("Written in"), pinned=True), lambda row: row.name),
            "texts": (tables.number(_("Texts")), lambda row: len(row.switch.before)),
        }
        self._show(rows, columns, _("Tokens and money before and after, by writing"))

    def show_most(self) -> None:
        rows = [self._row([at], self.texts[at][:_BEGINNING]) for at in self.switch.growing_most()]
        number = tables.number(_("Row"), pinned=True)
        self._show(
            rows,
            {"number": (number, lambda row: row.first + 1)},
            _("The ten texts that grow most"),
            text=(tables.text(_("Begins"), width="large"), lambda row: row.name),
        )

    def download(self) -> None:
        def content() -> bytes:
            rows = {
                "row": range(1, len(self.texts) + 1), "writing": self.writings,
                "before": self.switch.before, "after": self.switch.after,
                "percent": self.switch.percents,
            }  # fmt: skip
            if self.money:
                for name, amounts in zip(("before", "after"), self.money, strict=True):
                    rows[f"{name} {self.currency} a month"] = [f"{each:f}" for each in amounts]
            return tables.as_csv(pd.DataFrame({**rows, "text": self.texts}))

        tables.download(_("Download all rows as csv"), content, "change.csv", key="switch_download")

    def _row(self, places: Sequence[int], name: str) -> "_Row":
        before, after = (
            [side[at] for at in places] for side in (self.switch.before, self.switch.after)
        )
        costs = [sum((side[at] for at in places), Decimal(0)) for side in self.money or ()]
        return _Row(name, places[0], Switch(before, after), *costs)

    def _show(
        self, rows: Sequence["_Row"], first: dict[str, Column], alt_text: str, **last: Column
    ) -> None:
        paid = [cost for row in rows for cost in (row.paid, row.pays) if cost]
        form = f"{SIGNS[self.currency]}%,.{4 if min(paid, default=1) < 1 else 2}f"
        columns: dict[str, Column] = {
            **first,
            "before": (tables.number(_("Tokens before")), lambda row: sum(row.switch.before)),
            "after": (tables.number(_("Tokens after")), lambda row: sum(row.switch.after)),
            "change": (
                tables.number(_("Change"), form="percent"),
                lambda row: row.switch.percent / 100,
            ),
            "paid": (tables.number(_("A month before"), form=form), lambda row: row.paid),
            "pays": (tables.number(_("A month after"), form=form), lambda row: row.pays),
            **last,
        }
        tables.show_rows(rows, columns, alt_text=alt_text, optional=("paid", "pays"))


@dataclass(frozen=True)
class _Row:
    """Some of the texts, the place of their ``first``, and what they cost a month."""

    name: str
    first: int
    switch: Switch
    paid: Decimal | None = None
    pays: Decimal | None = None


def _writings() -> dict[str, str]:
    return {
        "han": _("Chinese characters"),
        "latin": _("Latin letters"),
        "other": _("other letters or none"),
    }
