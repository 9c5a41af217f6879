"""The facts of one model, the table of all models, and how one is found in it.

Models that people look for and whose price is not known are named as such, never guessed.
Only the values; where the facts are from is in ``data.py``.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import Literal

from bpe.encoders.models import Certainty, nearest, spellings
from bpe.errors import BPEError, Sentence, translatable
from bpe.pricing.prices import BEIJING, Currency, ExchangeRate, Prices


@dataclass(frozen=True, slots=True)
class Model:
    """A model as one provider sells it.

    ``id`` is ``provider/ref``, where ``ref`` is the provider's own name for the model.
    ``country`` is the vendor's home and ``region`` where this price list holds (a message id).
    ``context_window``, ``max_input`` and ``max_output`` are in tokens; ``None`` means that we do
    not know, and of ``max_input`` that nothing but the window is known to limit it;
    ``limits_source`` is where that was found, and on which day. A price is promised until
    ``valid_until``, where that is known; a prefix of fewer than ``least_cached`` tokens is not
    cached, by ``least_source``, or by assumption where that is ``None``.
    ``tokenizer`` is the model's encoding, or ``None``: then ``stand_in`` names the encoding that
    the estimate starts from and ``calibration`` its ratios. ``reason`` says why (a message id).
    ``price_date`` is the day on which the price was read, where the list says so of this price
    (``dated`` is ``"price"``), or else the day of the list. ``comments`` are quoted from the list,
    in English; ``notes`` are ours. ``ended`` is the reason why the model is hidden by default, or
    ``None``.
    """

    id: str
    ref: str
    name: str
    vendor: str
    provider: str
    country: str
    region: str
    prices: Prices
    tokenizer: str | None
    certainty: Certainty
    reason: str
    price_date: date
    sources: tuple[str, ...]
    stand_in: str | None = None
    calibration: str | None = None
    open_weights: bool | None = None
    context_window: int | None = None
    max_input: int | None = None
    max_output: int | None = None
    limits_source: tuple[str, date] | None = None
    valid_until: date | None = None
    least_cached: int | None = None
    least_source: tuple[str, date] | None = None
    ended: str | None = None
    comments: tuple[str, ...] = ()
    notes: tuple[Sentence, ...] = ()
    weekends_off_peak_from: date | None = None
    dated: Literal["price", "list"] = "list"

    def price_has_ended(self, when: datetime) -> bool:
        """Return whether the price was promised until a day before that moment."""
        return self.valid_until is not None and when.date() > self.valid_until

    def fits(self, input_tokens: int, output_tokens: int) -> bool | None:
        """Return whether a request fits, so that it is not refused; ``None`` if that is unknown."""
        if self.max_input is not None and input_tokens > self.max_input:
            return False
        window = self.context_window
        return None if window is None else input_tokens + output_tokens <= window

    def is_stale(self, today: date) -> bool:
        """Return whether the price was read more than thirty days ago."""
        return (today - self.price_date).days > 30

    def price_day(self, when: datetime) -> tuple[date, Literal["price", "since", "list"]]:
        """Return the day of the price that holds then, and what it is the day of.

        ``"price"``: the price was read then. ``"since"``: it came into force then. ``"list"``: the
        list has no day of its own for it, and this is the day of the list.
        """
        starts = self.prices.rule(when, daily=False).starts
        if self.dated == "list" and starts is not None:
            return starts, "since"
        return self.price_date, self.dated

    def in_currency(self, currency: Currency, rate: ExchangeRate) -> "Model":
        return replace(self, prices=self.prices.converted(currency, rate))

    def is_free_weekend(self, when: datetime) -> bool:
        """Return whether the vendor bills that moment off-peak, as a Saturday or Sunday.

        A naive time is taken as UTC.
        """
        since = self.weekends_off_peak_from
        here = (when.replace(tzinfo=UTC) if when.tzinfo is None else when).astimezone(BEIJING)
        return since is not None and here.date() >= since and here.weekday() >= 5


Lack = Literal["prices", "prices and vocabulary", "prices in yuan"]
_LACKING = {
    "prices": translatable("the price"),
    "prices and vocabulary": translatable("the price and the vocabulary"),
    "prices in yuan": translatable("the price in yuan (mainland China)"),
}


@dataclass(frozen=True, slots=True)
class Unpriced:
    """A family of models without a dated price: its name, its vendor, and what is not known of it.

    Names of its models begin with one of ``prefixes`` (lower case, hyphens for spaces). ``model``
    is the id of a model of the list with the same vocabulary, or the same one sold in dollars; a
    rough one where the vocabulary is not at hand.
    ``in_dollars`` are patterns of the ids of the models whose price in dollars is known, and the
    one in yuan is not.
    """

    name: str
    vendor: str
    prefixes: tuple[str, ...]
    lack: Lack
    model: str
    in_dollars: str = ""

    def names(self, name: str) -> bool:
        """Return whether ``name``, with a provider in front or not, is of this family."""
        wanted = re.sub(r"[\s_]+", "-", name.strip().lower())
        return any(each.startswith(self.prefixes) for each in (wanted, wanted.rpartition("/")[2]))

    def error(self, name: str) -> BPEError:
        return BPEError(
            "No dated source of {lack} of “{name}” ({vendor}) is at hand. If you know the price, "
            "write it into a file for --prices of the command line. Nearest to it in the price "
            "list is {model}.",
            lack=_LACKING[self.lack],
            name=name,
            vendor=self.vendor,
            model=self.model,
        )


def family_of(name: str, families: Iterable[Unpriced]) -> Unpriced | None:
    """Return the family without a price that a name is of, ``None`` if it is of none."""
    return next((family for family in families if family.names(name)), None)


@dataclass(frozen=True)
class Table:
    """All models of one price list, deprecated ones included, and the day of the list.

    ``unpriced`` are families of models that are not in it, so that they can be named as unknown.
    ``resolve`` finds the model that the clauses of the list mean by a name, shown here or not.
    """

    all_models: tuple[Model, ...] = field(repr=False)
    date: date
    unpriced: tuple[Unpriced, ...] = field(default=(), repr=False)
    resolve: Callable[[str], Model | None] = field(
        default=lambda _name: None, repr=False, compare=False
    )

    def in_currency(self, currency: Currency, rate: ExchangeRate) -> "Table":
        def resolve(name: str) -> Model | None:
            model = self.resolve(name)
            return model and model.in_currency(currency, rate)

        converted = tuple(model.in_currency(currency, rate) for model in self.all_models)
        return replace(self, all_models=converted, resolve=resolve)

    def models(self, words: str = "", *, deprecated: bool = False) -> tuple[Model, ...]:
        """Return the models that have all the words in id, name or vendor, in their order."""
        return tuple(
            model
            for model in self.all_models
            for about in [f"{model.id} {model.name} {model.vendor}".lower()]
            if (deprecated or not model.ended)
            and all(word in about for word in words.lower().split())
        )

    def model(self, name: str) -> Model:
        """Return the model with that id, or with that ``ref`` where only one price is known of it.

        Then the clauses of the price list say which model a name means, and then what the name is
        without its host, region, version and date (:func:`spellings`). Of a vendor that sells a
        model in dollars and, in mainland China, in yuan, a ``ref`` that is of the price list is the
        one in dollars.
        Raises :class:`BPEError` with the nearest ids of the same family for an unknown name, and
        with what is not known of it for a model of ``unpriced``.
        """
        exact = self.resolve(name.strip()) if "/" in name else None
        if exact and exact.id.lower() != name.strip().lower():
            exact = None
        if model := exact or self._sold(name, name):
            return next((each for each in self.all_models if each.id == model.id), model)
        if name.strip().lower().endswith(":free"):
            raise BPEError(
                "“{name}” costs nothing where it is offered. Leave out “:free” for the price of "
                "the model elsewhere.",
                name=name.strip(),
            )
        if family := family_of(name, self.unpriced):
            raise family.error(name.strip())
        for spelled in spellings(name):
            model = self._sold(name, spelled) or self.resolve(spelled)
            if model and not spelled.startswith(f"{model.provider}/"):
                self._sold(name, model.ref)  # which of several that ask other prices?
            if model := model or self._sold(name, spelled.rpartition("/")[2]):
                return next((each for each in self.all_models if each.id == model.id), model)
        refs = {model.ref.lower(): model.id for model in self.all_models}
        if near := nearest(name, refs):
            raise BPEError(
                "There is no model “{name}” in the price list. Did you mean: {ids}?",
                name=name,
                ids=", ".join(refs[ref] for ref in near),
            )
        raise BPEError("There is no model “{name}” in the price list.", name=name)

    def _sold(self, name: str, spelled: str) -> Model | None:
        named = self.sellers(spelled)
        named = [model for model in named if model.provider != "deepseek-cn"] or named
        if len({model.prices for model in named}) > 1:
            raise BPEError(
                "Several providers sell “{name}”. Say which: {ids}.",
                name=name,
                ids=", ".join(model.id for model in named),
            )
        return named[0] if named else None

    def sellers(self, name: str) -> list[Model]:
        """Return the model with that id, or else each that has that ``ref`` at a provider."""
        wanted = name.strip().lower()
        whole = [model for model in self.all_models if model.id.lower() == wanted]
        return whole or [model for model in self.all_models if model.ref.lower() == wanted]
