"""Many prompts on one model: their counts, and what each and all of them cost."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from bpe import pricing
from bpe.pricing import Model, Summary
from playground.cost.desk import Desk
from playground.cost.many_counts import Column


@dataclass(frozen=True)
class Terms:
    """What holds for every prompt. A ``limit`` of 0 is what the window leaves beside the answer."""

    output: int
    limit: int
    batch: bool


@dataclass(frozen=True)
class Row:
    """A model with the counts and costs of all prompts."""

    model: Model
    counts: Column
    summary: Summary
    costs: Sequence[Decimal]

    @property
    def total(self) -> Decimal:
        """What all prompts cost."""
        return sum(self.costs, Decimal(0))


def price(desk: Desk, model: Model, counts: Column, terms: Terms) -> Row:
    """Return the costs of the prompts; those of one length cost the same and are priced once."""
    window = model.context_window
    most = terms.limit or (None if window is None else max(0, window - terms.output))
    lengths = sorted(set(counts.tokens))
    costs = pricing.row_costs(
        model, lengths, output_tokens=terms.output, batch=terms.batch, **desk.terms(model)
    )
    by_length = dict(zip(lengths, costs, strict=True))
    return Row(
        model,
        counts,
        pricing.summarise(counts.tokens, limit=most),
        [by_length[tokens] for tokens in counts.tokens],
    )
